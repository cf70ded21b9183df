# Draw with: gnuplot medea-two-schedulers-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-two-schedulers-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
20 201.55470244444442 1.6104099444444446 0.03302111111111111 0.03043111111111111 0.02554 0.030049611111111107 0.028631666666666666 0.022046222222222224
40 293.41266734999994 2.4963807 0.045196 0.0372541 0.03411555 0.03841655 0.03610605 0.0296405
60 150.3812080555556 2.8077131666666664 0.05366283333333334 0.0481945 0.04540172222222222 0.04829783333333333 0.04633222222222222 0.041285
80 195.76363195000002 4.290201 0.0541661 0.05259950000000001 0.046838000000000005 0.0501696 0.04942704999999999 0.04324155
EOD
set title 'Figure 11b: 256 full nodes, tasks placed by a scheduler of their own'
set xlabel 'share of applications, %'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
