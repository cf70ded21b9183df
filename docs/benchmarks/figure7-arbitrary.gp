# Draw with: gnuplot figure7-arbitrary.gp
set terminal svg size 1000,458 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure7-arbitrary.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$class0 << EOD
-0.2 5.3020134228187965 0.006284368 5.345552187590561 5.3
0.8 5.234899328859055 0.007555755 5.34764055697595 5
1.8 5.346756152125276 0.098349954 NaN NaN
2.8 5.055928411633115 0.012362959 4.865747906924782 6.1
3.8 4.944071588366894 0.017169361 4.666831980132964 155.5
4.8 3.5794183445190253 0.090973886 NaN NaN
5.8 2.997762863534681 0.828472737 NaN NaN
6.8 3.3109619686800817 0.054630774 4.341318064761568 36.7
7.8 3.0201342281879207 0.165799386 3.157344185383193 157.8
8.8 0.06711409395974144 9.979530503 NaN NaN
EOD
$class1 << EOD
0 6.0447026849725916 0.041649442 5.930908145848675 260.3
1 6.0775033972166215 0.057801504999999996 5.971618283730988 259.7
2 5.950986364275335 3.171579144 NaN NaN
3 5.730753010636813 0.084102243 5.679596560585039 326.9
4 5.6136076097652365 0.11085792900000001 5.600095674017489 5392.5
5 4.287521671899164 0.572602022 NaN NaN
6 2.9380066538587712 4.514839509 NaN NaN
7 4.048545054121178 0.442822727 4.128851251650563 1905.1
8 3.725223747715667 1.5684025050000001 3.695863557780203 6888.3
9 0.49669649969541485 9.898471703 NaN NaN
EOD
$class2 << EOD
0.2 5.9259259259259345 0.104023911 6.100596537127121 832
1.2 5.911771644255714 0.133734857 6.102126716215543 829.2
2.2 5.892899268695451 16.609496769 NaN NaN
3.2 5.895258315640484 0.223959666 5.924591717260162 1090.7
4.2 5.852795470629868 0.276456535 5.82144881152004 17492.6
5.2 4.251002594951636 1.234852222 NaN NaN
6.2 2.6303373437131405 10.103043598 NaN NaN
7.2 3.9278131634819635 1.3174188629999999 4.299625687321922 9088.8
8.2 3.7579617834395007 5.213160746 3.7688642967521147 38942.6
9.2 0.9554140127388644 9.735279617 NaN NaN
EOD
set multiplot title 'Figure 7: by number of apps, 98 periods, density 0.5 %, arbitrary graph (hollow: as published)'
set tmargin at screen 0.8646288209606987
set bmargin at screen 0.1222707423580786
set yrange [10-0.5:-0.5]
set key at screen 0.97,0.925764192139738 right top horizontal maxrows 1 samplen 1
set ytics ('ff' 0, 'medea-tp' 1, 'medea-nc' 2, 'bfd-avg' 3, 'wfd-avgexp' 4, 'ncd-dotproduct' 5, 'lrasched-fitness' 6, 'spread-wfd-avg-decr2' 7, 'spread-wfd-avg-binsearch' 8, 'auto, 10 s' 9)
set lmargin at screen 0.23
set rmargin at screen 0.60
set xlabel 'nodes above the bound, %'
set xrange [0:*]
plot $class0 using 2:1 with points pt 7 ps 0.8 lc rgb '#0072B2' title '10,000 apps', $class0 using 4:1 with points pt 6 ps 0.8 lc rgb '#0072B2' notitle, $class1 using 2:1 with points pt 7 ps 0.8 lc rgb '#D55E00' title '50,000 apps', $class1 using 4:1 with points pt 6 ps 0.8 lc rgb '#D55E00' notitle, $class2 using 2:1 with points pt 7 ps 0.8 lc rgb '#009E73' title '100,000 apps', $class2 using 4:1 with points pt 6 ps 0.8 lc rgb '#009E73' notitle
set lmargin at screen 0.65
set rmargin at screen 0.97
set format y ''
set ytics ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5, '' 6, '' 7, '' 8, '' 9)
set xlabel 'time'
set logscale x
set xrange [1e-3:1e5]
set xtics ('1 ms' 1e-3, '10 ms' 1e-2, '100 ms' 1e-1, '1 s' 1e0, '10 s' 1e1, '100 s' 1e2, '1k s' 1e3, '10k s' 1e4, '100k s' 1e5) font ',10'
plot $class0 using 3:1 with points pt 7 ps 0.8 lc rgb '#0072B2' notitle, $class0 using 5:1 with points pt 6 ps 0.8 lc rgb '#0072B2' notitle, $class1 using 3:1 with points pt 7 ps 0.8 lc rgb '#D55E00' notitle, $class1 using 5:1 with points pt 6 ps 0.8 lc rgb '#D55E00' notitle, $class2 using 3:1 with points pt 7 ps 0.8 lc rgb '#009E73' notitle, $class2 using 5:1 with points pt 6 ps 0.8 lc rgb '#009E73' notitle
unset multiplot
