# Draw with: gnuplot figure8-literal.gp
set terminal svg size 1350,400 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure8-literal.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
set multiplot title 'Figure 8: applications admitted, literal load'
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
3 34.4
4 33.2
5 30
6 26.8
EOD
$data1 << EOD
3 33
4 31.8
5 29.4
6 26
EOD
$data2 << EOD
3 46.4
4 43.2
5 40.4
6 37.4
EOD
$data3 << EOD
3 46.4
4 43.2
5 40.4
6 37.4
EOD
$data4 << EOD
3 52.8
4 49.8
5 46
6 42
EOD
$data5 << EOD
3 57.2
4 56.2
5 54.2
6 52.8
EOD
plot $data0 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data1 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data2 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data3 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data4 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s', $data5 using 1:2 with linespoints lw 1.5 ps 0.6 pt 0 dt 2 lc rgb '#56B4E9' title 'bound'
set lmargin at screen 0.3333333333333333
set rmargin at screen 0.5555555555555556
unset key
set title '1,000 apps, 300 nodes'
$data6 << EOD
3 52.8
4 53
5 48
6 43.4
EOD
$data7 << EOD
3 52.3
4 49.4
5 45
6 41.5
EOD
$data8 << EOD
3 61.1
4 59.9
5 55.2
6 51.5
EOD
$data9 << EOD
3 61.1
4 59.9
5 55.2
6 51.5
EOD
$data10 << EOD
3 67.8
4 66.7
5 62
6 57.8
EOD
$data11 << EOD
3 75.7
4 76.8
5 74.7
6 73.3
EOD
plot $data6 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data7 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data8 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data9 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data10 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s', $data11 using 1:2 with linespoints lw 1.5 ps 0.6 pt 0 dt 2 lc rgb '#56B4E9' title 'bound'
set lmargin at screen 0.6148148148148148
set rmargin at screen 0.837037037037037
set key outside right top
set title '2,000 apps, 500 nodes'
$data12 << EOD
3 44
4 42.75
5 40.95
6 37
EOD
$data13 << EOD
3 42.35
4 41.6
5 39
6 36.05
EOD
$data14 << EOD
3 55.25
4 52.5
5 49.3
6 46.2
EOD
$data15 << EOD
3 55.25
4 52.5
5 49.3
6 46.2
EOD
$data16 << EOD
3 60.45
4 57.85
5 54.8
6 53.45
EOD
$data17 << EOD
3 66.85
4 66.5
5 65
6 63.65
EOD
plot $data12 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data13 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data14 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data15 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data16 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s', $data17 using 1:2 with linespoints lw 1.5 ps 0.6 pt 0 dt 2 lc rgb '#56B4E9' title 'bound'
unset multiplot
