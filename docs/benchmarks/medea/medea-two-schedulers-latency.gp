# Draw with: gnuplot medea-two-schedulers-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-two-schedulers-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
20 169.48817077777778 2.4407889444444444 0.029549444444444444 0.025715555555555557 0.022596166666666667 0.027895555555555555 0.02683 0.020348388888888888
40 150.4685627 5.9240902 0.039710050000000004 0.037108550000000004 0.03376004999999999 0.03546505 0.036214050000000005 0.03000305
60 257.9041900555556 3.2969385000000004 0.05035677777777777 0.04643166666666667 0.04114944444444445 0.04569005555555555 0.04662222222222222 0.03863222222222222
80 143.20793155 4.376909749999999 0.050422499999999995 0.04764904999999999 0.0484276 0.048857000000000005 0.04854605 0.0462495
EOD
set title 'Figure 11b: 256 full nodes, tasks placed by a scheduler of their own'
set xlabel 'share of applications, %'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
