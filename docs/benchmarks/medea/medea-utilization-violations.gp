# Draw with: gnuplot medea-utilization-violations.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-utilization-violations.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
10 0 0 0 0 7.444168734491314 0 12.40694789081886 7.6923076923076925
20 0 0 0 0 8.933002481389577 0 16.129032258064516 15.136476426799009
30 0 0 0 0 9.429280397022332 0 19.02398676592225 18.4449958643507
40 0 0 0 0 8.995037220843672 0 24.193548387096776 20.099255583126553
50 0 0 0 0 8.841158841158842 0 28.471528471528472 21.178821178821178
60 0 0 0 0 9.064449064449065 0 27.85862785862786 21.82952182952183
70 0 0 0 0 9.25925925925926 0 30.982905982905983 21.937321937321936
80 0 0 0 0 9.062597321706633 0 34.88009965742759 20.149486141388977
90 0.027770063871146906 0 0.13885031935573452 0.13885031935573452 8.96973063038045 0.13885031935573452 39.04470980283254 20.46653707303527
EOD
set title 'Figures 9a and 10: applications alone'
set xlabel 'utilization, %'
set ylabel 'containers that violate a rule, %'
set yrange [0:1<*]
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
