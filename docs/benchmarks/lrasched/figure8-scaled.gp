# Draw with: gnuplot figure8-scaled.gp
set terminal svg size 1350,400 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure8-scaled.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
set multiplot title 'Figure 8: applications admitted, scaled load'
set tmargin at screen 0.83
set bmargin at screen 0.15
set xlabel 'resources'
set ylabel '%'
set xtics 1
set offsets 0.2, 0.2, 0, 0
set yrange [0:*]
set lmargin at screen 0.05185185185185185
set rmargin at screen 0.2740740740740741
unset key
set title '500 apps, 100 nodes'
$data0 << EOD
3 97.2
4 91.8
5 85.2
6 78
EOD
$data1 << EOD
3 75.2
4 76.8
5 71.2
6 63.4
EOD
$data2 << EOD
3 96.8
4 92
5 92.6
6 88
EOD
$data3 << EOD
3 96.8
4 92
5 92.6
6 88
EOD
$data4 << EOD
3 100
4 96.4
5 98.6
6 93.4
EOD
$data5 << EOD
3 100
4 98.4
5 100
6 99.2
EOD
plot $data0 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data1 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data2 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data3 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data4 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s', $data5 using 1:2 with linespoints lw 1.5 ps 0.6 pt 0 dt 2 lc rgb '#56B4E9' title 'bound'
set lmargin at screen 0.3333333333333333
set rmargin at screen 0.5555555555555556
unset key
set title '1,000 apps, 300 nodes'
$data6 << EOD
3 92.7
4 92.6
5 85.7
6 77.1
EOD
$data7 << EOD
3 80.3
4 77.9
5 76
6 68.1
EOD
$data8 << EOD
3 89.9
4 91.2
5 88.7
6 84.9
EOD
$data9 << EOD
3 89.9
4 91.2
5 88.7
6 84.9
EOD
$data10 << EOD
3 98.6
4 99
5 95.9
6 91.9
EOD
$data11 << EOD
3 100
4 100
5 100
6 100
EOD
plot $data6 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data7 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data8 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data9 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data10 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s', $data11 using 1:2 with linespoints lw 1.5 ps 0.6 pt 0 dt 2 lc rgb '#56B4E9' title 'bound'
set lmargin at screen 0.6148148148148148
set rmargin at screen 0.837037037037037
set key outside right top
set title '2,000 apps, 500 nodes'
$data12 << EOD
3 91.25
4 89.35
5 85.05
6 77.45
EOD
$data13 << EOD
3 76.4
4 73.95
5 71.05
6 65.35
EOD
$data14 << EOD
3 90.7
4 90.2
5 88.55
6 85.75
EOD
$data15 << EOD
3 90.7
4 90.2
5 88.55
6 85.75
EOD
$data16 << EOD
3 96.1
4 96
5 94.3
6 91.65
EOD
$data17 << EOD
3 100
4 100
5 100
6 99.8
EOD
plot $data12 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data13 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data14 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data15 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data16 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s', $data17 using 1:2 with linespoints lw 1.5 ps 0.6 pt 0 dt 2 lc rgb '#56B4E9' title 'bound'
unset multiplot
