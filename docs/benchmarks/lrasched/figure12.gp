# Draw with: gnuplot figure12.gp
set terminal svg size 590,400 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure12.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
set multiplot title 'Figure 12: time per application, 6 resources'
set tmargin at screen 0.83
set bmargin at screen 0.15
set xlabel 'nodes'
set ylabel 'microseconds'
set logscale xy
set lmargin at screen 0.11864406779661017
set rmargin at screen 0.6271186440677966
set key outside right top
$data0 << EOD
100 0.35482499999999995
500 0.480753
1000 0.62466875
5000 7.57926365
10000 12.74350645
EOD
$data1 << EOD
100 0.3381775
500 0.35699449999999994
1000 0.48131375
5000 4.068542750000001
10000 7.314109375
EOD
$data2 << EOD
100 0.48924999999999996
500 0.9370095
1000 3.9605942499999998
5000 20.143900799999997
10000 24.94218535
EOD
plot $data0 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data1 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data2 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit'
unset multiplot
