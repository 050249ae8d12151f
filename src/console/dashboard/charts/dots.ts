/** Draws a population's points. A canvas takes ten thousand at once where as many elements would make the page slow. */
import { spanOf } from '../../charts/scale.js';
import { shadeOf, type Placed, type Worth } from '../pure/scatter.js';

export const shades = 5;
const front_radius = 4.5;
const behind_radius = 2.5;
const behind_alpha = 0.4;

export interface Dots {
  readonly population: readonly Worth[];
  readonly placed: Placed;
  readonly shown: readonly number[];
}

/** Those behind first, so that the front lies above them; one path for each shade. */
export function drawDots(canvas: HTMLCanvasElement, { population, placed, shown }: Dots): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const ratio = canvas.width / Math.max(1, canvas.clientWidth);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  const colour = coloursOf(canvas);
  const shade = shadeOf(spanOf(population.map(({ complexity }) => complexity)), shades);
  for (const isFront of [false, true]) {
    const groups = Array.from({ length: shades }, () => new Path2D());
    for (const i of shown) {
      const one = population[i];
      if (one === undefined || (one.rank === 0) !== isFront) continue;
      addDot(groups[shade(one.complexity)], placed.xs[i] ?? 0, placed.ys[i] ?? 0, isFront ? front_radius : behind_radius);
    }
    context.globalAlpha = isFront ? 1 : behind_alpha;
    for (const [i, group] of groups.entries()) {
      context.fillStyle = colour(`--shade-${i}`);
      context.fill(group);
      if (isFront) context.strokeStyle = colour('--dot-line');
      if (isFront) context.stroke(group);
    }
  }
}

function addDot(group: Path2D | undefined, x: number, y: number, radius: number): void {
  group?.moveTo(x + radius, y);
  group?.arc(x, y, radius, 0, 2 * Math.PI);
}

function coloursOf(canvas: HTMLCanvasElement): (name: string) => string {
  const style = getComputedStyle(canvas);
  return (name) => style.getPropertyValue(name).trim();
}
