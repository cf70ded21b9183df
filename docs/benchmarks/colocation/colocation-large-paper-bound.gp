# Draw with: gnuplot colocation-large-paper-bound.gp
set terminal svg size 1344,460 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'colocation-large-paper-bound.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$boxes0 << EOD
0 1 1 1.4054588530382202 1.1276373278860399 1
11 1 1 1.148669842906704 1.1168507642382617 1
22 1 1 1.148669842906704 1.1168507642382617 1
33 1 1 2.211200935810772 1.7149819358994562 1.0000000000000004
EOD
$outside0 << EOD
0 1.41
0 1.51
0 1.52
0 1.67
11 1.16
11 1.17
22 1.16
22 1.17
33 2.24
33 2.49
33 2.73
EOD
$boxes1 << EOD
1 1 1 1.2673536903128668 1.0293025509790223 1
12 1 1 1.824782895870205 1.6543407788170117 1.3768843844237577
23 1.20886119873817 1 3.529008874205908 3.15396579206437 2.8014344827586206
34 1 1 3.7466971013933983 2.4920722251722855 1.4552428032992846
EOD
$outside1 << EOD
1 1.29
1 1.34
1 1.35
12 1.83
12 1.85
12 1.88
12 1.9
23 3.57
23 3.58
23 3.62
23 3.8
34 3.9
34 4.25
34 4.35
EOD
$boxes2 << EOD
2 1.0689925846347343 1.0001768802064275 1.773043812393716 1.4983540887465965 1.2878911943779723
13 1.5230442236916908 1.2900083663519697 3.430309655605757 2.7127912840655735 2.0953159664374645
24 3.1615984502030816 2.309654831973834 6.4968834598787355 5.2269992082060055 3.7073536448479723
35 2.368465430776719 1.9334903154666678 3.6528357262584805 3.002218935604773 2.7194604862249774
EOD
$outside2 << EOD
2 1
2 1.78
2 1.87
2 2.1
2 2.17
13 1.15
13 1.16
13 1.22
13 1.23
13 3.6
13 3.78
13 3.96
13 3.97
24 2.16
24 2.17
24 2.19
24 2.3
24 6.69
24 6.86
24 6.89
24 7.03
35 1.45
35 1.61
35 1.86
35 3.7
35 3.75
35 3.86
EOD
$boxes3 << EOD
3 1 1 1.2213611213821567 1.0005482249478288 1
14 1 1 1.821419301539617 1.5561765976895747 1.3438285820857043
25 1.20886119873817 1 3.529008874205908 2.9777989684141204 2.514224093538909
36 1 1 3.508990827051204 2.4920722251722855 1.4552428032992846
EOD
$outside3 << EOD
3 1.26
3 1.32
3 1.34
3 1.35
14 1.82
14 1.85
14 1.88
14 1.9
25 3.57
25 3.58
25 3.62
25 3.8
36 3.7
36 3.75
36 3.86
EOD
$boxes4 << EOD
4 1 1 1.2673536903128668 1.0293025509790223 1
15 1 1 1.0935007343764935 1.0201588081788848 1
26 1 1 1.0935007343764935 1.0201588081788848 1
37 1 1 2.035074988173708 1.5364242226203035 1
EOD
$outside4 << EOD
4 1.29
4 1.34
4 1.35
15 1.1
15 1.11
26 1.1
26 1.11
37 2.12
37 2.18
37 2.38
EOD
$boxes5 << EOD
5 1.0689925846347343 1.0001768802064275 1.773043812393716 1.4983540887465965 1.2878911943779723
16 1 1 1.0935007343764935 1.0201588081788848 1
27 1 1 1.0935007343764935 1.0201588081788848 1
38 1.0205963285235282 1 1.8402686738136012 1.4372682813569435 1.0975205278464395
EOD
$outside5 << EOD
5 1
5 1.78
5 1.87
5 2.1
5 2.17
16 1.1
16 1.11
27 1.1
27 1.11
38 1.88
38 1.94
38 2
EOD
$boxes6 << EOD
6 1 1 1.2213611213821567 1.0005482249478288 1
17 1 1 1.0935007343764935 1.0201588081788848 1
28 1 1 1.0935007343764935 1.0201588081788848 1
39 1 1 1.8402686738136012 1.4372682813569435 1
EOD
$outside6 << EOD
6 1.26
6 1.32
6 1.34
6 1.35
17 1.1
17 1.11
28 1.1
28 1.11
39 1.88
39 1.94
39 2
EOD
$boxes7 << EOD
7 1 0.9530987025846014 1.0009926354644496 1 1
18 1 1 1.27459757379777 1.0726965724380488 1
29 1 1 1.4472475629040744 1.1181904632522754 1
40 1 1 1.9632853802114039 1.5748897942009115 1
EOD
$outside7 << EOD
7 0.79
7 0.8
7 0.92
7 1
7 1.01
18 1.3
18 1.36
18 1.37
18 1.45
29 1.46
29 1.5
29 1.51
29 1.82
40 2.05
40 2.07
40 2.72
EOD
$boxes8 << EOD
8 1 0.942642928419146 1.0000065880985844 1 1
19 1 1 1.0261435398222132 1.0047117293303633 1
30 1 1 1.0619312957470781 1.0192271592024853 1
41 1 1 1.8384929743710259 1.3688919430542796 1
EOD
$outside8 << EOD
8 0.78
8 0.8
8 0.92
8 1
8 1.01
19 1.03
19 1.04
30 1.06
30 1.07
30 1.08
41 1.88
41 1.91
41 1.96
EOD
$boxes9 << EOD
9 1 1 1.2213611213821567 1.0005482249478288 1
20 1 1 1.0935007343764935 1.0201588081788848 1
31 1 1 1.0935007343764935 1.0201588081788848 1
42 1 1 1.8402686738136012 1.4372682813569435 1
EOD
$outside9 << EOD
9 1.26
9 1.32
9 1.34
9 1.35
20 1.1
20 1.11
31 1.1
31 1.11
42 1.88
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
plot $boxes0 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#000000' title 'fill-greedy', $boxes0 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#000000' notitle, $outside0 using 1:2 with points pt 3 ps 0.3 lc rgb '#000000' notitle, $boxes1 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#0072B2' title 'sched-mixed', $boxes1 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#0072B2' notitle, $outside1 using 1:2 with points pt 3 ps 0.3 lc rgb '#0072B2' notitle, $boxes2 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#D55E00' title 'sched-juxtapose', $boxes2 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#D55E00' notitle, $outside2 using 1:2 with points pt 3 ps 0.3 lc rgb '#D55E00' notitle, $boxes3 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#009E73' title 'best-schedule', $boxes3 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#009E73' notitle, $outside3 using 1:2 with points pt 3 ps 0.3 lc rgb '#009E73' notitle, $boxes4 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#CC79A7' title 'greedy-dedicated-mixed', $boxes4 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#CC79A7' notitle, $outside4 using 1:2 with points pt 3 ps 0.3 lc rgb '#CC79A7' notitle, $boxes5 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#56B4E9' title 'greedy-dedicated-juxtapose', $boxes5 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#56B4E9' notitle, $outside5 using 1:2 with points pt 3 ps 0.3 lc rgb '#56B4E9' notitle, $boxes6 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#E69F00' title 'greedy-dedicated-best', $boxes6 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#E69F00' notitle, $outside6 using 1:2 with points pt 3 ps 0.3 lc rgb '#E69F00' notitle, $boxes7 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#7F7F7F' title 'kind-lpt', $boxes7 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#7F7F7F' notitle, $outside7 using 1:2 with points pt 3 ps 0.3 lc rgb '#7F7F7F' notitle, $boxes8 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#000000' title 'auto', $boxes8 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#000000' notitle, $outside8 using 1:2 with points pt 3 ps 0.3 lc rgb '#000000' notitle, $boxes9 using 1:2:3:4:5 with candlesticks whiskerbars 0.5 lw 1.2 lc rgb '#0072B2' title 'best of P4', $boxes9 using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb '#0072B2' notitle, $outside9 using 1:2 with points pt 3 ps 0.3 lc rgb '#0072B2' notitle
