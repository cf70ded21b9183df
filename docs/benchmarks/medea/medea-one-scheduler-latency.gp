# Draw with: gnuplot medea-one-scheduler-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-one-scheduler-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
20 783.9332904444445 2.4844526666666664 4.5164205555555546 1.4720912777777777 0.23634216666666666 0.4939222222222222 0.9639485555555555 0.12723366666666666
40 539.72395785 0.91521875 0.449066 0.19226425 0.79166225 1.05534535 0.31917275 0.9131694999999999
60 372.2695278333333 3.5929908333333334 0.23841094444444444 0.1754717777777778 0.15280783333333334 0.2056311111111111 0.17260222222222224 0.1331257777777778
80 526.3381414 1.7929963500000001 1.02266665 0.17852335 0.13895690000000002 0.15065510000000001 0.1775096 0.12444415
EOD
set title 'Figure 11b: 256 full nodes, tasks planned with the applications'
set xlabel 'share of applications, %'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
