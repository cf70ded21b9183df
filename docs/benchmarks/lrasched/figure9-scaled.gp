# Draw with: gnuplot figure9-scaled.gp
set terminal svg size 1350,400 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'figure9-scaled.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
set multiplot title 'Figure 9: utilization, scaled load'
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
3 90.94190211600008
4 86.75189151510216
5 83.01461293638393
6 77.74569370010977
EOD
$data1 << EOD
3 76.7558929037583
4 76.8677641595779
5 71.79019961388747
6 65.97432839358872
EOD
$data2 << EOD
3 87.45050998041673
4 80.793998083874
5 82.70555666413782
6 78.0109613727398
EOD
$data3 << EOD
3 87.45050998041673
4 80.793998083874
5 82.70555666413782
6 78.0109613727398
EOD
$data4 << EOD
3 92.4550341483148
4 87.34963517936086
5 90.56167622891846
6 85.27303323925112
EOD
plot $data0 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data1 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data2 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data3 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data4 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s'
set lmargin at screen 0.3333333333333333
set rmargin at screen 0.5555555555555556
unset key
set title '1,000 apps, 300 nodes'
$data5 << EOD
3 89.98617353657392
4 86.9278119615254
5 83.12319408357534
6 77.22970964055024
EOD
$data6 << EOD
3 81.82523638870525
4 77.0190806647924
5 75.70066118774234
6 69.78528415959471
EOD
$data7 << EOD
3 79.62420990564338
4 79.18083125368078
5 78.08402857353356
6 74.93997441084068
EOD
$data8 << EOD
3 79.62420990564338
4 79.18083125368078
5 78.08402857353356
6 74.93997441084068
EOD
$data9 << EOD
3 92.17729864005193
4 89.8509197204069
5 87.24802297852234
6 83.58203904401535
EOD
plot $data5 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data6 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data7 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data8 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data9 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s'
set lmargin at screen 0.6148148148148148
set rmargin at screen 0.837037037037037
set key outside right top
set title '2,000 apps, 500 nodes'
$data10 << EOD
3 92.64973434900664
4 89.73859920478057
5 86.51454048150175
6 81.72152890911248
EOD
$data11 << EOD
3 82.9403217475741
4 78.41047805722782
5 74.88487638501613
6 70.72360561333689
EOD
$data12 << EOD
3 84.01740221087425
4 82.38993040696552
5 81.21644910440062
6 79.3673788536564
EOD
$data13 << EOD
3 84.01740221087425
4 82.38993040696552
5 81.21644910440062
6 79.3673788536564
EOD
$data14 << EOD
3 91.97409913320647
4 90.46472025613872
5 88.81083272657887
6 87.5530341361567
EOD
plot $data10 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#000000' title 'lrasched', $data11 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#0072B2' title 'lrasched-ffd', $data12 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#D55E00' title 'lrasched-ilp, 20 s', $data13 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#009E73' title 'admit', $data14 using 1:2 with linespoints lw 1.5 ps 0.6 pt 7 lc rgb '#CC79A7' title 'auto, 1 s'
unset multiplot
