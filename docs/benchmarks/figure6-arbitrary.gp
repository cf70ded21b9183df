# Draw with: gnuplot figure6-arbitrary.gp
set terminal svg size 1000,458 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure6-arbitrary.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$class0 << EOD
-0.2 10.339256865912771 0.008092986 10.426090468497575 9
0.8 10.31906300484653 0.009029493999999999 10.044426494345718 8.3
1.8 9.57189014539579 0.11219539499999999 NaN NaN
2.8 9.208400646203563 0.015947728 9.188206785137321 14
3.8 8.723747980613883 0.023751694 8.677302100161551 213.6
4.8 7.815024232633272 0.15397270799999999 NaN NaN
5.8 5.634087237479801 0.9911184670000001 NaN NaN
6.8 2.342487883683364 0.102286398 2.34854604200323 136
7.8 2.079967689822304 0.182137947 2.4273021001615547 224.9
8.8 0.20193861066235552 9.979726866 NaN NaN
EOD
$class1 << EOD
0 10.197899838449121 0.007424009 10.250403877221318 23.3
1 9.995961227786744 0.009551183 9.923263327948302 23
2 9.894991922455576 0.276064551 NaN NaN
3 9.188206785137321 0.018367789000000002 9.230613893376411 28.8
4 8.865105008077535 0.026492264 8.818659127625201 246
5 7.855411954765756 0.18231192699999998 NaN NaN
6 5.755250403877232 1.136527686 NaN NaN
7 2.201130856219713 0.13543586600000002 2.9806138933764137 369.4
8 2.100161550888524 0.24596224 2.6373182552504093 634.3
9 0.3029079159935444 9.979040071999998 NaN NaN
EOD
$class2 << EOD
0.2 9.95557350565428 0.00838358 10.04644588045234 38.3
1.2 10.117124394184174 0.0119415 9.890953150242328 38.1
2.2 9.693053311793221 0.526359586 NaN NaN
3.2 9.43053311793214 0.023926475 9.450726978998384 44.6
4.2 9.188206785137321 0.031291956 9.174071082390952 252.3
5.2 8.03715670436187 0.243634596 NaN NaN
6.2 5.876413570274641 1.349393608 NaN NaN
7.2 3.9579967689822304 0.140810727 4.190226171243945 534.5
8.2 3.150242326332786 0.295716647 3.0149434571890166 1058.1
9.2 0.4846526655896577 9.977959099 NaN NaN
EOD
set multiplot title 'Figure 6: by density of affinity limits, 98 periods, arbitrary graph (hollow: as published)'
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
set xrange [1e-3:1e4]
set xtics ('1 ms' 1e-3, '10 ms' 1e-2, '100 ms' 1e-1, '1 s' 1e0, '10 s' 1e1, '100 s' 1e2, '1k s' 1e3, '10k s' 1e4) font ',10'
plot $class0 using 3:1 with points pt 7 ps 0.8 lc rgb '#0072B2' notitle, $class0 using 5:1 with points pt 6 ps 0.8 lc rgb '#0072B2' notitle, $class1 using 3:1 with points pt 7 ps 0.8 lc rgb '#D55E00' notitle, $class1 using 5:1 with points pt 6 ps 0.8 lc rgb '#D55E00' notitle, $class2 using 3:1 with points pt 7 ps 0.8 lc rgb '#009E73' notitle, $class2 using 5:1 with points pt 6 ps 0.8 lc rgb '#009E73' notitle
unset multiplot
