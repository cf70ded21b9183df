# Draw with: gnuplot medea-periodicity-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-periodicity-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
1 292.1716144516129 1.9045620322580645 0.8699179032258065 0.5787053225806451 0.31235006451612907 0.6202308709677418 0.5370351290322581 0.11906703225806452
2 283.06590612903227 1.382274741935484 0.4175535483870969 0.21965690322580647 0.16954974193548386 0.31702354838709673 0.4064752580645162 0.05390225806451613
4 308.7961786129032 0.9573658387096774 0.49291709677419365 0.32791477419354836 0.4044086451612904 0.9246164838709678 0.6904448064516129 0.025849645161290322
6 278.65301583870973 0.751947612903226 0.35666138709677414 0.5313566129032258 0.15484119354838707 0.5434617741935485 0.42758912903225804 0.06168338709677419
8 191.59309477419353 0.9300221612903227 0.884162870967742 0.4686968387096774 0.43832867741935494 0.39968083870967736 0.5059034193548386 0.014917354838709675
10 182.41773083870964 0.7404480967741935 0.6097549999999999 0.4336559032258064 0.2637040322580645 0.2624477741935484 0.4965160967741936 0.016409290322580643
EOD
set title 'Figure 9c: applications per interval'
set xlabel 'applications per interval'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
