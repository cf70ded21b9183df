# Draw with: gnuplot medea-nodes-latency.gp
set terminal svg size 820,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'medea-nodes-latency.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$means << EOD
50 48.88215328571428 0.055913142857142856 0.05579557142857143 0.0423215 0.03560635714285714 0.04680014285714286 0.040100642857142856 0.021029285714285716
500 294.2283274545455 0.15992172727272727 0.20045981818181818 0.14432827272727272 0.14862304545454547 0.19250595454545455 0.16176377272727274 0.0766615909090909
1000 397.77120084999996 0.38017110000000004 0.50854895 0.32521484999999994 0.2991648 0.44358800000000004 0.41851920000000004 0.15632424999999997
5000 635.7830997 1.89793225 1.86533115 1.4427600500000002 1.4780512000000001 3.22038195 3.4492795999999997 1.10559885
EOD
set title 'Figure 11a: latency by size of the cluster, at a utilization of 20 %'
set xlabel 'nodes'
set ylabel 'time per application, ms'
set logscale y
set logscale x
set key outside right top
plot $means using 1:2 with linespoints lw 2 pt 7 lc rgb '#000000' title 'medea-ilp', $means using 1:3 with linespoints lw 2 pt 7 lc rgb '#0072B2' title 'tag-search', $means using 1:4 with linespoints lw 2 pt 7 lc rgb '#D55E00' title 'medea-nc', $means using 1:5 with linespoints lw 2 pt 7 lc rgb '#009E73' title 'medea-tp', $means using 1:6 with linespoints lw 2 pt 7 lc rgb '#CC79A7' title 'serial', $means using 1:7 with linespoints lw 2 pt 7 lc rgb '#56B4E9' title 'j-kube++', $means using 1:8 with linespoints lw 2 pt 7 lc rgb '#E69F00' title 'j-kube', $means using 1:9 with linespoints lw 2 pt 7 lc rgb '#7F7F7F' title 'yarn'
