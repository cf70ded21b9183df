# Draw with: gnuplot medea-tasks-violations.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-tasks-violations.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
10 0 0 0 0 10.421836228287841 0 37.220843672456574 15.136476426799009
20 0 0 0 0 7.6923076923076925 0 49.62779156327544 20.099255583126553
30 0 0 0 0 5.707196029776675 4.962779156327544 62.03473945409429 20.099255583126553
40 0 0 0 0 7.196029776674938 4.962779156327544 74.44168734491315 22.58064516129032
50 0 0 0 0 8.436724565756824 2.481389578163772 76.92307692307693 32.50620347394541
60 0 0 0 0 9.67741935483871 4.962779156327544 74.44168734491315 30.024813895781637
EOD
set title 'Figure 9b: applications use 10 %, tasks the rest'
set xlabel 'load of tasks, %'
set ylabel 'containers that violate a rule, %'
set yrange [0:1<*]
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
