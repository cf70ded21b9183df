# Draw with: gnuplot medea-complexity-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-complexity-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
1 336.6869726451613 0.6319558387096773 0.5716557419354837 0.21504761290322583 0.2664301612903226 0.3640367419354839 0.2799432258064516 0.0426636129032258
2 217.99286425806446 0.5355644838709677 0.8257115806451613 0.4227046129032258 0.33052832258064513 0.5003371612903226 0.28736716129032264 0.04106970967741936
4 241.49494954838713 1.348314612903226 0.3845414516129032 0.2157223870967742 0.16481951612903226 0.30558848387096776 0.2708834516129032 0.040081483870967737
6 265.0901237419355 0.6767952258064516 0.3789586129032258 0.213218064516129 0.16088851612903227 0.3036219999999999 0.2631816774193548 0.035796354838709674
8 223.0111295483871 1.332676935483871 0.3852888709677419 0.21649896774193544 0.17337370967741936 0.32086709677419356 0.2701343225806451 0.03957593548387097
10 216.46149045161292 0.8544949677419356 0.38869764516129035 0.220491 0.16966070967741934 0.318249806451613 0.27269148387096775 0.044803258064516134
EOD
set title 'Figure 9d: applications with a rule in common'
set xlabel 'applications per rule'
set ylabel 'time per application, ms'
set logscale y
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
