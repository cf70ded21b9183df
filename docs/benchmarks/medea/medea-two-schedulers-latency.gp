# Draw with: gnuplot medea-two-schedulers-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-two-schedulers-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
20 193.28929422222222 2.2718077222222224 0.029041166666666667 0.02404338888888889 0.023794499999999996 0.030133333333333335 0.029224444444444445 0.02403388888888889
40 174.69770445000006 6.276048449999999 0.03938455 0.035319550000000005 0.03102899999999999 0.0346105 0.03074 0.02836655
60 262.4687510555556 3.166737888888889 0.053976666666666666 0.046865611111111115 0.04452277777777777 0.05055055555555556 0.049210666666666666 0.036965
80 208.08235885 4.7149293000000005 0.060742550000000006 0.04670205 0.05109755 0.04785149999999999 0.05038905 0.04465705
EOD
set title 'Figure 11b: 256 full nodes, tasks placed by a scheduler of their own'
set xlabel 'share of applications, %'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
