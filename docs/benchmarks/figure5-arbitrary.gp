# Draw with: gnuplot figure5-arbitrary.gp
set terminal svg size 1000,492 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure5-arbitrary.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$class0 << EOD
-0.2 2.656183595410111 0.001345768 2.702570799148898 2
0.8 2.656183595410111 0.001792325 2.725702722070864 2
1.8 2.6136846578835637 0.094066962 NaN NaN
2.8 2.6136846578835637 0.002049238 2.702570799148898 2.3
3.8 2.401189970250739 0.0024446980000000004 2.2731061971211863 19
4.8 1.487462813429663 0.002866969 2.597557035290494 12.5
5.8 2.8049298767530706 0.009799443 2.597557035290494 10.9
6.8 0.6587335316617038 0.013683219 2.502528236901611 24.9
7.8 0.021249468763273605 0.04137348 1.8706501887965366 86.3
8.8 0 0.028356695 NaN NaN
9.8 0 0.028189956999999998 NaN NaN
EOD
$class1 << EOD
0 2.492363539775999 0.014728729000000001 2.425606855915068 66.6
1 2.4348134047545322 0.018185076 2.401837012010113 66.6
2 2.5587675417238387 3.14798842 NaN NaN
3 2.279870733542877 0.019269956 2.425606855915068 98.4
4 2.1337819292575944 0.024073364 1.953702682497478 856
5 0.9296560272699095 0.023171307000000002 2.34384517966699 646.2
6 2.6384523440612595 0.055641131 2.34384517966699 509.3
7 0.49581654787729246 0.099256737 1.6248117417036931 1202.4
8 0.10181946965337474 0.395387041 0.5719025609035078 5257.7
9 0 0.168158166 NaN NaN
10 0 0.16960835 NaN NaN
EOD
$class2 << EOD
0.2 2.2951914514692806 0.033195727 2.4002354486669697 297.7
1.2 2.3040961709706043 0.044513325 2.3997665326594975 295.6
2.2 2.210596616206595 15.748320609 NaN NaN
3.2 2.1460373998219096 0.044192117 2.4002354486669697 457.6
4.2 1.9145146927871837 0.061163471999999997 1.9253022447969095 4659.1
5.2 0.912733748886918 0.050608791 2.329552962201049 2703.2
6.2 2.8584149599287567 0.114913581 2.329552962201049 2086.6
7.2 0.2960819234194112 0.323665093 1.1994279935432028 6494.4
8.2 0.05788067675869257 1.472980221 0.31020147648211704 24230.9
9.2 0 0.5723414929999999 NaN NaN
10.2 0 0.555563225 NaN NaN
EOD
set multiplot title 'Figure 5: by number of apps, static demand, density 0.5 %, arbitrary graph (hollow: as published)'
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
