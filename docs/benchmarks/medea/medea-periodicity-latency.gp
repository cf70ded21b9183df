# Draw with: gnuplot medea-periodicity-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-periodicity-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
1 449.83109772580644 0.7376451612903225 0.4922918387096774 0.26957575806451617 0.17620943548387097 0.2429132258064516 0.19363304838709677 0.06391193548387097
2 583.7790479677419 1.8428487903225805 0.45088156451612904 0.16221203225806452 0.13615062903225805 0.6367245645161291 0.24300237096774194 0.04421124193548387
4 309.1139160967742 0.1537922258064516 0.3348741612903226 0.1151116129032258 0.10110445161290323 0.1906261935483871 0.1767975 0.023388387096774193
6 204.95095933870965 0.16844243548387094 0.21656685483870966 0.08091812903225806 0.20888974193548387 0.15651345161290323 0.12659833870967746 0.01742343548387097
8 189.02747079032258 0.19556424193548386 0.31613056451612903 0.07503090322580645 0.06698393548387097 0.19738701612903223 0.11933129032258065 0.01554833870967742
10 173.04819258064518 0.38043943548387094 0.34420501612903226 0.13489467741935485 0.06670956451612903 0.1340167258064516 0.24151825806451613 0.013584935483870967
EOD
set title 'Figure 9c: applications per interval'
set xlabel 'applications per interval'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
