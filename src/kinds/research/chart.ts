/** Draws findings: each quote under the title of its source, with the goal's words marked. */
import type { Inference } from '../../codec/chat-completion.js';
import { byRank, researchResult, type ResearchView } from './view.js';
import { clean, columnsOf, fit, wrapTo } from '../../pictures/columns.js';
import { figure, type Screen } from '../../pictures/screen.js';
import { heading } from '../../pictures/layout.js';
import { marked } from './terms.js';
import { namesOf, viewOf } from '../view-fields.js';
import type { Picture } from '../../pictures/picture.js';

const label_columns = 7;
const score_columns = 5;

type Finding = ResearchView['findings'][number];
type Source = ResearchView['sources'][number];

/** Returns the score in a column of its own; nothing where nothing ranks the findings. */
function scoreText(score: number | null): string {
  if (score === null) return '';
  return `  ${(Math.abs(score) < 1e4 ? score.toFixed(1) : figure(score, 3)).padStart(score_columns)}`;
}

/** Returns a line with the title, cut if necessary, and at the right the page or the position in the source. */
function headLine(finding: Finding, number: number, source: Source | undefined, { paint, glyphs, columns }: Screen): string {
  const { start, end, page } = finding;
  const place = page === undefined ? `${figure(start)}-${figure(end)}` : `page ${figure(page)}`;
  const left = `  ${`[${number}]`.padStart(4)} `;
  const right = `  ${fit(clean(finding.source_id), 20, glyphs.more)} ${place}${scoreText(finding.score)}`;
  const room = columns - left.length - columnsOf(right);
  const named = clean(source?.title ?? '');
  const link = clean(source?.url ?? '');
  const title = fit(link === '' ? named : `${named} <${link}>`, room, glyphs.more);
  return `${left}${paint('bold', title)}${' '.repeat(Math.max(0, room - columnsOf(title)))}${paint('grey', right)}`;
}

/** Begins each line of foreign text with a bar, so that it cannot look like a line of this program. */
const edged = (line: string, { paint, glyphs }: Screen): string =>
  `       ${paint('grey', glyphs.upright)}${line === '' ? '' : ' '}${line}`;

/** Returns the lines of a quote, below those of the header of its table. */
const quoteLines = ({ quote, header, terms }: Finding, { paint, columns }: Screen, width = columns - 9): string[] =>
  [...(header === undefined ? [] : wrapTo(clean(header), width)), ...wrapTo(clean(quote), width)].map((line) =>
    marked(line, terms)
      .map(({ text, hit }) => (hit ? paint('yellow', text) : text))
      .join(''),
  );

/** Returns the lines of a quote. One that a language model proposed follows the claim that the model wrote. */
function textLines(finding: Finding, screen: Screen): string[] {
  const { claim = '', score } = finding;
  if (score !== null) return quoteLines(finding, screen).map((line) => edged(line, screen));
  const width = screen.columns - 9 - label_columns;
  const told = wrapTo(clean(claim), width);
  return [...labelled('claim', told), ...labelled('quote', quoteLines(finding, screen, width))].map((line) =>
    edged(line, screen),
  );
}

/** Returns a line that says how often and where a finding is repeated; none if it is not. */
function copiesLine({ copies = 0, also_in = [] }: Finding, nameOf: (id: string) => string, screen: Screen): string[] {
  const { paint, glyphs, columns } = screen;
  if (copies === 0) return [];
  const times = copies === 1 ? 'repeated once' : `repeated ${figure(copies)} times`;
  const text =
    also_in.length === 0 ? `${times} in this source` : `${times}, also in ${also_in.map((id) => clean(nameOf(id))).join(', ')}`;
  return [`       ${paint('grey', fit(text, columns - 7, glyphs.more))}`];
}

const labelled = (label: string, lines: readonly string[]): string[] =>
  lines.map((line, i) => `${(i === 0 ? label : '').padEnd(label_columns)}${line}`.trimEnd());

function findingLines({ findings, sources }: ResearchView, screen: Screen): string[] {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const nameOf = namesOf(sources);
  return byRank(findings).flatMap((finding, i) => [
    headLine(finding, i + 1, byId.get(finding.source_id), screen),
    ...textLines(finding, screen),
    ...copiesLine(finding, nameOf, screen),
  ]);
}

/** Returns which model was asked, where another one answered. */
const requestedText = ({ model, reported_model }: Inference): string =>
  reported_model === null || reported_model === model ? '' : `; the model requested: ${clean(model)}`;

/** Returns what stands for the places of the findings. */
const placesOf = (findings: ResearchView['findings']): string =>
  findings.every(({ page }) => page === undefined)
    ? 'characters'
    : findings.some(({ page }) => page === undefined)
      ? 'pages, characters'
      : 'pages';

export const researchChart: Picture = ({ result }, screen) => {
  const view = viewOf(researchResult, result);
  if (view === null || view.findings.length === 0) return view && [];
  const { findings, inference } = view;
  const more = inference === undefined ? ' and score' : requestedText(inference);
  return [heading(`Findings; at the right: ${placesOf(findings)}${more}`, screen), ...findingLines(view, screen)];
};
