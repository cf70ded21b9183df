# Draw with: gnuplot clusters-300.gp
set terminal svg size 900,562 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'clusters-300.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$contender0 << EOD
0.3142179654098354 0
0.3551101587184302 1
0.40264689164845047 2
0.7139377894648247 3
0.7585474548923665 4
0.4472565570760034 5
0.7753676506942475 6
0.24090839447263868 7
1.2302454235810556 8
0.6953775228368708 9
0.3142179654098243 10
3.347736851878702 11
0 12
EOD
$contender1 << EOD
0.18117937374364512 0
0.18117937374365622 1
0.22871610667367648 2
0.2696082999822713 3
0.2696082999822713 4
0.18117937374362292 5
0.7235093965887507 6
0.10700942430484917 7
0.24347464381277995 8
0.6456833332343925 9
0.18117937374364512 10
1.304102433506349 11
0 12
EOD
set title 'Clusters of 300 apps: how far plans are above their bounds'
set xlabel 'above the bound, %'
set xrange [0:*]
set yrange [13-0.5:-0.5]
set key outside right top
set ytics ('none' 0, 'limits' 1, 'selectors' 2, 'spread-hard' 3, 'spread-soft' 4, 'soft-apart' 5, 'all' 6, 'continuous' 7, 'periods' 8, 'uncertain' 9, 'exclusions' 10, 'periods+uncertain+exclusions' 11, 'one-class' 12)
plot $contender0 using 1:2 with points pt 7 ps 0.9 lc rgb '#0072B2' title 'auto, 100 ms', $contender1 using 1:2 with points pt 7 ps 0.9 lc rgb '#D55E00' title 'auto, 1 s'
