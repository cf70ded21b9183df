# Draw with: gnuplot figure11.gp
set terminal svg size 590,400 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure11.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
set multiplot title 'Figure 11: time per application, 3 resources'
set tmargin at screen 0.83
set bmargin at screen 0.15
set xlabel 'nodes'
set ylabel 'microseconds'
set logscale xy
set lmargin at screen 0.11864406779661017
set rmargin at screen 0.6271186440677966
set key outside right top
$data0 << EOD
100 0.29451
500 2.4170344999999998
1000 0.48544500000000007
5000 5.260009350000001
10000 9.063767375
EOD
$data1 << EOD
100 0.25114749999999997
500 0.2537065
1000 0.28091924999999995
5000 1.8199432500000003
10000 3.2939494
EOD
$data2 << EOD
100 0.44989250000000003
500 0.9817059999999999
1000 3.7196242500000003
5000 22.85152215
10000 24.836657374999998
EOD
plot $data0 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data1 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data2 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit'
unset multiplot
