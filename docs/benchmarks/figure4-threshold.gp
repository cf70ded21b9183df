# Draw with: gnuplot figure4-threshold.gp
set terminal svg size 1000,526 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure4-threshold.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$class0 << EOD
-0.2 12.266561824257916 0.001198949 12.195793198348733 3
0.8 11.873402791429143 0.0021918709999999998 12.33143306467466 4.4
1.8 12.168272066050712 0.110690419 12.351091016316095 137.8
2.8 13.328091212895622 0.003185133 12.195793198348733 3.8
3.8 14.271672891684695 0.005659315 10.74307057204639 23.3
4.8 12.875958325142523 0.003360095 11.598191468448986 12.7
5.8 12.463141340672301 0.010524806000000001 11.598191468448986 11.6
6.8 2.339296245331246 0.035044876 4.375860035384314 118.4
7.8 1.0811873402791328 0.060799158000000006 3.6288578730096317 213.7
8.8 12.266561824257916 0.127416338 NaN NaN
9.8 0 0.017613364 NaN NaN
10.8 0 0.017654675 NaN NaN
EOD
$class1 << EOD
0 12.18793001769216 0.0017000869999999999 12.08374287399253 15.3
1 12.030666404560652 0.014451426 12.162374680558283 31.1
2 12.463141340672301 0.32962761 12.246903872616473 1394
3 13.642618439158639 0.004110914 12.08374287399253 16.3
4 14.684489876154894 0.0074184210000000006 10.642815018675053 38.5
5 13.151169648122663 0.00403403 11.492038529585216 30.3
6 12.738352663652442 0.011431058 11.492038529585216 27.8
7 12.18793001769216 0.014602200000000001 6.870454098682917 339.4
8 10.222134853548258 0.121671095 6.091999213681938 780.1
9 12.18793001769216 0.141642918 NaN NaN
10 0 0.09360252 NaN NaN
11 0 0.093507087 NaN NaN
EOD
$class2 << EOD
0.2 12.089640259484957 0.002387102 11.92058187536859 29.8
1.2 11.794770984863368 0.038800089 12.142716728916847 85.8
2.2 12.011008452919203 0.685646073 12.115195596618836 4929.5
3.2 14.232356988401818 0.007110951 11.92058187536859 30.7
4.2 15.03833300570081 0.010812004 10.591704344407312 55.1
5.2 13.681934342441515 0.0058503999999999995 11.372125024572444 49.4
6.2 13.229801454688417 0.014321251 11.372125024572444 46.3
7.2 12.089640259484957 0.010174622999999999 10.517004128169845 412.9
8.2 12.089640259484957 0.058060492 9.681541183408687 1353.1
9.2 12.089640259484957 0.155949367 NaN NaN
10.2 0 0.242115309 NaN NaN
11.2 0 0.24239706 NaN NaN
EOD
set multiplot title 'Figure 4: by density of affinity limits, static demand, threshold graph (hollow: as published)'
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
