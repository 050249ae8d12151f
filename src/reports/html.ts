/** Reports as HTML: one file of about two printed pages that loads nothing, runs nothing, and ends with the export that it was made from. */
import { explanations } from '../kinds/explained.js';
import { type Cell, type Chart, type Fact, momentText, numberText, type ReportTable, utcText } from './content.js';
import { width } from './drawing.js';
import { approvalFacts, approvedBy, draft_mark, kindName, type Report } from './report.js';
import { titleOf } from './title.js';
import { pageStyle } from './style.js';
import { escaped } from './text.js';

/** A text of other people, whose letters order nothing around it. */
const given = (text: string): string => `<bdi>${escaped(text)}</bdi>`;

/** Rows that a table of the page has; the spreadsheets have all. */
const [first_rows_max, more_rows_max] = [14, 6];

const cellText = (cell: Cell): string => {
  if (cell === null) return '–';
  if (typeof cell === 'number') return numberText(cell);
  return typeof cell === 'string' ? given(cell) : escaped(momentText(cell.date));
};

const in_other_files =
  'are in the Markdown file of this result and, if it is approved, in its spreadsheet; whoever sent this page can make both';

/** @param elsewhere where the rows are that are too many */
export function tableHtml({ title, head, rows }: ReportTable, rows_max: number, elsewhere = in_other_files): string {
  const numeric = head.map((_, i) => rows.some((row) => typeof row[i] === 'number'));
  const dated = head.map((_, i) => rows.some((row) => typeof row[i] === 'object' && row[i] !== null));
  const mark = (i: number): string => (numeric[i] === true ? ' class="n"' : dated[i] === true ? ' class="d"' : '');
  const names = head.map((name, i) => `<th scope="col"${mark(i)}>${given(name)}</th>`).join('');
  const lines = rows.slice(0, rows_max).map((row) => {
    const cells = row.map((cell, i) => `<td${mark(i)}>${cellText(cell)}</td>`);
    return `<tr>${cells.join('')}</tr>`;
  });
  const left = rows.length - lines.length;
  const rest = left <= 0 ? '' : `<p class="soft">${numberText(left)} more ${elsewhere}.</p>\n`;
  return `<h3>${escaped(title)}</h3>\n<table tabindex="0">\n<thead><tr>${names}</tr></thead>\n<tbody>\n${lines.join('\n')}\n</tbody>\n</table>\n${rest}`;
}

function chart({ title, alt, svg, height, legend }: Chart): string {
  const keys = legend.map(([kind, text]) => `<li><i class="key ${kind}"></i>${given(text)}</li>`).join('');
  return `<figure>
<figcaption>${escaped(title)}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(alt)}">${svg}</svg>
${keys === '' ? '' : `<ul class="keys">${keys}</ul>\n`}</figure>
`;
}

export const factsHtml = (all: readonly Fact[], style: string): string =>
  all.length === 0
    ? ''
    : `<dl class="${style}">\n${all
        .map(([name, value, note]) => {
          const more = note === undefined ? '' : ` <span class="soft">${given(note)}</span>`;
          return `<div><dt>${escaped(name)}</dt><dd>${given(value)}${more}</dd></div>`;
        })
        .join('\n')}\n</dl>\n`;

const section = (title: string, body: string): string => (body === '' ? '' : `<section>\n<h2>${title}</h2>\n${body}</section>\n`);

const paragraph = (text: string): string => (text === '' ? '' : `<p>${text}</p>\n`);

function approvalText({ approval }: Report): string {
  if (approval === null)
    return paragraph(`<strong>${draft_mark}.</strong> This result is not approved. It may be rejected, and nothing proves it.`);
  const { at, note, isRecomputed, signatories } = approval;
  const unchecked =
    'The program did not hold the engine that made the result, and checked its claims without computing it again.';
  const who = approvedBy(approval)
    .map((name) => `<strong>${given(name)}</strong>`)
    .join(', ');
  const quote = signatories.length === 0 ? `<blockquote>${given(note)}</blockquote>\n` : '';
  const facts = factsHtml(approvalFacts(approval), 'plain');
  return `${paragraph(`Approved by ${who} on ${escaped(utcText(at))}.`)}${quote}${facts}${paragraph(isRecomputed ? '' : unchecked)}`;
}

