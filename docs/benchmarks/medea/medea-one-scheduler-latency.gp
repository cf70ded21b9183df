# Draw with: gnuplot medea-one-scheduler-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-one-scheduler-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
20 438.46389316666665 0.27704283333333335 0.2656608333333333 0.12246072222222223 0.0898411111111111 0.19131177777777778 0.1897768333333333 0.04015055555555555
40 471.92312999999996 0.14143614999999998 0.10952364999999999 0.069537 0.05599150000000001 0.0897405 0.08735304999999999 0.036124
60 303.1626834444445 0.23377911111111113 0.07382177777777776 0.11894233333333333 0.06229677777777777 0.07238666666666667 0.06584505555555555 0.05740233333333334
80 507.01334210000005 0.2332085 0.07536005 0.06512405 0.0634241 0.0660035 0.06307004999999999 0.047487549999999996
EOD
set title 'Figure 11b: 256 full nodes, tasks planned with the applications'
set xlabel 'share of applications, %'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
