# Draw with: gnuplot figure5-threshold.gp
set terminal svg size 1000,492 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure5-threshold.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$class0 << EOD
-0.2 2.6774330641734068 0.001073442 2.6934001755692427 1.9
0.8 2.6136846578835637 0.001680518 2.718679620051192 2
1.8 2.592435189120268 0.093659765 NaN NaN
2.8 2.528686782830425 0.001699516 2.6934001755692427 2.1
3.8 2.3586910327241917 0.00207802 2.2780542824798156 18.7
4.8 1.42371440713982 0.002516025 2.620841696139473 11.1
5.8 2.8049298767530706 0.00863067 2.620841696139473 10.4
6.8 0.6799830004249996 0.011871205 1.6884665114864417 39.5
7.8 0.021249468763273605 0.037691305 0.4588872236187624 130.8
8.8 0 0.025068088000000002 NaN NaN
9.8 0 0.025137001 NaN NaN
EOD
$class1 << EOD
0 2.501217406702372 0.0071947569999999995 2.4219734605059706 51.5
1 2.514498207091953 0.022814134 2.427551102556589 56.9
2 2.5100712736287667 2.39726139 NaN NaN
3 2.2710168666165043 0.010177167 2.4219734605059706 72.8
4 2.138208862720803 0.014903360000000001 1.9478934893751318 593.7
5 0.9296560272699095 0.014146220000000001 2.350198241317365 336.6
6 2.6384523440612595 0.043948763 2.350198241317365 301.9
7 0.5046704148036651 0.089646116 0.8205683899524918 1495.8
8 0.128381070432515 0.369663194 0.16465248843712033 5269.7
9 0 0.15145438 NaN NaN
10 0 0.150819702 NaN NaN
EOD
$class2 << EOD
0.2 2.2996438112199424 0.017742135000000003 2.4095885413076723 227.7
1.2 2.2974176313446115 0.077480451 2.392632609329779 262.1
2.2 2.281834372217273 11.388167527 NaN NaN
3.2 2.1460373998219096 0.030909565 2.4095885413076723 327.5
4.2 1.9122885129118528 0.048821355000000004 1.9188228214186687 3355.9
5.2 0.914959928762249 0.038563978 2.3444845721703733 1769.1
6.2 2.856188780053426 0.101032257 2.3444845721703733 1595.2
7.2 0.300534283170073 0.278525483 0.8086990427844643 6429.7
8.2 0.05788067675869257 1.326011505 0.13831011261311144 25642.5
9.2 0 0.505450635 NaN NaN
10.2 0 0.461985132 NaN NaN
EOD
set multiplot title 'Figure 5: by number of apps, static demand, density 0.5 %, threshold graph (hollow: as published)'
set tmargin at screen 0.8739837398373984
set bmargin at screen 0.11382113821138211
set yrange [11-0.5:-0.5]
set key at screen 0.97,0.9308943089430894 right top horizontal maxrows 1 samplen 1
set ytics ('ff' 0, 'medea-tp' 1, 'medea-nc' 2, 'bfd-avg' 3, 'wfd-avgexp' 4, 'ncd-dotproduct' 5, 'lrasched-fitness' 6, 'spread-wfd-avg-decr2' 7, 'spread-wfd-avg-binsearch' 8, 'auto, 1 s' 9, 'auto, 10 s' 10)
set lmargin at screen 0.23
set rmargin at screen 0.60
set xlabel 'nodes above the bound, %'
set xrange [0:*]
plot $class0 using 2:1 with points pt 7 ps 0.8 lc rgb '#0072B2' title '10,000 apps', $class0 using 4:1 with points pt 6 ps 0.8 lc rgb '#0072B2' notitle, $class1 using 2:1 with points pt 7 ps 0.8 lc rgb '#D55E00' title '50,000 apps', $class1 using 4:1 with points pt 6 ps 0.8 lc rgb '#D55E00' notitle, $class2 using 2:1 with points pt 7 ps 0.8 lc rgb '#009E73' title '100,000 apps', $class2 using 4:1 with points pt 6 ps 0.8 lc rgb '#009E73' notitle
set lmargin at screen 0.65
set rmargin at screen 0.97
set format y ''
set ytics ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5, '' 6, '' 7, '' 8, '' 9, '' 10)
set xlabel 'time'
set logscale x
set xrange [1e-3:1e5]
set xtics ('1 ms' 1e-3, '10 ms' 1e-2, '100 ms' 1e-1, '1 s' 1e0, '10 s' 1e1, '100 s' 1e2, '1k s' 1e3, '10k s' 1e4, '100k s' 1e5) font ',10'
plot $class0 using 3:1 with points pt 7 ps 0.8 lc rgb '#0072B2' notitle, $class0 using 5:1 with points pt 6 ps 0.8 lc rgb '#0072B2' notitle, $class1 using 3:1 with points pt 7 ps 0.8 lc rgb '#D55E00' notitle, $class1 using 5:1 with points pt 6 ps 0.8 lc rgb '#D55E00' notitle, $class2 using 3:1 with points pt 7 ps 0.8 lc rgb '#009E73' notitle, $class2 using 5:1 with points pt 6 ps 0.8 lc rgb '#009E73' notitle
unset multiplot
