# Draw with: gnuplot figure4-normal.gp
set terminal svg size 1000,526 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure4-normal.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$class0 << EOD
-0.2 12.246903872616466 0.001437806 12.229211716139174 3.7
0.8 12.32553567918222 0.00200371 12.215451149990168 3.6
1.8 12.109298211126408 0.1046601 12.19579319834873 465.5
2.8 13.288775309612744 0.003418622 12.229211716139174 4.5
3.8 14.330646746608998 0.006192661 10.748967957538827 26
4.8 12.934932180066827 0.0037630660000000002 11.564772950658538 15.4
5.8 12.48279929231375 0.011366040999999999 11.564772950658538 13.4
6.8 2.3196382936897963 0.03583854 4.810300766660109 126.1
7.8 0.9042657755061967 0.055243367 4.214664831924515 233.6
8.8 12.246903872616466 0.136566944 NaN NaN
9.8 0 0.021008289 NaN NaN
10.8 0 0.020564157 NaN NaN
EOD
$class1 << EOD
0 12.128956162767835 0.002025683 12.142716728916847 16.6
1 12.227245920975038 0.003046766 12.121092982111263 16.5
2 12.109298211126408 0.26305507699999997 12.355022606644386 2674.6
3 13.308433261254171 0.004165196 12.142716728916847 17.6
4 14.310988794967571 0.007180095 10.689994102614506 42
5 12.934932180066827 0.004534667 11.64930214271673 34.5
6 12.541773147238056 0.012160026 11.64930214271673 30.9
7 2.201690583841165 0.068485578 5.726361313151167 361.8
8 1.3170827599764179 0.103829661 4.560644780813838 684.2
9 12.128956162767835 0.140004453 NaN NaN
10 0 0.061472663 NaN NaN
11 0 0.062771401 NaN NaN
EOD
$class2 << EOD
0.2 12.05032435620208 0.002409366 12.030666404560652 30.4
1.2 11.971692549636327 0.0063075629999999995 12.01297424808335 30
2.2 11.991350501277775 0.548582348 12.1898958128563 6490.9
3.2 13.48535482602713 0.008715256000000001 12.030666404560652 31.3
4.2 14.566542166306263 0.009217355 10.67230194613721 55.4
5.2 12.993906034991154 0.010696823000000001 11.444859445645765 54.3
6.2 12.679378808728137 0.018179739 11.444859445645765 49.7
7.2 4.10851189306074 0.09830330400000001 5.213288775309612 657.5
8.2 2.142716728916838 0.172459695 4.318851975624138 1146.4
9.2 12.05032435620208 0.154520435 NaN NaN
10.2 0 0.15973596799999998 NaN NaN
11.2 0 0.160458666 NaN NaN
EOD
set multiplot title 'Figure 4: by density of affinity limits, static demand, normal graph (hollow: as published)'
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
