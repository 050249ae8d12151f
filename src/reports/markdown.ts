/** Reports as Markdown, for what people write around them. Nothing in such a file proves it; the HTML report does. */
import { explanations } from '../kinds/explained.js';
import { type Cell, type Fact, momentText, numberText, type ReportTable, utcText } from './content.js';
import { approvalFacts, approvedBy, draft_mark, kindName, originFacts, type Report } from './report.js';
import { titleOf } from './title.js';
import { escapedMarkdown as given, visible } from './text.js';

const cellText = (cell: Cell): string => {
  if (cell === null) return '–';
  if (typeof cell === 'number') return numberText(cell);
  return typeof cell === 'string' ? given(cell) : momentText(cell.date);
};

function table({ title, head, rows }: ReportTable): readonly string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, i) => (rows.some((row) => typeof row[i] === 'number') ? '---:' : '---'));
  return [`### ${title}`, [line(head.map(given)), line(rule), ...rows.map((row) => line(row.map(cellText)))].join('\n')];
}

const facts = (all: readonly Fact[]): readonly string[] =>
  all.length === 0
    ? []
    : [all.map(([name, value, note]) => `- ${name}: ${given(value)}${note === undefined ? '' : ` (${given(note)})`}`).join('\n')];

function listing(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return [`${fence}\n${text.replace(/\n$/, '').split('\n').map(visible).join('\n')}\n${fence}`];
}

function approval(report: Report): readonly string[] {
  const { approval: given_ } = report;
  const known = originFacts(report);
  if (given_ === null) return ['## Review', `**${draft_mark}.** This result is not approved.`, ...facts(known)];
  const { at, note, signatories } = given_;
  const said = [
    `Approved by ${approvedBy(given_).map(given).join(', ')} on ${utcText(at)}.`,
    ...(signatories.length === 0 ? [`> ${given(note)}`] : []),
  ];
  return ['## Approval', ...said, ...facts([...approvalFacts(given_), ...known])];
}

export function markdownOf(report: Report): string {
  const { author, content, kind, goal } = report;
  const { title, rest } = titleOf(goal);
  const isDraft = report.approval === null;
  const parts = [
    `# ${isDraft ? `${draft_mark}: ` : ''}${given(title)}`,
    ...(isDraft ? [`**${draft_mark}**`] : []),
    `${kindName(kind)}, ${isDraft ? 'needs review' : 'approved result'}${author === null ? '' : `, question ${given(author)}`}`,
    '## Question',
    ...(rest === '' ? [] : [given(rest)]),
    given(content.question),
    ...facts(content.inputs),
    '## Answer',
    `**${given(content.answer)}**`,
    ...facts(content.figures),
    ...content.tables.slice(0, 1).flatMap(table),
    ...listing(content.listing),
    ...content.tables.slice(1).flatMap(table),
    ...(content.limits.length === 0 ? [] : ['## Limitations', content.limits.map((text) => `- ${given(text)}`).join('\n')]),
    ...approval(report),
    ...(content.terms.length === 0
      ? []
      : ['## Terms', content.terms.map((term) => `- ${term}: ${explanations.en[term]}`).join('\n')]),
    ...(isDraft
      ? []
      : [
          '## How to check it',
          'This file proves nothing by itself. The HTML report of this mission holds its signed export and can be checked with `agent-cli verify-export`.',
        ]),
  ];
  return `${parts.join('\n\n')}\n`;
}
