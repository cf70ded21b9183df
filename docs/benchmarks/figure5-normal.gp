# Draw with: gnuplot figure5-normal.gp
set terminal svg size 1000,492 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure5-normal.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$class0 << EOD
-0.2 2.6986825329366804 0.001337591 2.7042376087041986 2
0.8 2.592435189120268 0.0018684209999999999 2.748030335080227 2
1.8 2.656183595410111 0.093870067 NaN NaN
2.8 2.5711857203569943 0.002054422 2.7042376087041986 2.8
3.8 2.3586910327241917 0.002433212 2.275862968536788 20.4
4.8 1.487462813429663 0.002912342 2.6170784681198622 13.5
5.8 2.8049298767530706 0.009795347 2.6170784681198622 11.7
6.8 0.7012324691882732 0.0133904 2.5040654175720434 27.7
7.8 0.042498937526569414 0.042761781 1.6194723804951683 100.8
8.8 0 0.08444489000000001 NaN NaN
9.8 0 0.084278021 NaN NaN
EOD
$class1 << EOD
0 2.5100712736287667 0.015352121 2.4273696636790953 61.5
1 2.4171056709017646 0.016866052 2.430860887247639 61
2 2.3772632697330653 3.461088286 NaN NaN
3 2.2754438000796906 0.015646632 2.4273696636790953 85.8
4 2.1249280623312217 0.018857753 1.9573811434160835 762.7
5 0.9385098941962822 0.023974387 2.3582801642964557 484.9
6 2.6384523440612595 0.060879054 2.3582801642964557 355.5
7 0.5135242817300378 0.12492516 2.0272979115682355 1316
8 0.0973925361901884 0.501108979 0.5712045099018326 6007
9 0.6994554871840197 0.7890711140000001 NaN NaN
10 0.022134667315953926 9.811998677999998 NaN NaN
EOD
$class2 << EOD
0.2 2.2974176313446115 0.037187257 2.398049257408945 283.3
1.2 2.270703472840596 0.050338556 2.396221930912683 275.8
2.2 2.3352626892252815 18.320941194 NaN NaN
3.2 2.1393588601958946 0.051785487000000005 2.398049257408945 429.1
4.2 1.9145146927871837 0.07080281100000001 1.921444187717445 4444.2
5.2 0.912733748886918 0.060521783 2.322762893284187 2796.3
6.2 2.8584149599287567 0.13731531800000002 2.322762893284187 2151.3
7.2 0.2983081032947421 0.410503043 0.9971412052637251 7124.8
8.2 0.05788067675869257 1.872186979 0.259433128239257 26052.2
9.2 0.2025823686553796 0.612344468 NaN NaN
10.2 0.040071237756000855 9.621853912 NaN NaN
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
