# Draw with: gnuplot medea-complexity-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-complexity-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
1 77.86654472580645 0.05374309677419354 0.06854103225806453 0.04212406451612903 0.035738274193548386 0.07144204838709678 0.10851038709677419 0.01345935483870968
2 76.53113232258065 0.06117040322580646 0.07215316129032258 0.04382037096774194 0.03703890322580645 0.07600361290322581 0.07060716129032257 0.013794693548387093
4 96.51997758064518 2.6770878870967745 0.0714473064516129 0.042200483870967746 0.03584614516129032 0.08199972580645161 0.0704378064516129 0.014404516129032256
6 96.23334717741935 1.925773677419355 0.07091832258064515 0.043476145161290315 0.03718322580645161 0.07215632258064517 0.06570150000000001 0.013281322580645162
8 97.66320832258066 3.159231306451613 0.07593630645161292 0.04352632258064516 0.04248164516129033 0.07399054838709677 0.06662985483870969 0.01387983870967742
10 99.35060006451613 2.3971946129032258 0.06666506451612905 0.039594387096774195 0.033301 0.06808230645161291 0.0623293870967742 0.012911935483870969
EOD
set title 'Figure 9d: applications with a rule in common'
set xlabel 'applications per rule'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
