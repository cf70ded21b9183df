# Draw with: gnuplot figure6-tradeoff.gp
set terminal svg size 900,560 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure6-tradeoff.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$best << EOD
0.007706925222222222 10.24726260994436 "ff"
0.018118882444444442 9.899479447136962 ""
0.018684478666666664 9.41707054388799 "bfd-avg"
0.027825531777777777 9.105187578531684 ""
0.09642732833333331 4.916083288458087 "spread-wfd-avg-decr2"
0.2163090717777778 4.370849039669719 "spread-wfd-avg-binsearch"
9.979209954 0.30963920301561526 "auto, 10 s"
EOD
$best_published << EOD
21.766666666666666 10.255564530604916 "FF"
26.600000000000005 9.418416801292405 "BFD-Avg"
218.32222222222225 9.006910788009334 "WFD-AvgExp"
261.0444444444445 4.399344821396518 ""
496.26666666666665 4.00534015437085 "SpreadWFD-Avg-BinSearch"
EOD
$ours0 << EOD
9.979209954 0.30963920301561526
EOD
$ours1 << EOD
0.007706925222222222 10.24726260994436
0.018118882444444442 9.899479447136962
EOD
$published1 << EOD
21.766666666666666 10.255564530604916
28.77777777777778 9.981601148806316
EOD
$ours2 << EOD
0.018684478666666664 9.41707054388799
EOD
$published2 << EOD
26.600000000000005 9.418416801292405
EOD
$ours3 << EOD
0.027825531777777777 9.105187578531684
EOD
$published3 << EOD
218.32222222222225 9.006910788009334
EOD
$ours4 << EOD
0.19527567344444444 8.079788188835035
1.1908924245555557 5.977382875605816
EOD
$ours5 << EOD
0.09642732833333331 4.916083288458087
0.2163090717777778 4.370849039669719
EOD
$published5 << EOD
261.0444444444445 4.399344821396518
496.26666666666665 4.00534015437085
EOD
$ours7 << EOD
0.3466965573333333 9.789535092443009
EOD
set title 'Figure 6: what time buys, 98 periods by density, means over all classes'
set xlabel 'time (hollow: as published)'
set ylabel 'nodes above the bound, %'
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
set key outside right top
set logscale x
set xrange [1e-3:1e3]
set xtics ('1 ms' 1e-3, '10 ms' 1e-2, '100 ms' 1e-1, '1 s' 1e0, '10 s' 1e1, '100 s' 1e2, '1k s' 1e3) font ',10'
plot $best using 1:2 with steps lw 1 lc rgb '#333333' notitle, $best using 1:2:3 with labels left offset 0.6,0.6 font ',10' tc rgb '#333333' notitle, $best_published using 1:2 with steps lw 1 lc rgb '#999999' notitle, $best_published using 1:2:3 with labels left offset 0.6,0.6 font ',10' tc rgb '#999999' notitle, $ours0 using 1:2 with points pt 7 ps 0.9 lc rgb '#000000' title 'auto', $ours1 using 1:2 with points pt 7 ps 0.9 lc rgb '#0072B2' title 'first fit', $published1 using 1:2 with points pt 6 ps 0.9 lc rgb '#0072B2' notitle, $ours2 using 1:2 with points pt 7 ps 0.9 lc rgb '#D55E00' title 'best fit', $published2 using 1:2 with points pt 6 ps 0.9 lc rgb '#D55E00' notitle, $ours3 using 1:2 with points pt 7 ps 0.9 lc rgb '#009E73' title 'worst fit', $published3 using 1:2 with points pt 6 ps 0.9 lc rgb '#009E73' notitle, $ours4 using 1:2 with points pt 7 ps 0.9 lc rgb '#CC79A7' title 'node-centric', $ours5 using 1:2 with points pt 7 ps 0.9 lc rgb '#56B4E9' title 'spreading', $published5 using 1:2 with points pt 6 ps 0.9 lc rgb '#56B4E9' notitle, $ours7 using 1:2 with points pt 7 ps 0.9 lc rgb '#7F7F7F' title 'others'
