// The best plan so far over time, while a planner runs and after it.
import type { Store } from '../../state.js';
import { Chart } from '../elements/chart.js';
import { byId, h } from '../elements/dom.js';
import { count, duration, number } from '../elements/format.js';

/** With fewer points, the course says no more than the result does. */
const FEWEST = 2;

export function showCourse(store: Store): void {
  const place = h('div', {
    id: 'course-chart',
    className: 'chart',
    set: { role: 'img', 'aria-label': 'Best plan so far against time; the line below says the last step' },
  });
  const reading = h('p', { className: 'reading', id: 'course-reading' });
  const title = h('h3', {}, 'Best plan so far');
  const part = h('div', { id: 'course', hidden: true }, title, place, reading);
  byId('results').append(part);
  const chart = new Chart(place, 170);
  const draw = (): void => {
    const { course, scenario } = store.state;
    part.hidden = course === undefined || course.scenario !== scenario || course.points.length < FEWEST;
    if (part.hidden || course === undefined) return chart.clear();
    const { planner, points } = course;
    title.textContent = `Best plan of ${planner} so far`;
    const last = points.at(-1)!;
    const left = last.left > 0 ? `, ${count(last.left, 'replica')} unplaced` : '';
    reading.textContent = `After ${duration(last.at)}: ${number(last.value)}${last.value === last.nodes ? ' nodes' : `, ${count(last.nodes, 'node')}`}${left}.`;
    // The best plan stays until the next one, so that the line has steps.
    const steps = points.flatMap((one, k) => (k === 0 ? [one] : [{ ...points[k - 1]!, at: one.at - 1e-6 }, one]));
    chart.draw([steps.map(({ at }) => at / 1000), steps.map(({ value }) => value)], (stroke, grid) => ({
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: { x: { time: false } },
      axes: [
        { stroke, grid: { stroke: grid, width: 1 }, values: (_, splits) => splits.map((one) => `${one} s`) },
        { stroke, grid: { stroke: grid, width: 1 }, size: 56 },
      ],
      series: [{ label: 'time' }, { label: 'best so far', stroke: '#d55e00', width: 2, points: { show: false } }],
    }));
  };
  store.on(['course', 'scenario'], draw);
  addEventListener('themechange', draw);
}
