/** The tables of a soak, in Markdown. */
import type { Level } from './measured.js';
import type { Report } from './soak.js';

const ms = (value: number): string => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en'));
const mb = ({ rss_bytes }: Level): string => `${Math.round(rss_bytes / 1_048_576)} MB`;

export function tablesOf({
  seed,
  seconds,
  operations,
  acknowledged,
  kills,
  stops,
  lost,
  doubled,
  levels,
}: Report): readonly string[] {
  const names = Object.keys(levels) as (keyof typeof levels)[];
  return [
    '| Operation | Count | Interrupted | Failures | p50 (ms) | p99 (ms) |',
    '|---|---|---|---|---|---|',
    ...operations.map(
      ({ operation, count, interrupted, failures, p50_ms, p99_ms }) =>
        `| ${operation} | ${count.toLocaleString('en')} | ${interrupted} | ${failures} | ${ms(p50_ms)} | ${ms(p99_ms)} |`,
    ),
    '',
    `| The daemon | ${names.join(' | ')} |`,
    `|---|${names.map(() => '---|').join('')}`,
    `| memory | ${names.map((name) => mb(levels[name])).join(' | ')} |`,
    `| file handles | ${names.map((name) => levels[name].handles).join(' | ')} |`,
    '',
    `seed ${seed}, ${Math.round(seconds)} s; kills: ${kills}; stops: ${stops}; steps acknowledged: ${acknowledged.toLocaleString('en')}; lost: ${lost}; doubled: ${doubled}`,
  ];
}
