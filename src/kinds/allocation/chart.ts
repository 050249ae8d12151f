/** Sketches value against cost of the Pareto-optimal choices. */
import { axisLines } from '../../pictures/axis.js';
import { Chart, scaleOf, valueLabels } from '../../pictures/chart.js';
import { figure, type Screen } from '../../pictures/screen.js';
import { heading } from '../../pictures/layout.js';
import type { Picture } from '../../pictures/picture.js';
import { viewOf } from '../view-fields.js';
import { allocationResult, type AllocationView } from './view.js';

const rows = 6;
const columns_max = 60;

/** Draws the sketch; empty for a single point. */
function paretoSketch({ pareto, cost, value }: AllocationView, screen: Screen): string[] {
  if (pareto.length < 2) return [];
  const { glyphs } = screen;
  const [least, most] = scaleOf([cost, ...pareto.map((point) => point.cost)]);
  const scale = scaleOf([value, ...pareto.map((point) => point.value)]);
  const labels = valueLabels(scale, rows).map((label) => `  ${label}`);
  const left = ' '.repeat((labels[0] ?? '').length + 1);
  const columns = Math.min(columns_max, screen.columns - left.length - 1);
  const chart = new Chart(columns, rows, scale, screen);
  const column = (at: number): number => Math.round(((at - least) / (most - least)) * (columns - 1));
  for (const point of pareto) chart.canvas.put(column(point.cost), chart.row(point.value), glyphs.point, 'blue');
  chart.canvas.put(column(cost), chart.row(value), glyphs.chosen, 'green');
  const marks = [
    { column: 0, label: figure(least) },
    { column: columns, label: figure(most) },
  ];
  return [
    heading(`value by cost: ${glyphs.chosen} this choice, ${glyphs.point} other choices on the Pareto front`, screen),
    ...chart.lines(labels),
    ...axisLines(marks, columns, left, screen),
  ];
}

export const allocationChart: Picture = ({ result }, screen) => {
  const view = viewOf(allocationResult, result);
  return view && paretoSketch(view, screen);
};
