# Draw with: gnuplot figure6-threshold.gp
set terminal svg size 1000,458 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure6-threshold.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$class0 << EOD
-0.2 10.46042003231018 0.006278239 10.401857835218092 9.1
0.8 9.915185783521817 0.009744371 10.226171243941844 9.7
1.8 10.197899838449121 0.11814722600000001 NaN NaN
2.8 9.248788368336026 0.014077397 9.295234248788365 13.4
3.8 8.642972536348958 0.022085998 8.743941841680131 194.9
4.8 7.875605815831976 0.147284507 NaN NaN
5.8 5.694668820678506 0.991510833 NaN NaN
6.8 2.463651050080773 0.09236282 2.526252019386106 128.9
7.8 2.100161550888524 0.166049128 2.205169628432957 218.1
8.8 0.20193861066235552 9.980976821 NaN NaN
EOD
$class1 << EOD
0 10.31906300484653 0.0077822130000000005 10.268578352180935 19.1
1 9.71324717285944 0.029549355 10.038368336025846 34.4
2 10.05654281098547 0.372752243 NaN NaN
3 9.57189014539579 0.017176362 9.62439418416801 23
4 9.410339256865917 0.027999532 9.133683360258479 194.2
5 8.259289176090467 0.197054968 NaN NaN
6 6.4620355411954655 1.242335529 NaN NaN
7 10.31906300484653 0.044403451999999996 7.239499192245558 173
8 8.824717285945072 0.22857966 7.065831987075928 457.5
9 0.24232633279483995 9.979560288 NaN NaN
EOD
$class2 << EOD
0.2 10.31906300484653 0.007814482 10.117124394184167 31.1
1.2 9.915185783521817 0.058713215000000006 9.91518578352181 81.3
2.2 9.632471728594517 0.768098334 NaN NaN
3.2 10.09693053311793 0.020342396 10.040387722132474 35.2
4.2 10.298869143780287 0.036330595 9.699111470113083 200.4
5.2 8.966074313408722 0.252106028 NaN NaN
6.2 7.148626817447501 1.487148934 NaN NaN
7.2 10.31906300484653 0.033966838 10.117124394184167 59.5
8.2 10.31906300484653 0.120242082 10.117124394184167 59.5
9.2 0.40387722132471104 9.978932560999999 NaN NaN
EOD
set multiplot title 'Figure 6: by density of affinity limits, 98 periods, threshold graph (hollow: as published)'
set tmargin at screen 0.8646288209606987
set bmargin at screen 0.1222707423580786
set yrange [10-0.5:-0.5]
set key at screen 0.97,0.925764192139738 right top horizontal maxrows 1 samplen 1
set ytics ('ff' 0, 'medea-tp' 1, 'medea-nc' 2, 'bfd-avg' 3, 'wfd-avgexp' 4, 'ncd-dotproduct' 5, 'lrasched-fitness' 6, 'spread-wfd-avg-decr2' 7, 'spread-wfd-avg-binsearch' 8, 'auto, 10 s' 9)
set lmargin at screen 0.23
set rmargin at screen 0.60
set xlabel 'nodes above the bound, %'
set xrange [0:*]
plot $class0 using 2:1 with points pt 7 ps 0.8 lc rgb '#0072B2' title '1 %', $class0 using 4:1 with points pt 6 ps 0.8 lc rgb '#0072B2' notitle, $class1 using 2:1 with points pt 7 ps 0.8 lc rgb '#D55E00' title '5 %', $class1 using 4:1 with points pt 6 ps 0.8 lc rgb '#D55E00' notitle, $class2 using 2:1 with points pt 7 ps 0.8 lc rgb '#009E73' title '10 %', $class2 using 4:1 with points pt 6 ps 0.8 lc rgb '#009E73' notitle
set lmargin at screen 0.65
set rmargin at screen 0.97
set format y ''
set ytics ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5, '' 6, '' 7, '' 8, '' 9)
set xlabel 'time'
set logscale x
set xrange [1e-3:1e3]
set xtics ('1 ms' 1e-3, '10 ms' 1e-2, '100 ms' 1e-1, '1 s' 1e0, '10 s' 1e1, '100 s' 1e2, '1k s' 1e3) font ',10'
plot $class0 using 3:1 with points pt 7 ps 0.8 lc rgb '#0072B2' notitle, $class0 using 5:1 with points pt 6 ps 0.8 lc rgb '#0072B2' notitle, $class1 using 3:1 with points pt 7 ps 0.8 lc rgb '#D55E00' notitle, $class1 using 5:1 with points pt 6 ps 0.8 lc rgb '#D55E00' notitle, $class2 using 3:1 with points pt 7 ps 0.8 lc rgb '#009E73' notitle, $class2 using 5:1 with points pt 6 ps 0.8 lc rgb '#009E73' notitle
unset multiplot
