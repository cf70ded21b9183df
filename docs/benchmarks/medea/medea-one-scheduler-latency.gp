# Draw with: gnuplot medea-one-scheduler-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-one-scheduler-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
20 378.7048880555555 1.5937433333333333 0.2777485555555555 0.12585277777777779 0.09098500000000002 0.19772405555555558 0.1935288888888889 0.039787222222222224
40 447.12787480000003 2.4401733 0.12068310000000002 0.07497355 0.062253549999999984 0.09731954999999999 0.09596560000000001 0.03934155
60 316.24985838888887 1.4724611111111112 0.07453783333333333 0.06491566666666666 0.058043333333333336 0.06531166666666667 0.06407449999999999 0.05128505555555555
80 393.19238385 5.715205549999999 0.06632555 0.059697049999999995 0.053100999999999995 0.062724 0.06081000000000001 0.045767550000000004
EOD
set title 'Figure 11b: 256 full nodes, tasks planned with the applications'
set xlabel 'share of applications, %'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
