/** Draws a population's points. */
import { spanOf } from '../../kit/charts/scale.js';
import { shadeOf, type Placed, type Worth } from './places.js';

export const shades = 5;
const front_radius = 4.5;
const behind_radius = 2.5;
const behind_alpha = 0.4;

interface Dots {
  readonly population: readonly Worth[];
  readonly placed: Placed;
  readonly shown: readonly number[];
}

/** Returns what draws those behind in one path for each shade, above them the front, each with an outline that parts it from its neighbours. */
export function drawingOf({ population, placed, shown }: Dots) {
  const shade = shadeOf(spanOf(population.map(({ complexity }) => complexity)), shades);
  const shadeAt = (i: number): number => shade(population[i]?.complexity ?? 0);
  const circle = (i: number, radius: number): Path2D => {
    const path = new Path2D();
    path.arc(placed.xs[i] ?? 0, placed.ys[i] ?? 0, radius, 0, 2 * Math.PI);
    return path;
  };
  return (context: CanvasRenderingContext2D, colour: (name: string) => string): void => {
    const fills = Array.from({ length: shades }, (_, i) => colour(`--shade-${i}`));
    const groups = Array.from({ length: shades }, () => new Path2D());
    for (const i of shown) if (population[i]?.rank !== 0) groups[shadeAt(i)]?.addPath(circle(i, behind_radius));
    context.globalAlpha = behind_alpha;
    for (const [i, group] of groups.entries()) {
      context.fillStyle = fills[i] ?? '';
      context.fill(group);
    }
    context.globalAlpha = 1;
    context.strokeStyle = colour('--dot-line');
    for (const i of shown) {
      if (population[i]?.rank !== 0) continue;
      context.fillStyle = fills[shadeAt(i)] ?? '';
      const dot = circle(i, front_radius);
      context.fill(dot);
      context.stroke(dot);
    }
  };
}
