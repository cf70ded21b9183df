# Draw with: gnuplot medea-one-scheduler-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-one-scheduler-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
20 341.509657 3.430240777777778 0.2927340555555556 0.1297075 0.0951795 0.20810683333333332 0.1998251666666667 0.040114444444444446
40 455.00851109999996 1.2772834 0.12422304999999999 0.0741101 0.06210005000000001 0.0989641 0.09637105 0.04013405
60 236.80847455555556 3.351811222222222 0.07558227777777779 0.06531061111111111 0.059660111111111115 0.06825777777777776 0.06475444444444445 0.04980233333333334
80 480.54589715 3.6380017 0.0639521 0.05485805 0.04827055 0.057997999999999994 0.056140999999999996 0.04245455
EOD
set title 'Figure 11b: 256 full nodes, tasks planned with the applications'
set xlabel 'share of applications, %'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
