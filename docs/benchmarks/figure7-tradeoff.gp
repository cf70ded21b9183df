# Draw with: gnuplot figure7-tradeoff.gp
set terminal svg size 900,560 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure7-tradeoff.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$best << EOD
0.048074541 5.766589886807104 "ff"
0.07098054044444445 5.711680721041272 ""
0.10116190555555554 5.550964243902724 ""
0.12921926422222224 5.47931111624541 "wfd-avgexp"
0.5994592518888889 3.771482604329076 "spread-wfd-avg-decr2"
2.5815721597777777 3.517819439114906 "spread-wfd-avg-binsearch"
5.117047043222222 2.8584657626251175 "lrasched-fitness"
9.861356049666668 0.5678700829408874 "auto, 10 s"
EOD
$best_published << EOD
311.8555555555556 5.792285760553259 "FF"
313.7444444444444 5.7917894429010435 ""
403.16666666666663 5.487535176975583 "BFD-Avg"
3583.922222222222 4.278848545123124 "SpreadWFD-Avg-Decr2"
15444.666666666666 3.557079164887926 "SpreadWFD-Avg-BinSearch"
EOD
$ours0 << EOD
9.861356049666668 0.5678700829408874
EOD
$ours1 << EOD
0.048074541 5.766589886807104
0.07098054044444445 5.711680721041272
EOD
$published1 << EOD
311.8555555555556 5.792285760553259
313.7444444444444 5.7917894429010435
EOD
$ours2 << EOD
0.10116190555555554 5.550964243902724
EOD
$published2 << EOD
403.16666666666663 5.487535176975583
EOD
$ours3 << EOD
0.12921926422222224 5.47931111624541
EOD
$published3 << EOD
7042.700000000001 5.367991224232064
EOD
$ours4 << EOD
0.6251349142222222 4.026386540215513
5.117047043222222 2.8584657626251175
EOD
$ours5 << EOD
0.5994592518888889 3.771482604329076
2.5815721597777777 3.517819439114906
EOD
$published5 << EOD
3583.922222222222 4.278848545123124
15444.666666666666 3.557079164887926
EOD
$ours7 << EOD
5.847824001111111 5.679046574110069
EOD
set title 'Figure 7: what time buys, 98 periods by number of apps, means over all classes'
set xlabel 'time (hollow: as published)'
set ylabel 'nodes above the bound, %'
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
set key outside right top
set logscale x
set xrange [1e-2:1e5]
set xtics ('10 ms' 1e-2, '100 ms' 1e-1, '1 s' 1e0, '10 s' 1e1, '100 s' 1e2, '1k s' 1e3, '10k s' 1e4, '100k s' 1e5) font ',10'
plot $best using 1:2 with steps lw 1 lc rgb '#333333' notitle, $best using 1:2:3 with labels left offset 0.6,0.6 font ',10' tc rgb '#333333' notitle, $best_published using 1:2 with steps lw 1 lc rgb '#999999' notitle, $best_published using 1:2:3 with labels left offset 0.6,0.6 font ',10' tc rgb '#999999' notitle, $ours0 using 1:2 with points pt 7 ps 0.9 lc rgb '#000000' title 'auto', $ours1 using 1:2 with points pt 7 ps 0.9 lc rgb '#0072B2' title 'first fit', $published1 using 1:2 with points pt 6 ps 0.9 lc rgb '#0072B2' notitle, $ours2 using 1:2 with points pt 7 ps 0.9 lc rgb '#D55E00' title 'best fit', $published2 using 1:2 with points pt 6 ps 0.9 lc rgb '#D55E00' notitle, $ours3 using 1:2 with points pt 7 ps 0.9 lc rgb '#009E73' title 'worst fit', $published3 using 1:2 with points pt 6 ps 0.9 lc rgb '#009E73' notitle, $ours4 using 1:2 with points pt 7 ps 0.9 lc rgb '#CC79A7' title 'node-centric', $ours5 using 1:2 with points pt 7 ps 0.9 lc rgb '#56B4E9' title 'spreading', $published5 using 1:2 with points pt 6 ps 0.9 lc rgb '#56B4E9' notitle, $ours7 using 1:2 with points pt 7 ps 0.9 lc rgb '#7F7F7F' title 'others'
