# Draw with: gnuplot figure4-arbitrary.gp
set terminal svg size 1000,526 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure4-arbitrary.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$class0 << EOD
-0.2 12.266561824257916 0.00148105 12.21741694515431 3.7
0.8 12.522115195596628 0.001855159 12.195793198348733 3.7
1.8 12.32553567918222 0.104987849 12.268527619422057 512.1
2.8 13.288775309612744 0.003566783 12.21741694515431 4.5
3.8 14.291330843326122 0.006057239 10.739138981718103 26.3
4.8 12.89561627678395 0.003756966 11.637507371731862 15.8
5.8 12.463141340672301 0.011863073 11.637507371731862 13.7
6.8 2.339296245331246 0.035652502999999995 5.199528209160602 121.2
7.8 0.9435816787890738 0.055864074 4.472183998427363 225.4
8.8 12.266561824257916 0.140854261 NaN NaN
9.8 0 0.020715132 NaN NaN
10.8 0 0.020228796 NaN NaN
EOD
$class1 << EOD
0 12.168272066050712 0.002433822 12.148614114409277 16.4
1 12.266561824257916 0.002250398 12.30587772754079 16.2
2 11.9520345979949 0.26748209300000003 12.622370748967956 3200.1
3 13.328091212895622 0.004246788 12.148614114409277 17.3
4 14.310988794967571 0.006970612 10.68213092195793 41.4
5 12.9152742284254 0.004702718 11.466483192451346 34.1
6 12.48279929231375 0.012501736000000001 11.466483192451346 30.3
7 2.241006487124042 0.06894199 5.331236485158246 340.3
8 0.9239237271476242 0.106063113 4.395517987025754 652.8
9 12.168272066050712 0.138235123 NaN NaN
10 0 0.068625848 NaN NaN
11 0 0.06835638499999999 NaN NaN
EOD
$class2 << EOD
0.2 11.991350501277775 0.002382455 12.050324356202083 32.8
1.2 12.227245920975038 0.005170065000000001 12.101435030469828 32.8
2.2 11.617849420090431 0.499298183 12.938863770395123 8004.9
3.2 13.406723019461374 0.006597155 12.050324356202083 34.4
4.2 14.527226263023385 0.008728834999999999 10.703754668763514 61.1
5.2 13.013563986632604 0.006698446 11.379988205229019 62.2
6.2 12.699036760369564 0.014664864 11.379988205229019 55.6
7.2 2.0640849223510838 0.10859142599999999 5.633968940436407 622.2
8.2 1.9854531157853295 0.184337306 4.629447611558879 1214.6
9.2 11.991350501277775 0.157531368 NaN NaN
10.2 0 0.146418134 NaN NaN
11.2 0 0.145799231 NaN NaN
EOD
set multiplot title 'Figure 4: by density of affinity limits, static demand, arbitrary graph (hollow: as published)'
set tmargin at screen 0.8821292775665399
set bmargin at screen 0.10646387832699619
set yrange [12-0.5:-0.5]
set key at screen 0.97,0.935361216730038 right top horizontal maxrows 1 samplen 1
set ytics ('ff' 0, 'medea-tp' 1, 'medea-nc' 2, 'bfd-avg' 3, 'wfd-avgexp' 4, 'ncd-dotproduct' 5, 'lrasched-fitness' 6, 'spread-wfd-avg-decr2' 7, 'spread-wfd-avg-binsearch' 8, 'match-tightfill-binsearch' 9, 'auto, 1 s' 10, 'auto, 10 s' 11)
set lmargin at screen 0.23
set rmargin at screen 0.60
set xlabel 'nodes above the bound, %'
set xrange [0:*]
plot $class0 using 2:1 with points pt 7 ps 0.8 lc rgb '#0072B2' title '1 %', $class0 using 4:1 with points pt 6 ps 0.8 lc rgb '#0072B2' notitle, $class1 using 2:1 with points pt 7 ps 0.8 lc rgb '#D55E00' title '5 %', $class1 using 4:1 with points pt 6 ps 0.8 lc rgb '#D55E00' notitle, $class2 using 2:1 with points pt 7 ps 0.8 lc rgb '#009E73' title '10 %', $class2 using 4:1 with points pt 6 ps 0.8 lc rgb '#009E73' notitle
set lmargin at screen 0.65
set rmargin at screen 0.97
set format y ''
set ytics ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5, '' 6, '' 7, '' 8, '' 9, '' 10, '' 11)
set xlabel 'time'
set logscale x
set xrange [1e-3:1e4]
set xtics ('1 ms' 1e-3, '10 ms' 1e-2, '100 ms' 1e-1, '1 s' 1e0, '10 s' 1e1, '100 s' 1e2, '1k s' 1e3, '10k s' 1e4) font ',10'
plot $class0 using 3:1 with points pt 7 ps 0.8 lc rgb '#0072B2' notitle, $class0 using 5:1 with points pt 6 ps 0.8 lc rgb '#0072B2' notitle, $class1 using 3:1 with points pt 7 ps 0.8 lc rgb '#D55E00' notitle, $class1 using 5:1 with points pt 6 ps 0.8 lc rgb '#D55E00' notitle, $class2 using 3:1 with points pt 7 ps 0.8 lc rgb '#009E73' notitle, $class2 using 5:1 with points pt 6 ps 0.8 lc rgb '#009E73' notitle
unset multiplot
