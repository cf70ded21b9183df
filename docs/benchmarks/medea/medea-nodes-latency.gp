# Draw with: gnuplot medea-nodes-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-nodes-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
50 9.618481142857142 0.01894642857142857 0.013987928571428573 0.009691428571428571 0.008992142857142858 0.011618642857142857 0.010665714285714287 0.005240000000000001
500 79.96449809090907 0.06516827272727273 0.07620690909090908 0.05069136363636363 0.046143727272727274 0.07259686363636363 0.06779877272727274 0.02661959090909091
1000 127.62083725000001 0.1118541 0.1360802 0.09198805 0.0857605 0.14144705 0.12509855 0.044617500000000004
5000 408.61811919999997 0.55430645 0.63506 0.42509725000000004 0.41188775 0.6630295 0.62763445 0.22646225
EOD
set title 'Figure 11a: latency by size of the cluster, at a utilization of 20 %'
set xlabel 'nodes'
set ylabel 'time per application, ms'
set logscale y
set logscale x
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
