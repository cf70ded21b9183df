# Draw with: gnuplot figure7-threshold.gp
set terminal svg size 1000,458 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure7-threshold.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$class0 << EOD
-0.2 5.346756152125276 0.0063454489999999995 5.340404801676575 5.3
0.8 5.234899328859055 0.00832312 5.369484431201492 5.2
1.8 5.257270693512295 0.095786979 NaN NaN
2.8 5.011185682326613 0.012162740000000002 4.8491518102388165 5.7
3.8 4.921700223713654 0.01692125 4.669650545634605 162.9
4.8 3.5346756152125236 0.090579999 NaN NaN
5.8 2.975391498881441 0.835827082 NaN NaN
6.8 3.3557046979865834 0.050862049 4.537021340473292 31.5
7.8 3.0201342281879207 0.14959930100000002 3.2341048806088235 136.6
8.8 0.06711409395974144 9.980913387000001 NaN NaN
EOD
$class1 << EOD
0 6.016587788763417 0.035591893 5.933261426113667 135.3
1 5.997844524623974 0.057037005 5.9462168734647 136.4
2 6.002530340658829 2.4228512959999997 NaN NaN
3 5.735438826671668 0.07144141899999999 5.68340930451033 165.7
4 5.632350873904701 0.097607936 5.606121654237506 3425.9
5 4.268778407759721 0.538898447 NaN NaN
6 3.0082938943817084 4.255074081 NaN NaN
7 4.020430157912003 0.40915791 4.131204531915557 1464.8
8 3.7814535401340166 1.436698469 3.698235610611737 5781.3
9 0.4732674195211173 9.995955925 NaN NaN
EOD
$class2 << EOD
0.2 5.933003066761033 0.086724866 6.097088855959691 609.6
1.2 5.9046945034206155 0.167190292 6.092027842365432 641.6
2.2 5.883463080915319 10.412739204000001 NaN NaN
3.2 5.876385940080198 0.185484491 5.924635521914066 765.9
4.2 5.843359282849736 0.236136797 5.818490563379397 14807.8
5.2 4.262797829676801 1.153373524 NaN NaN
6.2 2.6232602028780416 9.843808972 NaN NaN
7.2 3.9348903043170624 1.187764665 4.296118006154486 7010.7
8.2 3.7532436895494126 6.818078428 3.763232227030253 36895.8
9.2 1.413069120075483 9.57877376 NaN NaN
EOD
set multiplot title 'Figure 7: by number of apps, 98 periods, density 0.5 %, threshold graph (hollow: as published)'
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
