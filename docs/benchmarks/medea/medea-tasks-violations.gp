# Draw with: gnuplot medea-tasks-violations.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-tasks-violations.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
10 0 0 0 0 9.305210918114144 0 34.7394540942928 15.136476426799009
20 0 0 0 0 7.816377171215881 0 55.831265508684865 20.099255583126553
30 0 0 0 0 7.320099255583126 3.722084367245658 63.27543424317618 21.33995037220844
40 0 0 0 0 7.6923076923076925 4.962779156327544 73.20099255583126 22.58064516129032
50 0 0 0 0 9.429280397022332 3.722084367245658 71.96029776674938 33.7468982630273
60 0 0 0 0 9.925558312655086 6.20347394540943 73.20099255583126 32.50620347394541
EOD
set title 'Figure 9b: applications use 10 %, tasks the rest'
set xlabel 'load of tasks, %'
set ylabel 'containers that violate a rule, %'
set yrange [0:1<*]
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
