# Draw with: gnuplot medea-one-scheduler-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-one-scheduler-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
20 342.3580280555556 1.4015848888888887 0.2623390555555556 0.11607455555555557 0.08466016666666666 0.18480666666666667 0.18288722222222226 0.03667394444444445
40 437.36355375 1.3653795 0.11060515 0.07250050000000001 0.05885455 0.0890981 0.09206205 0.0370385
60 275.7185904444445 2.124248666666667 0.06896783333333334 0.06022 0.052099 0.06038561111111111 0.05805061111111111 0.04478894444444445
80 408.60361220000004 4.498636250000001 0.06543 0.0559665 0.0521245 0.058848000000000004 0.05874305 0.04516805
EOD
set title 'Figure 11b: 256 full nodes, tasks planned with the applications'
set xlabel 'share of applications, %'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
