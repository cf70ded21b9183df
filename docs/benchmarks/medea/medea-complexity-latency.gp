# Draw with: gnuplot medea-complexity-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-complexity-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
1 498.85612209677413 0.18401566129032257 0.3001393064516129 0.14542582258064518 0.1096731935483871 0.22256162903225807 0.18841304838709677 0.04294079032258065
2 475.28733901612907 0.14092340322580646 0.24983387096774193 0.12012998387096774 0.10752512903225807 0.16969246774193547 0.1597268548387097 0.03637312903225806
4 529.420663532258 0.755139370967742 0.24454391935483868 0.1807078064516129 0.1142180806451613 0.1871974193548387 0.19378790322580644 0.04941335483870968
6 456.1436255483871 0.463351370967742 0.17982267741935481 0.109304 0.09779001612903226 0.1663648548387097 0.21508148387096776 0.035528887096774195
8 422.6663413870968 0.7974449193548387 0.1936414193548387 0.11426766129032259 0.10114683870967743 0.18799790322580645 0.20245551612903223 0.04242443548387097
10 446.45866520967746 0.8765010322580645 0.18722653225806452 0.11193929032258064 0.116449 0.22793930645161292 0.17113412903225805 0.03563283870967742
EOD
set title 'Figure 9d: applications with a rule in common'
set xlabel 'applications per rule'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
