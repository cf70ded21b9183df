# Draw with: gnuplot figure4-tradeoff.gp
set terminal svg size 900,560 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure4-tradeoff.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$best << EOD
0.0019395911111111108 12.155166764956423 "ff"
0.008453005222222223 12.137693030164037 ""
0.05284833777777778 4.654566105322937 "spread-wfd-avg-decr2"
0.09236746966666667 0 "auto, 1 s"
EOD
$best_published << EOD
16.855555555555554 12.11322980145469 "FF"
31.033333333333335 11.511696481226657 "LRASched-Fitness"
41.01111111111111 10.690430945984316 "WFD-AvgExp"
344.4222222222222 5.96422252801258 "SpreadWFD-Avg-Decr2"
722.6555555555556 5.110412161719416 "SpreadWFD-Avg-BinSearch"
EOD
$ours0 << EOD
0.09236746966666667 0
0.09241527311111113 0
EOD
$ours1 << EOD
0.0019395911111111108 12.155166764956423
0.008453005222222223 12.137693030164037
EOD
$published1 << EOD
16.855555555555554 12.11322980145469
24.900000000000002 12.176572090077103
EOD
$ours2 << EOD
0.005012977555555556 13.478802175479984
EOD
$published2 << EOD
17.822222222222223 12.11322980145469
EOD
$ours3 << EOD
0.007581837444444443 14.481357709193368
EOD
$published3 << EOD
41.01111111111111 10.690430945984316
EOD
$ours4 << EOD
0.005266356777777778 13.044143022519272
0.013001399333333333 12.642247122294304
EOD
$published4 << EOD
34.3 11.511696481226657
31.033333333333335 11.511696481226657
EOD
$ours5 << EOD
0.05284833777777778 4.654566105322937
0.10203644011111111 3.5122206932704256
EOD
$published5 << EOD
344.4222222222222 5.96422252801258
722.6555555555556 5.110412161719416
EOD
$ours6 << EOD
0.14363568966666668 12.155166764956423
EOD
$ours7 << EOD
0.32378108355555557 12.083087608937818
EOD
$published7 << EOD
3089.933333333333 12.364851582465107
EOD
set title 'Figure 4: what time buys, static by density, means over all classes'
set xlabel 'time (hollow: as published)'
set ylabel 'nodes above the bound, %'
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
set key outside right top
set logscale x
set xrange [1e-3:1e4]
set xtics ('1 ms' 1e-3, '10 ms' 1e-2, '100 ms' 1e-1, '1 s' 1e0, '10 s' 1e1, '100 s' 1e2, '1k s' 1e3, '10k s' 1e4) font ',10'
plot $best using 1:2 with steps lw 1 lc rgb '#333333' notitle, $best using 1:2:3 with labels left offset 0.6,0.6 font ',10' tc rgb '#333333' notitle, $best_published using 1:2 with steps lw 1 lc rgb '#999999' notitle, $best_published using 1:2:3 with labels left offset 0.6,0.6 font ',10' tc rgb '#999999' notitle, $ours0 using 1:2 with points pt 7 ps 0.9 lc rgb '#000000' title 'auto', $ours1 using 1:2 with points pt 7 ps 0.9 lc rgb '#0072B2' title 'first fit', $published1 using 1:2 with points pt 6 ps 0.9 lc rgb '#0072B2' notitle, $ours2 using 1:2 with points pt 7 ps 0.9 lc rgb '#D55E00' title 'best fit', $published2 using 1:2 with points pt 6 ps 0.9 lc rgb '#D55E00' notitle, $ours3 using 1:2 with points pt 7 ps 0.9 lc rgb '#009E73' title 'worst fit', $published3 using 1:2 with points pt 6 ps 0.9 lc rgb '#009E73' notitle, $ours4 using 1:2 with points pt 7 ps 0.9 lc rgb '#CC79A7' title 'node-centric', $published4 using 1:2 with points pt 6 ps 0.9 lc rgb '#CC79A7' notitle, $ours5 using 1:2 with points pt 7 ps 0.9 lc rgb '#56B4E9' title 'spreading', $published5 using 1:2 with points pt 6 ps 0.9 lc rgb '#56B4E9' notitle, $ours6 using 1:2 with points pt 7 ps 0.9 lc rgb '#E69F00' title 'matching', $ours7 using 1:2 with points pt 7 ps 0.9 lc rgb '#7F7F7F' title 'others', $published7 using 1:2 with points pt 6 ps 0.9 lc rgb '#7F7F7F' notitle
