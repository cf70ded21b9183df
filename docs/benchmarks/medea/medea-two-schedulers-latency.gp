# Draw with: gnuplot medea-two-schedulers-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-two-schedulers-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
20 232.23083438888887 1.2086848333333333 0.031107222222222224 0.026408888888888888 0.023855 0.027295000000000003 0.02603233333333333 0.019879444444444443
40 277.5655821 1.9757965999999996 0.03879955 0.034079000000000005 0.03151105 0.037479 0.037679000000000004 0.029313599999999995
60 331.1064989444444 2.756172555555556 0.05225061111111112 0.04819838888888888 0.04714222222222223 0.05137783333333334 0.04753 0.040127222222222224
80 266.7522133 3.13707975 0.05876799999999999 0.0503621 0.04922205 0.05550404999999999 0.05072305 0.044461600000000004
EOD
set title 'Figure 11b: 256 full nodes, tasks placed by a scheduler of their own'
set xlabel 'share of applications, %'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
