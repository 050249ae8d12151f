/** Draws a population's points. A canvas takes ten thousand at once where as many elements would make the page slow. */
import { spanOf } from '../../kit/charts/scale.js';
import { shadeOf, type Placed, type Worth } from './places.js';

export const shades = 5;
const front_radius = 4.5;
const behind_radius = 2.5;
const behind_alpha = 0.4;

export interface Dots {
  readonly population: readonly Worth[];
  readonly placed: Placed;
  readonly shown: readonly number[];
}

/** Those behind in one path for each shade, above them the front, each with an outline that parts it from its neighbours. */
export function drawDots(canvas: HTMLCanvasElement, { population, placed, shown }: Dots): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const ratio = canvas.width / Math.max(1, canvas.clientWidth);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  const { outline, fills } = coloursOf(canvas);
  const shade = shadeOf(spanOf(population.map(({ complexity }) => complexity)), shades);
  const shadeAt = (i: number): number => shade(population[i]?.complexity ?? 0);
  const circle = (i: number, radius: number): Path2D => {
    const path = new Path2D();
    path.arc(placed.xs[i] ?? 0, placed.ys[i] ?? 0, radius, 0, 2 * Math.PI);
    return path;
  };
  const groups = Array.from({ length: shades }, () => new Path2D());
  for (const i of shown) if (population[i]?.rank !== 0) groups[shadeAt(i)]?.addPath(circle(i, behind_radius));
  context.globalAlpha = behind_alpha;
  for (const [i, group] of groups.entries()) {
    context.fillStyle = fills[i] ?? '';
    context.fill(group);
  }
  context.globalAlpha = 1;
  context.strokeStyle = outline;
  for (const i of shown) {
    if (population[i]?.rank !== 0) continue;
    context.fillStyle = fills[shadeAt(i)] ?? '';
    const dot = circle(i, front_radius);
    context.fill(dot);
    context.stroke(dot);
  }
}

function coloursOf(canvas: HTMLCanvasElement): { readonly outline: string; readonly fills: readonly string[] } {
  const style = getComputedStyle(canvas);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  return { outline: colour('--dot-line'), fills: Array.from({ length: shades }, (_, i) => colour(`--shade-${i}`)) };
}
