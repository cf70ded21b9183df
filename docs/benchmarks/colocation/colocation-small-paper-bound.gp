# Draw with: gnuplot colocation-small-paper-bound.gp
set terminal svg size 1344,460 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'colocation-small-paper-bound.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$boxes0 << EOD
0 1 1 1.4186365027951113 1.1233367046277176 1
11 1 1 1.8118569827849649 1.3148619741265153 1.0616506463374213
22 1 1 1.8118569827849649 1.3148619741265153 1.0616506463374213
33 1 1 2 1.768485657067563 1.1024690690642946
EOD
$outside0 << EOD
0 0.97
0 1.42
0 1.44
0 1.45
0 1.47
0 1.52
0 1.54
11 1.82
11 1.89
11 2.07
11 2.27
22 1.82
22 1.89
22 2.07
22 2.27
33 2.61
EOD
$boxes1 << EOD
1 1 1 1.2524700406455513 1.0479008579297648 1
12 1 1 1.6739679055821999 1.4165182635891815 1.0955631911532384
23 1 1 3.4733376262105917 2.986599912576112 2.1916468371192828
34 1 1 2.7517753387252286 2.209302971306652 1.726200924697662
EOD
$outside1 << EOD
1 1.26
1 1.27
1 1.3
1 1.35
1 1.39
1 1.44
12 1.79
12 1.83
12 1.85
12 1.88
23 3.51
23 3.64
23 3.84
34 2.76
34 2.81
34 2.95
34 4.11
EOD
$boxes2 << EOD
2 1.0265348212042626 1 1.4397835422544802 1.2538503070848257 1.1021254918237562
13 1.2630611905656077 1 2.5315087432587027 1.9954512208595734 1.5813473129467392
24 2.9442475444742087 2.166327956989247 4.620384225499493 3.8427489944736934 3.3629203100461016
35 1.8240288067650652 1.420843668831169 3.0755276304744714 2.4878270501158766 2.1266888914569915
EOD
$outside2 << EOD
2 1.44
2 1.5
2 1.57
2 1.59
2 1.65
13 2.64
13 2.65
13 2.72
13 2.88
24 1
24 4.66
24 4.82
24 4.86
24 5.29
35 1.26
35 1.28
35 1.38
35 3.09
35 3.33
35 3.6
35 3.61
EOD
$boxes3 << EOD
3 1 1 1.1625324631068124 1.024719059996452 1
14 1 1 1.6739679055821999 1.3978121780342059 1.0955631911532384
25 1 1 3.4549986599140254 2.884382062472805 2.1916468371192828
36 1 1 2.7075026624315117 2.1925745277200677 1.6948251024826781
EOD
$outside3 << EOD
3 1.16
3 1.17
3 1.2
3 1.24
3 1.28
3 1.3
14 1.79
14 1.83
14 1.85
14 1.88
25 3.46
25 3.51
25 3.63
25 3.84
36 2.74
36 2.81
36 2.95
36 3.6
EOD
$boxes4 << EOD
4 1 1 1.2524700406455513 1.0479008579297648 1
15 1 1 1.8118569827849649 1.2629928315412184 1
26 1 1 1.8118569827849649 1.2629928315412184 1
37 1 1 2 1.7544721901929845 1.12817873843236
EOD
$outside4 << EOD
4 1.26
4 1.27
4 1.3
4 1.35
4 1.39
4 1.44
15 1.82
15 1.89
15 2.07
15 2.27
26 1.82
26 1.89
26 2.07
26 2.27
37 2.41
EOD
$boxes5 << EOD
5 1.0265348212042626 1 1.4397835422544802 1.2538503070848257 1.1021254918237562
16 1 1 1.8118569827849649 1.2629928315412184 1
27 1 1 1.8118569827849649 1.2629928315412184 1
38 1.0016174716449302 1 2 1.7544721901929845 1.0991350839504253
EOD
$outside5 << EOD
5 1.44
5 1.5
5 1.57
5 1.59
5 1.65
16 1.82
16 1.89
16 2.07
16 2.27
27 1.82
27 1.89
27 2.07
27 2.27
38 2.41
EOD
$boxes6 << EOD
6 1 1 1.1625324631068124 1.024719059996452 1
17 1 1 1.8118569827849649 1.2629928315412184 1
28 1 1 1.8118569827849649 1.2629928315412184 1
39 1 1 2 1.7544721901929845 1.0991350839504253
EOD
$outside6 << EOD
6 1.16
6 1.17
6 1.2
6 1.24
6 1.28
6 1.3
17 1.82
17 1.89
17 2.07
17 2.27
28 1.82
28 1.89
28 2.07
28 2.27
39 2.41
EOD
$boxes7 << EOD
7 1 1 1.0702876420666174 1.0009548966153412 1
18 1 1 1.294550402883079 1.1413344381836261 1
29 1 1 2.648241031307551 1.5728827415250326 1.0497802046843876
40 1 1 2.3853890098157025 1.7390261974320993 1.1369011223944414
EOD
$outside7 << EOD
7 0.81
7 0.85
7 0.91
7 0.96
7 0.99
7 1.07
7 1.09
7 1.1
7 1.11
7 1.14
7 1.24
18 1.31
18 1.36
18 1.48
29 2.79
29 2.8
29 2.94
29 2.98
40 2.39
40 2.42
40 2.63
40 3.81
EOD
$boxes8 << EOD
8 1 0.9580372669271829 1.0249811328843221 1.0000114327756928 1
19 1 1 1.1964390156808904 1.0888152404568325 1
30 1 1 1.4449691245913545 1.2197769857100815 1
41 1 1 1.8943252537346518 1.4698822197811603 1.004722157292114
EOD
$outside8 << EOD
8 0.81
8 0.82
8 0.91
8 0.93
8 0.94
8 0.95
8 1.03
8 1.04
8 1.07
8 1.09
19 1.2
19 1.23
19 1.29
19 1.3
30 1.46
30 1.47
30 1.55
30 1.78
41 1.91
41 1.93
41 2
EOD
$boxes9 << EOD
9 1 1 1.121767244009284 1.0225837173989965 1
20 1 1 1.404042668213763 1.1964390156808904 1
31 1 1 1.8118569827849649 1.2629928315412184 1
42 1 1 2 1.7476677407209538 1.0788878235875907
EOD
$outside9 << EOD
9 0.97
9 1.12
9 1.16
9 1.17
9 1.2
9 1.21
20 1.61
20 1.62
20 1.79
31 1.82
31 1.89
31 2.07
31 2.27
42 2.21
EOD
set title 'Small instances'
set ylabel 'cost over P4''s bound'
set logscale y
set yrange [0.8:*]
set ytics (0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 3, 4, 6, 10)
set boxwidth 0.7
set key outside right top
set xtics ('compatible' 4.5, 'incompatible' 15.5, 'clashing' 26.5, 'mixed' 37.5)
set xrange [-1:43]
plot $boxes0 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#000000' title 'fill-greedy', $boxes0 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#000000' notitle, $outside0 using 1:2 with points pt 3 ps 0.3 lc rgb '#000000' notitle, $boxes1 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#0072B2' title 'sched-mixed', $boxes1 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#0072B2' notitle, $outside1 using 1:2 with points pt 3 ps 0.3 lc rgb '#0072B2' notitle, $boxes2 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#D55E00' title 'sched-juxtapose', $boxes2 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#D55E00' notitle, $outside2 using 1:2 with points pt 3 ps 0.3 lc rgb '#D55E00' notitle, $boxes3 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#009E73' title 'best-schedule', $boxes3 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#009E73' notitle, $outside3 using 1:2 with points pt 3 ps 0.3 lc rgb '#009E73' notitle, $boxes4 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#CC79A7' title 'greedy-dedicated-mixed', $boxes4 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#CC79A7' notitle, $outside4 using 1:2 with points pt 3 ps 0.3 lc rgb '#CC79A7' notitle, $boxes5 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#56B4E9' title 'greedy-dedicated-juxtapose', $boxes5 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#56B4E9' notitle, $outside5 using 1:2 with points pt 3 ps 0.3 lc rgb '#56B4E9' notitle, $boxes6 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#E69F00' title 'greedy-dedicated-best', $boxes6 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#E69F00' notitle, $outside6 using 1:2 with points pt 3 ps 0.3 lc rgb '#E69F00' notitle, $boxes7 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#7F7F7F' title 'kind-lpt', $boxes7 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#7F7F7F' notitle, $outside7 using 1:2 with points pt 3 ps 0.3 lc rgb '#7F7F7F' notitle, $boxes8 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#000000' title 'auto', $boxes8 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#000000' notitle, $outside8 using 1:2 with points pt 3 ps 0.3 lc rgb '#000000' notitle, $boxes9 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#0072B2' title 'best of P4', $boxes9 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#0072B2' notitle, $outside9 using 1:2 with points pt 3 ps 0.3 lc rgb '#0072B2' notitle
