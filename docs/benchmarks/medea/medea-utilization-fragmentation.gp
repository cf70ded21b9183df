# Draw with: gnuplot medea-utilization-fragmentation.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-utilization-fragmentation.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
10 0 0 0 0 9.6 0 0 1.7999999999999998
20 0 0 0 0 19.6 0 0 4.2
30 0 0 0 0 29.799999999999997 0 0 6.6000000000000005
40 0 0 0 0 39.800000000000004 0 0 9
50 0 0 0 0 49.6 0 0 10.8
60 0 0 0 0 59.599999999999994 0 0 13.200000000000001
70 0 0 0 0 69.8 0 0 15.6
80 1.0999999999999999 2.4 2.6 2.4 79.80000000000001 2.4 2.6 18
90 19.2 27 22.2 22.400000000000002 89.60000000000001 11 10.8 19.8
EOD
set title 'Figures 9a and 10: applications alone'
set xlabel 'utilization, %'
set ylabel 'fragmented nodes, %'
set yrange [0:1<*]
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
