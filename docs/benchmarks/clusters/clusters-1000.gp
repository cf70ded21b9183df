# Draw with: gnuplot clusters-1000.gp
set terminal svg size 900,562 font 'sans-serif,12' background '#FFFFFF' noenhanced
set output 'clusters-1000.svg'
set datafile missing 'NaN'
set grid lc rgb '#DDDDDD' lt 1
set border 3 lc rgb '#555555'
set tics nomirror
set format y '%g'
$contender0 << EOD
0.3467334989534554 0
0.7472423783099758 1
0.9310973052323646 2
0.8764075955799533 3
0.8140029360319989 4
0.4491900857239828 5
1.4949266446335763 6
0.4775293753027543 7
1.4601449562559043 8
0.8979813901924039 9
0.3732978806025966 10
4.104697507800159 11
0.2514321385446272 12
EOD
$contender1 << EOD
0.059126915810903125 0
0.14439859112809206 1
0.17469178817821618 2
0.19250405331870946 3
0.19250405331870946 4
0.10155997254361893 5
0.8850359361474158 6
0.13089002900310565 7
0.3306031687721367 8
0.6653120347531183 9
0.0727241973764392 10
1.4927805469952538 11
0.06605019815059121 12
EOD
set title 'Clusters of 1,000 apps: how far plans are above their bounds'
set xlabel 'above the bound, %'
set xrange [0:*]
set yrange [13-0.5:-0.5]
set key outside right top
set ytics ('none' 0, 'limits' 1, 'selectors' 2, 'spread-hard' 3, 'spread-soft' 4, 'soft-apart' 5, 'all' 6, 'continuous' 7, 'periods' 8, 'uncertain' 9, 'exclusions' 10, 'periods+uncertain+exclusions' 11, 'one-class' 12)
plot $contender0 using 1:2 with points pt 7 ps 0.9 lc rgb '#0072B2' title 'auto, 100 ms', $contender1 using 1:2 with points pt 7 ps 0.9 lc rgb '#D55E00' title 'auto, 1 s'
