# Draw with: gnuplot medea-nodes-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-nodes-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
50 32.19616957142858 0.06334671428571428 0.07025871428571429 0.049150428571428574 0.03832728571428572 0.05399971428571428 0.052626 0.025838857142857143
500 253.7075783636364 0.28150136363636363 0.4192707272727273 0.25031227272727274 0.22352054545454547 0.6950385454545455 0.2823208181818182 0.09923090909090909
1000 366.13458820000005 0.568831 0.8106877 0.4591504999999999 0.7428353000000001 0.7428979 0.5267934000000001 0.14842879999999997
5000 579.4451243000001 3.1150187 4.7124028 3.7379629999999997 2.0148473 3.479864 4.5083944 1.3947975
EOD
set title 'Figure 11a: latency by size of the cluster, at a utilization of 20 %'
set xlabel 'nodes'
set ylabel 'time per application, ms'
set logscale y
set logscale x
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
