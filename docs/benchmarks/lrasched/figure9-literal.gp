# Draw with: gnuplot figure9-literal.gp
set terminal svg size 1350,400 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure9-literal.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
set multiplot title 'Figure 9: utilization, literal load'
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
3 88.55408609172001
4 83.7913168272972
5 76.02779254801277
6 69.03326566403226
EOD
$data1 << EOD
3 85.90322782518211
4 82.56446450608499
5 75.0116915450261
6 68.00206385209472
EOD
$data2 << EOD
3 74.98809344923914
4 70.37842541431229
5 69.09766352716167
6 65.01060741498598
EOD
$data3 << EOD
3 74.98809344923914
4 70.37842541431229
5 69.09766352716167
6 65.01060741498598
EOD
$data4 << EOD
3 89.51106736133315
4 85.2667471104203
5 81.77419135722062
6 75.20964454666952
EOD
plot $data0 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data1 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data2 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data3 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data4 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s'
set lmargin at screen 0.3333333333333333
set rmargin at screen 0.5555555555555556
unset key
set title '1,000 apps, 300 nodes'
$data5 << EOD
3 89.82089367515813
4 86.22062083960175
5 78.97094027444656
6 72.92469484236209
EOD
$data6 << EOD
3 89.37418728659156
4 82.39761564147268
5 75.19732372438195
6 70.77489594673546
EOD
$data7 << EOD
3 73.73922737285184
4 71.38933169321714
5 67.66627003846828
6 64.09647998088263
EOD
$data8 << EOD
3 73.73922737285184
4 71.38933169321714
5 67.66627003846828
6 64.09647998088263
EOD
$data9 << EOD
3 85.47133256716674
4 82.53573561231946
5 78.68291792057134
6 74.32166236472828
EOD
plot $data5 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data6 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data7 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data8 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data9 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s'
set lmargin at screen 0.6148148148148148
set rmargin at screen 0.837037037037037
set key outside right top
set title '2,000 apps, 500 nodes'
$data10 << EOD
3 92.24894957779037
4 87.07014944713407
5 81.67382353779882
6 75.81529976400738
EOD
$data11 << EOD
3 89.75655205227315
4 84.98655598667403
5 79.1170250511729
6 74.5927190304375
EOD
$data12 << EOD
3 76.6373295828072
4 73.15477327224869
5 70.29857532356144
6 66.97408628669284
EOD
$data13 << EOD
3 76.6373295828072
4 73.15477327224869
5 70.29857532356144
6 66.97408628669284
EOD
$data14 << EOD
3 86.86030047182165
4 83.17008191444194
5 80.48194712821324
6 80.427247736281
EOD
plot $data10 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data11 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data12 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data13 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data14 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s'
unset multiplot
