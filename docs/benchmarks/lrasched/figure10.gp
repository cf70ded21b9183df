# Draw with: gnuplot figure10.gp
set terminal svg size 1350,400 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure10.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
set multiplot title 'Figure 10: nodes added, so that all applications are placed'
set tmargin at screen 0.83
set bmargin at screen 0.15
set xlabel 'resources'
set ylabel 'nodes'
set xtics 1
set offsets 0.2, 0.2, 0, 0
set yrange [0:*]
set lmargin at screen 0.05185185185185185
set rmargin at screen 0.2740740740740741
unset key
set title '500 apps, 100 nodes'
$data0 << EOD
3 1
4 5
5 7
6 11
EOD
$data1 << EOD
3 10
4 10
5 14
6 18
EOD
$data2 << EOD
3 0
4 5
5 3
6 8
EOD
$data3 << EOD
3 0
4 5
5 3
6 8
EOD
$data4 << EOD
3 0
4 3
5 2
6 6
EOD
$data5 << EOD
3 0
4 1.999999999998181
5 0
6 0.9999999999990905
EOD
plot $data0 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data1 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data2 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data3 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data4 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s', $data5 using 1:2 with linespoints lw 1.5 ps 0.6 pt 0 dt 2 lc rgb '#56B4E9' title 'bound'
set lmargin at screen 0.3333333333333333
set rmargin at screen 0.5555555555555556
unset key
set title '1,000 apps, 300 nodes'
$data6 << EOD
3 10
4 10
5 20
6 32
EOD
$data7 << EOD
3 23
4 28
5 35
6 48
EOD
$data8 << EOD
3 3
4 4
5 13
6 21
EOD
$data9 << EOD
3 3
4 4
5 13
6 21
EOD
$data10 << EOD
3 3
4 4
5 13
6 21
EOD
$data11 << EOD
3 0
4 0
5 0
6 0
EOD
plot $data6 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data7 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data8 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data9 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data10 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s', $data11 using 1:2 with linespoints lw 1.5 ps 0.6 pt 0 dt 2 lc rgb '#56B4E9' title 'bound'
set lmargin at screen 0.6148148148148148
set rmargin at screen 0.837037037037037
set key outside right top
set title '2,000 apps, 500 nodes'
$data12 << EOD
3 17
4 23
5 34
6 51
EOD
$data13 << EOD
3 48
4 57
5 72
6 88
EOD
$data14 << EOD
3 9
4 15
5 23
6 37
EOD
$data15 << EOD
3 9
4 15
5 23
6 37
EOD
$data16 << EOD
3 9
4 15
5 23
6 37
EOD
$data17 << EOD
3 0
4 0
5 0
6 0.9999999999990905
EOD
plot $data12 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data13 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data14 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data15 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data16 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s', $data17 using 1:2 with linespoints lw 1.5 ps 0.6 pt 0 dt 2 lc rgb '#56B4E9' title 'bound'
unset multiplot
