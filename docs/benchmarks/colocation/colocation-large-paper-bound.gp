# Draw with: gnuplot colocation-large-paper-bound.gp
set terminal svg size 1344,460 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'colocation-large-paper-bound.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$boxes0 << EOD
0 1 1 1.3860680346125616 1.1359872763068393 1
11 1 1 1.1448679682090617 1.1077092970600733 1
22 1 1 1.1448679682090617 1.1077092970600733 1
33 1 1 2.2853246851792797 1.7149819358994562 1
EOD
$outside0 << EOD
0 1.39
0 1.41
0 1.47
0 1.51
0 1.52
0 1.67
11 1.15
11 1.16
11 1.17
22 1.15
22 1.16
22 1.17
33 2.32
33 2.4
33 2.49
33 2.63
33 2.73
EOD
$boxes1 << EOD
1 1 1 1.262365726295998 1.050382980552523 1
12 1 1 1.8187438017439146 1.661180355462311 1.3768843844237577
23 1.1746292632947604 1 3.5833282808111653 3.1962357098388092 2.6423640225514617
34 1 1 3.7939602134404686 2.5863004344205915 1.4552428032992846
EOD
$outside1 << EOD
1 1.27
1 1.28
1 1.29
1 1.33
1 1.34
1 1.35
12 1.82
12 1.83
12 1.85
12 1.88
12 1.9
23 3.59
23 3.6
23 3.61
23 3.62
23 3.67
23 3.78
23 3.8
34 3.9
34 3.99
34 4.14
34 4.25
34 4.35
EOD
$boxes2 << EOD
2 1.067475724662201 1.0001942731371454 1.8796136356797493 1.5467262317099033 1.3190646585073544
13 1.5637895136316797 1.3160034656001558 3.4692842823362304 2.7269937485164846 2.1678627569856523
24 2.9780915491930577 2.1878602192673084 6.788601280484985 5.462787180040915 3.7752107745519337
35 2.4683255683540466 2.086971284377667 3.644276623673743 3.0187700885721824 2.7640251887907645
EOD
$outside2 << EOD
2 1
2 1.9
2 1.91
2 1.95
2 2.01
2 2.1
2 2.17
13 1.15
13 1.16
13 1.22
13 1.23
13 1.29
13 3.56
13 3.57
13 3.6
13 3.78
13 3.96
13 3.97
24 1.58
24 1.64
24 1.86
24 2.14
24 2.16
24 2.17
24 6.86
24 6.89
24 6.93
24 7.03
24 7.22
24 7.35
24 7.41
35 1.45
35 1.61
35 1.86
35 1.97
35 2.08
35 3.66
35 3.7
35 3.75
35 3.86
35 3.95
EOD
$boxes3 << EOD
3 1 1 1.2232305076095629 1.0005558217006412 1
14 1 1 1.8064451091668745 1.5560206857487406 1.3486990690966303
25 1.1746292632947604 1 3.535554332636772 2.904472262904142 2.501001147102201
36 1 1 3.400166402464047 2.5863004344205915 1.4552428032992846
EOD
$outside3 << EOD
3 1.23
3 1.24
3 1.26
3 1.32
3 1.34
3 1.35
14 1.82
14 1.85
14 1.88
14 1.9
25 3.55
25 3.57
25 3.58
25 3.62
25 3.67
25 3.78
25 3.8
36 3.41
36 3.7
36 3.75
36 3.86
36 3.95
EOD
$boxes4 << EOD
4 1 1 1.262365726295998 1.050382980552523 1
15 1 1 1.0876671280782955 1.0193164462543969 1
26 1 1 1.0876671280782955 1.0193164462543969 1
37 1 1 2.077126716079119 1.5491556713679464 1
EOD
$outside4 << EOD
4 1.27
4 1.28
4 1.29
4 1.33
4 1.34
4 1.35
15 1.09
15 1.1
15 1.11
26 1.09
26 1.1
26 1.11
37 2.12
37 2.15
37 2.17
37 2.18
37 2.38
EOD
$boxes5 << EOD
5 1.067475724662201 1.0001942731371454 1.8796136356797493 1.5467262317099033 1.3190646585073544
16 1 1 1.0876671280782955 1.0193164462543969 1
27 1 1 1.0876671280782955 1.0193164462543969 1
38 1.012613040243976 1 1.8584286727704877 1.4372682813569435 1.1122762618286783
EOD
$outside5 << EOD
5 1
5 1.9
5 1.91
5 1.95
5 2.01
5 2.1
5 2.17
16 1.09
16 1.1
16 1.11
27 1.09
27 1.1
27 1.11
38 1.88
38 1.89
38 1.94
38 2
EOD
$boxes6 << EOD
6 1 1 1.2232305076095629 1.0005558217006412 1
17 1 1 1.0876671280782955 1.0193164462543969 1
28 1 1 1.0876671280782955 1.0193164462543969 1
39 1 1 1.8584286727704877 1.4372682813569435 1
EOD
$outside6 << EOD
6 1.23
6 1.24
6 1.26
6 1.32
6 1.34
6 1.35
17 1.09
17 1.1
17 1.11
28 1.09
28 1.1
28 1.11
39 1.88
39 1.89
39 1.94
39 2
EOD
$boxes7 << EOD
7 1 0.9758629298778679 1.0010190622877937 1 1
18 1 1 1.2802005346005094 1.080428179908628 1
29 1 1 1.5005672143381055 1.1410317993032462 1
40 1 1 2.276459096559896 1.5534014965923517 1
EOD
$outside7 << EOD
7 0.79
7 0.8
7 0.92
7 0.95
7 0.97
7 0.98
7 1
7 1.01
18 1.29
18 1.3
18 1.36
18 1.37
18 1.38
18 1.41
18 1.45
29 1.5
29 1.51
29 1.52
29 1.63
29 1.75
29 1.82
29 1.86
40 2.45
40 2.47
40 2.48
40 2.5
40 2.72
EOD
$boxes8 << EOD
8 1 0.9509494268427793 1.0008444664430851 1 1
19 1 1 1.0307288880239958 1.0068761910528092 1
30 1 1 1.063182684994413 1.0181797782249693 1
41 1 1 1.8388309556110876 1.3743579628772098 1
EOD
$outside8 << EOD
8 0.78
8 0.8
8 0.92
8 0.94
8 0.95
8 1
8 1.01
8 1.03
19 1.03
19 1.04
19 1.05
30 1.06
30 1.07
30 1.08
41 1.84
41 1.88
41 1.91
41 1.96
41 2
EOD
$boxes9 << EOD
9 1 1 1.2232305076095629 1.0005558217006412 1
20 1 1 1.0876671280782955 1.0193164462543969 1
31 1 1 1.0876671280782955 1.0193164462543969 1
42 1 1 1.8584286727704877 1.4372682813569435 1
EOD
$outside9 << EOD
9 1.23
9 1.24
9 1.26
9 1.32
9 1.34
9 1.35
20 1.09
20 1.1
20 1.11
31 1.09
31 1.1
31 1.11
42 1.88
42 1.89
42 1.94
42 2
EOD
set title 'Large instances'
set ylabel 'cost over P4''s bound'
set logscale y
set yrange [0.8:*]
set ytics (0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 3, 4, 6, 10)
set boxwidth 0.7
set key outside right top
set xtics ('compatible' 4.5, 'incompatible' 15.5, 'clashing' 26.5, 'mixed' 37.5)
set xrange [-1:43]
plot $boxes0 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#000000' title 'fill-greedy', $boxes0 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#000000' notitle, $outside0 using 1:2 with points pt 3 ps 0.3 lc rgb '#000000' notitle, $boxes1 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#0072B2' title 'sched-mixed', $boxes1 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#0072B2' notitle, $outside1 using 1:2 with points pt 3 ps 0.3 lc rgb '#0072B2' notitle, $boxes2 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#D55E00' title 'sched-juxtapose', $boxes2 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#D55E00' notitle, $outside2 using 1:2 with points pt 3 ps 0.3 lc rgb '#D55E00' notitle, $boxes3 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#009E73' title 'best-schedule', $boxes3 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#009E73' notitle, $outside3 using 1:2 with points pt 3 ps 0.3 lc rgb '#009E73' notitle, $boxes4 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#CC79A7' title 'greedy-dedicated-mixed', $boxes4 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#CC79A7' notitle, $outside4 using 1:2 with points pt 3 ps 0.3 lc rgb '#CC79A7' notitle, $boxes5 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#56B4E9' title 'greedy-dedicated-juxtapose', $boxes5 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#56B4E9' notitle, $outside5 using 1:2 with points pt 3 ps 0.3 lc rgb '#56B4E9' notitle, $boxes6 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#E69F00' title 'greedy-dedicated-best', $boxes6 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#E69F00' notitle, $outside6 using 1:2 with points pt 3 ps 0.3 lc rgb '#E69F00' notitle, $boxes7 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#7F7F7F' title 'kind-lpt', $boxes7 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#7F7F7F' notitle, $outside7 using 1:2 with points pt 3 ps 0.3 lc rgb '#7F7F7F' notitle, $boxes8 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs solid 0.4 border lw 1.2 lc rgb '#000000' title 'auto', $boxes8 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#000000' notitle, $outside8 using 1:2 with points pt 3 ps 0.3 lc rgb '#000000' notitle, $boxes9 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs solid 0.4 border lw 1.2 lc rgb '#0072B2' title 'best of P4', $boxes9 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#0072B2' notitle, $outside9 using 1:2 with points pt 3 ps 0.3 lc rgb '#0072B2' notitle
