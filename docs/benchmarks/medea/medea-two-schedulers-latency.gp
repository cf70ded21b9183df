# Draw with: gnuplot medea-two-schedulers-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-two-schedulers-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
20 303.55370150000005 0.07597277777777778 0.030748333333333332 0.02620055555555556 0.023044999999999996 0.027831111111111115 0.026293444444444442 0.021131722222222225
40 352.50567250000006 0.1375936 0.039358 0.03433505 0.03218455 0.035647 0.03502105 0.029365600000000002
60 398.7802053888889 0.19649455555555556 0.05506344444444445 0.052964444444444446 0.05076672222222222 0.053595611111111115 0.05176450000000001 0.04461955555555556
80 365.66049805 0.15528865 0.05464655 0.050587549999999995 0.04733009999999999 0.0539725 0.05150504999999999 0.045546550000000005
EOD
set title 'Figure 11b: 256 full nodes, tasks placed by a scheduler of their own'
set xlabel 'share of applications, %'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
