# Draw with: gnuplot figure5-normal.gp
set terminal svg size 1000,492 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure5-normal.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$class0 << EOD
-0.2 2.6986825329366804 0.001362093 2.7042376087041986 2
0.8 2.592435189120268 0.001854687 2.748030335080227 2
1.8 2.656183595410111 0.093476141 NaN NaN
2.8 2.5711857203569943 0.002037671 2.7042376087041986 2.8
3.8 2.3586910327241917 0.002409466 2.275862968536788 20.4
4.8 1.487462813429663 0.002975169 2.6170784681198622 13.5
5.8 2.8049298767530706 0.009784952 2.6170784681198622 11.7
6.8 0.7012324691882732 0.013100618999999999 2.5040654175720434 27.7
7.8 0.042498937526569414 0.042089028 1.6194723804951683 100.8
8.8 0 0.029000206 NaN NaN
9.8 0 0.028863692 NaN NaN
EOD
$class1 << EOD
0 2.5100712736287667 0.015018021 2.4273696636790953 61.5
1 2.4171056709017646 0.019640538 2.430860887247639 61
2 2.3772632697330653 3.189759834 NaN NaN
3 2.2754438000796906 0.020725699 2.4273696636790953 85.8
4 2.1249280623312217 0.02399721 1.9573811434160835 762.7
5 0.9385098941962822 0.02409772 2.3582801642964557 484.9
6 2.6384523440612595 0.057495158 2.3582801642964557 355.5
7 0.5135242817300378 0.101264573 2.0272979115682355 1316
8 0.0973925361901884 0.40074755 0.5712045099018326 6007
9 0 0.180677198 NaN NaN
10 0 0.174056748 NaN NaN
EOD
$class2 << EOD
0.2 2.2974176313446115 0.033779287 2.398049257408945 283.3
1.2 2.270703472840596 0.047566441 2.396221930912683 275.8
2.2 2.3352626892252815 16.116240926000003 NaN NaN
3.2 2.1393588601958946 0.043701865 2.398049257408945 429.1
4.2 1.9145146927871837 0.060621153 1.921444187717445 4444.2
5.2 0.912733748886918 0.051037721 2.322762893284187 2796.3
6.2 2.8584149599287567 0.123711039 2.322762893284187 2151.3
7.2 0.2983081032947421 0.315952103 0.9971412052637251 7124.8
8.2 0.05788067675869257 1.416306128 0.259433128239257 26052.2
9.2 0 0.581986796 NaN NaN
10.2 0 0.564551277 NaN NaN
EOD
set multiplot title 'Figure 5: by number of apps, static demand, density 0.5 %, normal graph (hollow: as published)'
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
