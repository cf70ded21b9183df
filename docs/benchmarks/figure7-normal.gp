# Draw with: gnuplot figure7-normal.gp
set terminal svg size 1000,458 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure7-normal.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$class0 << EOD
-0.2 5.369127516778516 0.006295955 5.351474844129102 5.4
0.8 5.279642058165557 0.007664498 5.316648087892439 5.3
1.8 5.011185682326613 0.097648447 NaN NaN
2.8 5.055928411633115 0.012274647 4.856820138768616 6.4
3.8 5.055928411633115 0.017123754 4.701758521768893 169.8
4.8 3.512304250559284 0.092808654 NaN NaN
5.8 2.975391498881441 0.832647187 NaN NaN
6.8 3.378076062639823 0.056588485 4.34724072130011 37.4
7.8 3.0648769574944 0.161361974 3.2277248602618895 157.5
8.8 0.08948545861298118 9.979761669 NaN NaN
EOD
$class1 << EOD
0 6.0447026849725916 0.041622352 5.931845200238306 150.5
1 5.92287146806616 0.060396747 5.943696752321477 151.3
2 5.908814019961572 3.177316746 NaN NaN
3 5.716695562532226 0.083810327 5.6827344931127755 194
4 5.599550161660649 0.117127775 5.613914194506067 3403.4
5 4.273464223794576 0.601612623 NaN NaN
6 2.9426924698936263 4.628075516 NaN NaN
7 4.048545054121178 0.5021117820000001 4.129788306040201 2117.6
8 3.7392811958202543 2.048299327 3.695993767008025 6604.6
9 0.5201255798697346 9.873987505 NaN NaN
EOD
$class2 << EOD
0.2 5.91648973814578 0.104132633 6.099439846295633 803
1.2 5.841000235904703 0.13912108499999998 6.036645441941375 790
2.2 5.857513564519934 16.544647470999998 NaN NaN
3.2 5.881104033970286 0.224858658 5.921129139465662 1067.1
4.2 5.850436423684835 0.273572041 5.813609072891614 18373.9
5.2 4.267515923566889 1.2505128509999999 NaN NaN
6.2 2.6350554376032065 10.211634707 NaN NaN
7.2 3.9183769757018094 1.373776012 4.29846899649043 10562.7
8.2 3.7980655815050612 5.672749302 3.7723490985550905 43437.5
9.2 1.0285444680349087 9.729530378 NaN NaN
EOD
set multiplot title 'Figure 7: by number of apps, 98 periods, density 0.5 %, normal graph (hollow: as published)'
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
