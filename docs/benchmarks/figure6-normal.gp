# Draw with: gnuplot figure6-normal.gp
set terminal svg size 1000,458 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure6-normal.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$class0 << EOD
-0.2 10.399838449111476 0.007636045 10.434168012924072 9.6
0.8 9.834410339256872 0.009033109999999999 10.117124394184167 8.9
1.8 9.995961227786744 0.110749347 NaN NaN
2.8 9.208400646203563 0.015110739 9.216478190630047 14.3
3.8 8.562197092084013 0.023137627 8.697495961227789 215.2
4.8 7.815024232633272 0.150839913 NaN NaN
5.8 5.634087237479801 1.0204441690000001 NaN NaN
6.8 2.4030694668820685 0.105000868 2.356623586429727 145.7
7.8 2.100161550888524 0.19432355199999998 2.0941033925686603 238.5
8.8 0.1817447495961133 9.978972932 NaN NaN
EOD
$class1 << EOD
0 10.197899838449121 0.007519782 10.264539579967687 20.5
1 9.693053311793221 0.010730573 9.890953150242328 20.1
2 9.349757673667213 0.279919443 NaN NaN
3 9.289176090468487 0.018544082 9.2467689822294 25.2
4 8.844911147011313 0.027142103 8.84491114701131 217.2
5 7.835218093699514 0.184074207 NaN NaN
6 5.694668820678506 1.14597931 NaN NaN
7 2.201130856219713 0.134571786 2.994749596122779 334.8
8 2.3626817447496062 0.23074292899999999 2.619143780290789 580.5
9 0.3029079159935444 9.979783119999999 NaN NaN
EOD
$class2 << EOD
0.2 10.036348949919226 0.008430991 10.090872374798062 35.9
1.2 9.59208400646203 0.014777141 9.787964458804518 35.2
2.2 9.71324717285944 0.5559828910000001 NaN NaN
3.2 9.511308562197085 0.02466734 9.472940226171245 40.9
4.2 9.410339256865917 0.032198016999999995 9.273021001615504 231.1
5.2 8.259289176090467 0.24620220699999998 NaN NaN
6.2 5.896607431340883 1.353573285 NaN NaN
7.2 8.03715670436187 0.0790072 4.84046849757674 467.6
8.2 6.300484652665594 0.28302746100000004 3.8671243941841698 995
9.2 0.4644588045234155 9.977937827 NaN NaN
EOD
set multiplot title 'Figure 6: by density of affinity limits, 98 periods, normal graph (hollow: as published)'
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