function checkText({ entry, mission, result_hash, engine }: Report): string {
  const known: Fact[] = [
    ['Mission', mission],
    ...(engine === null ? [] : [['Engine', engine] as const]),
    ['SHA-256 of the result', result_hash],
    ...(entry === null
      ? []
      : ([
          ['Entry in the journal', `${entry.sequence}, hash ${entry.hash}`],
          ['Signed by', entry.identity],
        ] as const)),
  ];
  if (entry === null) return factsHtml(known, 'plain');
  return `<p>This file holds the signed export that it was made from. Save it, take the public key of its issuer from a source that you trust, not from this page, and run</p>
<pre>agent-cli verify-export report.html --public-key HEX</pre>
<p>It checks offline that the holder of the key approved this result, that the result is in the signed journal, and that each figure on this page is the one that the export gives. The page verify-export.html does the same in a browser; whoever sent this page can send that one too.</p>
${factsHtml(known, 'plain')}`;
}

/** Returns the readable part, without what is around it. */
export function bodyOf(report: Report): string {
  const { author, content, goal, kind, approval } = report;
  const { title, rest } = titleOf(goal);
  const [first, ...more] = content.tables;
  const question = `${paragraph(rest === '' ? '' : given(rest))}${paragraph(given(content.question))}${factsHtml(content.inputs, 'inputs')}`;
  const answer = [
    `<p class="answer">${given(content.answer)}</p>\n`,
    factsHtml(content.figures, 'figures'),
    content.chart === null ? '' : chart(content.chart),
    first === undefined ? '' : tableHtml(first, first_rows_max),
    content.listing === undefined ? '' : `<pre>${escaped(content.listing)}</pre>\n`,
    ...more.filter(({ rows }) => rows.length > 0).map((each) => tableHtml(each, more_rows_max)),
  ];
  const limits = content.limits.map((text) => `<li>${given(text)}</li>`).join('\n');
  const terms = content.terms.map((term) => `<div><dt>${term}</dt><dd>${explanations.en[term]}</dd></div>`).join('\n');
  return `<header>
${approval === null ? `<p class="draft">${draft_mark}</p>\n` : ''}<p class="soft">${kindName(kind)} · ${approval === null ? 'needs review' : 'approved result'}${author === null ? '' : ` · question ${given(author)}`}</p>
<h1>${given(title)}</h1>
</header>
${section('Question', question)}${section('Answer', answer.join(''))}${section('Limitations', limits === '' ? '' : `<ul>\n${limits}\n</ul>\n`)}${section(approval === null ? 'Review' : 'Approval', approvalText(report))}${section('How to check it', checkText(report))}${section('Terms', terms === '' ? '' : `<dl class="plain">\n${terms}\n</dl>\n`)}`;
}

interface Page {
  readonly title: string;
  /** The readable part, in HTML. */
  readonly body: string;
  /** A line at the end, in HTML. */
  readonly foot: string;
  /** What follows the readable part. */
  readonly embedded?: string;
  readonly language?: string;
}

/** Returns a whole file, which loads nothing and runs nothing. */
export const shellOf = ({ title, body, foot, embedded = '', language = 'en' }: Page): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
${pageStyle}</style>
</head>
<body>
<main class="report">
${body}<footer>${foot}</footer>
</main>
${embedded}</body>
</html>
`;

/** Returns the file of a report; a draft holds no export. */
export function pageOf(report: Report, embedded = ''): string {
  const { approval, mission, result_hash, goal } = report;
  const { title } = titleOf(goal);
  const names = approval === null ? '' : approvedBy(approval).join(', ');
  const state = approval === null ? draft_mark : `approved by ${given(names)}, ${escaped(utcText(approval.at))}`;
  return shellOf({
    title: approval === null ? `${draft_mark}: ${title}` : title,
    body: bodyOf(report),
    foot: `Mission ${escaped(mission)} · ${state} · result ${escaped(result_hash.slice(0, 16))}`,
    embedded,
  });
}
