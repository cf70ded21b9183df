# Draw with: gnuplot medea-nodes-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-nodes-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
50 9.815823357142856 0.020470714285714287 0.014309285714285714 0.01130142857142857 0.008626499999999999 0.012079285714285716 0.012240714285714285 0.005272142857142856
500 74.41738959090908 0.06285054545454545 0.07590595454545454 0.050455 0.04683277272727273 0.07091963636363637 0.06508463636363637 0.026659090909090907
1000 113.30790904999999 0.10956209999999998 0.1358862 0.0892155 0.08496609999999999 0.13535515 0.12506455 0.044453599999999996
5000 358.2861653 0.54814735 0.60967785 0.44643934999999996 0.41117724999999994 0.6514875 0.61548045 0.24702350000000003
EOD
set title 'Figure 11a: latency by size of the cluster, at a utilization of 20 %'
set xlabel 'nodes'
set ylabel 'time per application, ms'
set logscale y
set logscale x
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
