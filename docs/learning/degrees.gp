# Draw with: gnuplot degrees.gp
set terminal svg size 780,420 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'degrees.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
set multiplot title 'app-1: 2 samples, goal 0.7; 8 cpu, 16 memory, 2 per node meets it with probability 93.6 %'
set tmargin at screen 0.76
set bmargin at screen 0.14
set logscale x 2
set xlabel 'containers per node'
set style fill solid 0.25 noborder
set key at screen 0.995,0.76 right top vertical maxrows 8 samplen 1.5
set yrange [0:1.05]
set lmargin at screen 0.08974358974358974
set rmargin at screen 0.6435897435897436
set ylabel 'performance'
$band0 << EOD
1 0.9157748515305214 0.8436174423279496 0.9703253219317157
2 0.8542245883322179 0.6801550801892919 0.957655698602318
4 0.5743821592356654 0.5404351914586112 0.607925408670764
8 0.22132656990258398 0.003770043504714826 0.5512591710726491
16 0.05850151452930147 0 0.23501373473174691
EOD
$curve0 << EOD
1 0.9157748515305214 0.8436174423279496 0.9703253219317157
2 0.8542245883322179 0.6801550801892919 0.957655698602318
4 0.5743821592356654 0.5404351914586112 0.607925408670764
8 0.22132656990258398 0.003770043504714826 0.5512591710726491
16 0.05850151452930147 0 0.23501373473174691
EOD
$measured0 << EOD
1 0.9443
2 0.8383
4 0.5738
8 0.01137
16 0.0007583
EOD
$samples0 << EOD
1 0.9443
4 0.5738
EOD
$chosen0 << EOD
2 0.8542245883322179
EOD
plot $band0 using 1:3:4 with filledcurves lc rgb '#56B4E9' title '9 of 10 lie here', $curve0 using 1:2 with lines lw 2 lc rgb '#0072B2' title 'expected', $measured0 with points pt 6 ps 0.6 lc rgb '#7F7F7F' title 'measured afterwards', $samples0 with points pt 7 ps 1 lc rgb '#000000' title 'sample', $chosen0 with points pt 9 ps 1.6 lc rgb '#D55E00' title 'chosen', 0.7 with lines dt 2 lc rgb '#009E73' title 'goal'
unset multiplot
