# Draw with: gnuplot medea-periodicity-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-periodicity-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
1 61.11718919354839 3.101164661290322 0.08275087096774193 0.05549245161290322 0.04782709677419354 0.08236067741935482 0.0747458064516129 0.023440177419354835
2 100.87042825806452 3.339967064516129 0.06702601612903226 0.04089356451612903 0.03516614516129032 0.06866282258064516 0.06275554838709678 0.013371467741935483
4 83.43844753225807 0.04510408064516129 0.060226 0.032592435483870974 0.029418064516129033 0.061681999999999994 0.056216177419354835 0.007359032258064516
6 90.56898427419355 0.926927935483871 0.05916424193548388 0.030788241935483872 0.027801951612903223 0.0602928064516129 0.05353566129032258 0.0061072580645161285
8 67.72915538709677 0.03921048387096775 0.05526924193548387 0.028000016129032256 0.0252005 0.055098612903225805 0.05055616129032259 0.004290161290322581
10 101.6905714516129 0.9529664838709678 0.05686553225806452 0.03007761290322581 0.025906 0.05745987096774193 0.05341485483870968 0.004901306451612902
EOD
set title 'Figure 9c: applications per interval'
set xlabel 'applications per interval'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
