# Draw with: gnuplot medea-nodes-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-nodes-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
50 9.99133292857143 0.017372928571428574 0.013529285714285716 0.00959642857142857 0.008468571428571428 0.011537142857142859 0.010480714285714288 0.005077142857142857
500 87.26762513636365 0.06336959090909092 0.07417277272727273 0.05351781818181818 0.04738863636363636 0.07615645454545454 0.06946640909090909 0.026753636363636358
1000 139.9087496 0.1076941 0.13948625 0.0897 0.08247499999999999 0.1399921 0.13187405 0.045988100000000004
5000 377.73114405 0.51508845 0.6733784500000001 0.43439225 0.43755879999999997 0.6892115 0.6641875500000001 0.21872919999999998
EOD
set title 'Figure 11a: latency by size of the cluster, at a utilization of 20 %'
set xlabel 'nodes'
set ylabel 'time per application, ms'
set logscale y
set logscale x
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
