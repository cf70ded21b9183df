# Draw with: gnuplot colocation-small-paper-bound.gp
set terminal svg size 1344,460 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'colocation-small-paper-bound.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$boxes0 << EOD
0 1 1 1.3902638792368167 1.1214272220407575 1
11 1 1 1.7968020286987851 1.2754044981691246 1
22 1 1 1.7968020286987851 1.2754044981691246 1
33 1 1 2 1.751769111035262 1.0536180623872766
EOD
$outside0 << EOD
0 0.97
0 1.4
0 1.41
0 1.42
0 1.44
0 1.45
0 1.47
0 1.5
0 1.52
0 1.54
11 1.81
11 1.82
11 1.89
11 1.97
11 2.07
11 2.21
11 2.27
22 1.81
22 1.82
22 1.89
22 1.97
22 2.07
22 2.21
22 2.27
33 2.61
EOD
$boxes1 << EOD
1 1 1 1.197256743813784 1.02618799675714 1
12 1 1 1.6230792789813573 1.3664800602959952 1
23 1 1 3.4487263888523665 2.880915855824901 1.7795301977552112
34 1 1 2.7473764290648863 2.1052645727221275 1.3921195311203323
EOD
$outside1 << EOD
1 1.23
1 1.25
1 1.26
1 1.27
1 1.3
1 1.31
1 1.35
1 1.39
1 1.44
12 1.63
12 1.67
12 1.78
12 1.79
12 1.83
12 1.85
12 1.88
23 3.46
23 3.47
23 3.51
23 3.64
23 3.75
23 3.84
34 2.76
34 2.81
34 2.92
34 2.95
34 3.08
34 4.11
EOD
$boxes2 << EOD
2 1.0240462150147653 1 1.4601773252373456 1.2455683364064365 1.098584567198563
13 1.2668901192283537 1 2.5295575944949595 2.0338133916473566 1.5765417836568252
24 2.7881661168251504 1 4.70628392134777 3.8585855176835877 3.3822748538011695
35 1.781081927691318 1.278316132812687 2.9559435180563747 2.4924314447866878 2.1266888914569915
EOD
$outside2 << EOD
2 1.5
2 1.57
2 1.59
2 1.61
2 1.63
2 1.65
13 2.53
13 2.64
13 2.65
13 2.72
13 2.74
13 2.88
13 3.01
24 4.82
24 4.86
24 4.92
24 5.21
24 5.29
24 5.5
24 5.66
35 1
35 1.01
35 1.02
35 1.04
35 1.26
35 3.07
35 3.08
35 3.09
35 3.33
35 3.6
35 3.61
EOD
$boxes3 << EOD
3 1 1 1.1632980171781242 1.0218729265738462 1
14 1 1 1.6185864332261564 1.3249800316191043 1
25 1 1 3.373943047290395 2.6622817471922557 1.7753985168359165
36 1 1 2.7418850543536295 2.096452045255628 1.3921195311203323
EOD
$outside3 << EOD
3 1.17
3 1.18
3 1.2
3 1.23
3 1.24
3 1.28
3 1.3
3 1.31
14 1.62
14 1.67
14 1.78
14 1.79
14 1.83
14 1.85
14 1.88
25 3.39
25 3.45
25 3.46
25 3.51
25 3.63
25 3.75
25 3.84
36 2.74
36 2.75
36 2.81
36 2.95
36 3.08
36 3.6
EOD
$boxes4 << EOD
4 1 1 1.197256743813784 1.02618799675714 1
15 1 1 1.7968020286987851 1.2268404938995807 1
26 1 1 1.7968020286987851 1.2268404938995807 1
37 1 1 2 1.6654675905250098 1.0581109106772306
EOD
$outside4 << EOD
4 1.23
4 1.25
4 1.26
4 1.27
4 1.3
4 1.31
4 1.35
4 1.39
4 1.44
15 1.81
15 1.82
15 1.89
15 1.97
15 2.07
15 2.21
15 2.27
26 1.81
26 1.82
26 1.89
26 1.97
26 2.07
26 2.21
26 2.27
37 2.41
EOD
$boxes5 << EOD
5 1.0240462150147653 1 1.4601773252373456 1.2455683364064365 1.098584567198563
16 1 1 1.7968020286987851 1.2268404938995807 1
27 1 1 1.7968020286987851 1.2268404938995807 1
38 1.0009804640244981 1 2 1.6694222299830535 1.0934116383451844
EOD
$outside5 << EOD
5 1.5
5 1.57
5 1.59
5 1.61
5 1.63
5 1.65
16 1.81
16 1.82
16 1.89
16 1.97
16 2.07
16 2.21
16 2.27
27 1.81
27 1.82
27 1.89
27 1.97
27 2.07
27 2.21
27 2.27
38 2.41
EOD
$boxes6 << EOD
6 1 1 1.1632980171781242 1.0218729265738462 1
17 1 1 1.7968020286987851 1.2268404938995807 1
28 1 1 1.7968020286987851 1.2268404938995807 1
39 1 1 2 1.6485085693582433 1.0420450519587987
EOD
$outside6 << EOD
6 1.17
6 1.18
6 1.2
6 1.23
6 1.24
6 1.28
6 1.3
6 1.31
17 1.81
17 1.82
17 1.89
17 1.97
17 2.07
17 2.21
17 2.27
28 1.81
28 1.82
28 1.89
28 1.97
28 2.07
28 2.21
28 2.27
39 2.41
EOD
$boxes7 << EOD
7 1 1 1.0656188849533403 1.000584815723753 1
18 1 1 1.3545450462641484 1.0982228370596259 1
29 1 1 2.6571735463726682 1.5327479350342532 1
40 1 1 2.380601319682574 1.5555622052973446 1.0026421543241844
EOD
$outside7 << EOD
7 0.81
7 0.85
7 0.91
7 0.96
7 0.99
7 1.07
7 1.08
7 1.09
7 1.1
7 1.11
7 1.14
7 1.17
7 1.24
18 1.36
18 1.38
18 1.39
18 1.4
18 1.48
29 2.68
29 2.79
29 2.8
29 2.94
29 2.98
29 3.04
29 3.37
40 2.39
40 2.42
40 2.63
40 2.74
40 2.89
40 3.81
EOD
$boxes8 << EOD
8 1 1 1.0230761693341508 1.0000010179914423 1
19 1 1 1.1824220572934303 1.0668194735610945 1
30 1 1 1.4049140075071975 1.1963601834233235 1
41 1 1 1.9303660036655375 1.4064448232383455 1
EOD
$outside8 << EOD
8 0.81
8 0.82
8 0.91
8 0.93
8 0.94
8 0.95
8 0.97
8 1
8 1.03
8 1.04
8 1.07
8 1.09
8 1.16
19 1.2
19 1.23
19 1.24
19 1.29
19 1.3
30 1.41
30 1.44
30 1.45
30 1.46
30 1.47
30 1.55
30 1.78
41 1.94
41 1.97
41 1.98
41 2
EOD
$boxes9 << EOD
9 1 1 1.1616826900474655 1.0171957921523322 1
20 1 1 1.401838847242066 1.184729667150174 1
31 1 1 1.7968020286987851 1.2268404938995807 1
42 1 1 2 1.5686681227424457 1.0359837090943116
EOD
$outside9 << EOD
9 0.97
9 1.16
9 1.17
9 1.18
9 1.2
9 1.21
9 1.23
9 1.31
20 1.4
20 1.51
20 1.56
20 1.61
20 1.62
20 1.79
31 1.81
31 1.82
31 1.89
31 1.94
31 1.97
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
plot $boxes0 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#000000' title 'fill-greedy', $boxes0 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#000000' notitle, $outside0 using 1:2 with points pt 3 ps 0.3 lc rgb '#000000' notitle, $boxes1 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#0072B2' title 'sched-mixed', $boxes1 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#0072B2' notitle, $outside1 using 1:2 with points pt 3 ps 0.3 lc rgb '#0072B2' notitle, $boxes2 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#D55E00' title 'sched-juxtapose', $boxes2 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#D55E00' notitle, $outside2 using 1:2 with points pt 3 ps 0.3 lc rgb '#D55E00' notitle, $boxes3 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#009E73' title 'best-schedule', $boxes3 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#009E73' notitle, $outside3 using 1:2 with points pt 3 ps 0.3 lc rgb '#009E73' notitle, $boxes4 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#CC79A7' title 'greedy-dedicated-mixed', $boxes4 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#CC79A7' notitle, $outside4 using 1:2 with points pt 3 ps 0.3 lc rgb '#CC79A7' notitle, $boxes5 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#56B4E9' title 'greedy-dedicated-juxtapose', $boxes5 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#56B4E9' notitle, $outside5 using 1:2 with points pt 3 ps 0.3 lc rgb '#56B4E9' notitle, $boxes6 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#E69F00' title 'greedy-dedicated-best', $boxes6 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#E69F00' notitle, $outside6 using 1:2 with points pt 3 ps 0.3 lc rgb '#E69F00' notitle, $boxes7 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs empty lw 1.2 lc rgb '#7F7F7F' title 'kind-lpt', $boxes7 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#7F7F7F' notitle, $outside7 using 1:2 with points pt 3 ps 0.3 lc rgb '#7F7F7F' notitle, $boxes8 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs solid 0.4 border lw 1.2 lc rgb '#000000' title 'auto', $boxes8 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#000000' notitle, $outside8 using 1:2 with points pt 3 ps 0.3 lc rgb '#000000' notitle, $boxes9 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs solid 0.4 border lw 1.2 lc rgb '#0072B2' title 'best of P4', $boxes9 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#0072B2' notitle, $outside9 using 1:2 with points pt 3 ps 0.3 lc rgb '#0072B2' notitle
