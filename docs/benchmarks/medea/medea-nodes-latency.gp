# Draw with: gnuplot medea-nodes-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-nodes-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
50 16.969760642857143 0.018048571428571428 0.013618571428571426 0.009441428571428571 0.009719999999999998 0.011885 0.010495785714285714 0.004990714285714286
500 175.85389122727275 0.06387 0.0738105 0.050935954545454555 0.047922863636363645 0.07196277272727272 0.06732377272727273 0.02727
1000 273.21562554999997 0.10644155000000001 0.13923455 0.0915331 0.08943505 0.14112709999999998 0.1311552 0.04839
5000 558.45110145 0.72766555 0.89500015 0.42853065 0.4830869 0.66779495 0.6337779499999999 0.24659165
EOD
set title 'Figure 11a: latency by size of the cluster, at a utilization of 20 %'
set xlabel 'nodes'
set ylabel 'time per application, ms'
set logscale y
set logscale x
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
