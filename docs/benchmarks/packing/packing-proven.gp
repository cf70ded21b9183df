# Draw with: gnuplot packing-proven.gp
set terminal svg size 936,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'packing-proven.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$proven << EOD
"u120" 100 100 100
"u250" 100 100 0
"u500" 100 100 0
"t60" 100 100 0
"t120" 100 100 0
"t249" 100 100 0
"ct, 2-D, 60" 100 90 60
"ct, 2-D, 120" 100 90 30
"ct, 2-D, 249" 80 80 40
"ct, 2-D, 500" 60 30 40
"ct, 10-D, 60" 90 80 30
"ct, 10-D, 120" 90 80 30
"ct, 10-D, 249" 80 70 40
"ct, 10-D, 500" 40 40 30
EOD
set title 'Packing classes: proven optimal'
set ylabel 'instances, %'
set yrange [0:100]
set style data histograms
set style histogram clustered gap 1
set style fill solid
set xtics rotate by -45
set key outside right top
plot $proven using 2:xtic(1) lc rgb '#0072B2' title 'auto', $proven using 3 lc rgb '#D55E00' title 'csp-mac', $proven using 4 lc rgb '#009E73' title 'best list planner'
