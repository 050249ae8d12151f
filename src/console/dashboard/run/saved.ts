/** The files of a run that the page makes itself: its results as a workbook, and what people read of them as one HTML file. */
import type { Results } from '../../../codec/api-simulation.js';
import { forecastRows, populationRows, sectorRows } from '../../../codec/simulation-results.js';
import type { Fact, Row } from '../../../reports/content.js';
import { factsHtml, shellOf, tableHtml } from '../../../reports/html.js';
import { escaped } from '../../../reports/text.js';
import { xlsxBytes } from '../../../reports/xlsx.js';
import { pictureOf } from '../../kit/charts/picture.js';

export const workbookOf = (results: Results): Uint8Array =>
  xlsxBytes([
    { name: 'Forecast', rows: forecastRows(results.forecast) },
    { name: 'Sectors', rows: sectorRows(results.sectors) },
    { name: 'Population', rows: populationRows(results.population) },
    { name: 'About', rows: aboutRows(results) },
  ]);

/** Returns what the run can be found and repeated by. Numbers are texts: a spreadsheet keeps 15 digits of a seed. */
const aboutRows = ({ id, created_at, engine, request: { sectors, ...request }, outcome_hash }: Results): readonly Row[] => [
  ['About', null],
  ['run', id],
  ['created_at', created_at],
  ['engine', `${engine.name} ${engine.version}`],
  ...Object.entries(request).map(([name, value]) => [name, String(value)]),
  ...(sectors ?? []).map((sector, i) => [`sectors[${i}]`, JSON.stringify(sector)]),
  ['outcome_hash', outcome_hash],
];

/** What a page shows besides controls. */
const parts = '.eyebrow, h2:not(.sr-only), dl, figure, .notice, table.data, .command-line code';
const table_rows_max = 60;

/** Returns the page as a file. @param foot a line at its end */
export function pageHtml(main: HTMLElement, foot: string): string {
  const shown = [...main.querySelectorAll<HTMLElement>(parts)].filter(
    (each) =>
      each.closest('[data-screen-only], .print-only, details') === null && (each.parentElement?.closest(parts) ?? null) === null,
  );
  const title = main.querySelector('h1')?.innerText ?? '';
  const body = `<header><h1>${escaped(title)}</h1></header>\n${shown.map(partHtml).join('\n')}\n`;
  return shellOf({ title, body, foot: escaped(foot), language: document.documentElement.lang });
}

function partHtml(element: HTMLElement): string {
  const kind = element.localName;
  if (kind === 'dl') return factsHtml(factsOf(element), element.classList.contains('figures') ? 'figures' : 'plain');
  if (element instanceof HTMLTableElement) {
    const [head = [], ...rows] = Array.from(element.rows, ({ cells }) => Array.from(cells, ({ innerText }) => innerText.trim()));
    return tableHtml({ title: element.caption?.innerText ?? '', head, rows }, table_rows_max, 'in the spreadsheet of this run');
  }
  const text = escaped(element.matches('.eyebrow') ? besideText(element) : element.innerText);
  if (kind === 'figure') {
    const title = element.querySelector('h3')?.innerText ?? '';
    const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(pictureOf(element, title).text)}`;
    return `<figure><img src="${source}" alt="${escaped(title)}"></figure>`;
  }
  if (kind === 'h2') return `<h2>${text}</h2>`;
  return kind === 'code' ? `<pre>${text}</pre>` : `<p>${text.replace(/\n+/g, '<br>')}</p>`;
}

/** Returns what stands beside each other as one line. */
const besideText = ({ children }: HTMLElement): string =>
  [...children].map((each) => (each as HTMLElement).innerText.replace('\n', ' ')).join(' · ');

const factsOf = (list: HTMLElement): Fact[] =>
  [...list.querySelectorAll('dt')].map((name): Fact => {
    const value = name.nextElementSibling;
    const main = value?.querySelector<HTMLElement>('.figure-value, code') ?? (value as HTMLElement | null);
    return [name.innerText, main?.innerText ?? '', value?.querySelector<HTMLElement>('.figure-below')?.innerText];
  });
