# Draw with: gnuplot medea-nodes-violations.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-nodes-violations.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
50 0 0 0 0 34.146341463414636 0 78.04878048780488 82.92682926829268
500 0 0 0 0 0.12422360248447205 0 6.211180124223603 0.6211180124223602
1000 0 0 0 0 0.0625 0 2.5 0.3125
5000 0 0 0 0 0.02498750624687656 0 0.49975012493753124 0.062468765617191405
EOD
set title 'Figure 11a: latency by size of the cluster, at a utilization of 20 %'
set xlabel 'nodes'
set ylabel 'containers that violate a rule, %'
set yrange [0:1<*]
set logscale x
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
