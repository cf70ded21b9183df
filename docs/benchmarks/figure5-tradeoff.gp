# Draw with: gnuplot figure5-tradeoff.gp
set terminal svg size 900,560 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure5-tradeoff.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$best << EOD
0.01393777322222222 2.4920227007401303 "ff"
0.019418088222222227 2.3301469134610855 "bfd-avg"
0.023331544444444446 1.1040988232523703 "ncd-dotproduct"
0.13855168311111113 0.4943205061744665 "spread-wfd-avg-decr2"
0.23986389822222223 0 "auto, 10 s"
EOD
$best_published << EOD
110.46666666666664 2.5092257567673406 "FF"
781.4222222222221 2.4316223569429165 ""
1636.6333333333334 2.0501744463732785 "WFD-AvgExp"
2683.911111111111 1.5747784945306562 "SpreadWFD-Avg-Decr2"
10308.655555555555 0.6627460077208238 "SpreadWFD-Avg-BinSearch"
EOD
$ours0 << EOD
0.24916596188888887 0
0.23986389822222223 0
EOD
$ours1 << EOD
0.01393777322222222 2.4920227007401303
0.026169721666666663 2.4556597778131115
EOD
$published1 << EOD
110.46666666666664 2.5092257567673406
113.77777777777777 2.5156980835465097
EOD
$ours2 << EOD
0.019418088222222227 2.3301469134610855
EOD
$published2 << EOD
164.26666666666665 2.5092257567673406
EOD
$ours3 << EOD
0.026723566444444447 2.139645420943885
EOD
$published3 << EOD
1636.6333333333334 2.0501744463732785
EOD
$ours4 << EOD
0.023331544444444446 1.1040988232523703
0.058328554888888884 2.767018373594881
EOD
$published4 << EOD
974.8222222222224 2.4316223569429165
781.4222222222221 2.4316223569429165
EOD
$ours5 << EOD
0.13855168311111113 0.4943205061744665
0.6113610502222222 0.06513699795614139
EOD
$published5 << EOD
2683.911111111111 1.5747784945306562
10308.655555555555 0.6627460077208238
EOD
$ours7 << EOD
5.807660174888889 2.459566578349863
EOD
set title 'Figure 5: what time buys, static by number of apps, means over all classes'
set xlabel 'time (hollow: as published)'
set ylabel 'nodes above the bound, %'
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
set key outside right top
set logscale x
set xrange [1e-2:1e5]
set xtics ('10 ms' 1e-2, '100 ms' 1e-1, '1 s' 1e0, '10 s' 1e1, '100 s' 1e2, '1k s' 1e3, '10k s' 1e4, '100k s' 1e5) font ',10'
plot $best using 1:2 with steps lw 1 lc rgb '#333333' notitle, $best using 1:2:3 with labels left offset 0.6,0.6 font ',10' tc rgb '#333333' notitle, $best_published using 1:2 with steps lw 1 lc rgb '#999999' notitle, $best_published using 1:2:3 with labels left offset 0.6,0.6 font ',10' tc rgb '#999999' notitle, $ours0 using 1:2 with points pt 7 ps 0.9 lc rgb '#000000' title 'auto', $ours1 using 1:2 with points pt 7 ps 0.9 lc rgb '#0072B2' title 'first fit', $published1 using 1:2 with points pt 6 ps 0.9 lc rgb '#0072B2' notitle, $ours2 using 1:2 with points pt 7 ps 0.9 lc rgb '#D55E00' title 'best fit', $published2 using 1:2 with points pt 6 ps 0.9 lc rgb '#D55E00' notitle, $ours3 using 1:2 with points pt 7 ps 0.9 lc rgb '#009E73' title 'worst fit', $published3 using 1:2 with points pt 6 ps 0.9 lc rgb '#009E73' notitle, $ours4 using 1:2 with points pt 7 ps 0.9 lc rgb '#CC79A7' title 'node-centric', $published4 using 1:2 with points pt 6 ps 0.9 lc rgb '#CC79A7' notitle, $ours5 using 1:2 with points pt 7 ps 0.9 lc rgb '#56B4E9' title 'spreading', $published5 using 1:2 with points pt 6 ps 0.9 lc rgb '#56B4E9' notitle, $ours7 using 1:2 with points pt 7 ps 0.9 lc rgb '#7F7F7F' title 'others'
