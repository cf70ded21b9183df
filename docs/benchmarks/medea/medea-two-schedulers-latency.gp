# Draw with: gnuplot medea-two-schedulers-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-two-schedulers-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
20 375.23806849999994 0.1996957222222222 0.08589377777777778 0.07418594444444444 0.06691305555555556 0.074474 0.0693818888888889 0.05295377777777777
40 471.67394765 0.81737575 0.1162549 0.11259144999999998 0.11019105000000001 0.122791 0.1218158 0.0813359
60 463.02048633333334 0.6813996666666666 0.8491367777777777 1.4814636666666667 0.5998726111111111 1.056391 0.37823266666666666 0.13276766666666667
80 460.59634745 0.76254325 0.18299635 0.16522314999999999 1.32782 0.14367770000000002 0.14920155000000002 0.14316700000000002
EOD
set title 'Figure 11b: 256 full nodes, tasks placed by a scheduler of their own'
set xlabel 'share of applications, %'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
