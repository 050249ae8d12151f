/** The files that a report of an approved result becomes, besides the HTML report that carries its proof. */
import { csvText } from './csv.js';
import { type ReportTable, type Row, utcText } from './content.js';
import { approvalFacts, approvedBy, kindName, originFacts, type Report } from './report.js';
import { type Sheet, xlsxBytes } from './xlsx.js';

/** Returns the table that is the answer. */
export const reportCsv = ({ content: { tables } }: Report): string =>
  csvText(tableRows(tables.find(({ isData }) => isData === true) ?? tables[0]));

const tableRows = (table: ReportTable | undefined): readonly Row[] => (table === undefined ? [] : [table.head, ...table.rows]);

const sheet_chars_max = 31;

/** Returns a workbook: a sheet for each table, and a last one that says what it is and who approved it. */
export function reportXlsx(report: Report): Uint8Array {
  const { author, content, approval, kind, goal } = report;
  const sheets: Sheet[] = content.tables
    .filter(({ rows }, i) => i === 0 || rows.length > 0)
    .map(({ title, head, rows }) => ({ name: title.slice(0, sheet_chars_max), rows: [head, ...rows] }));
  const about: readonly Row[] = [
    ['About', null],
    ['Goal', goal],
    ...(author === null ? [] : [['Goal and sources', author] as const]),
    ['Kind', kindName(kind)],
    ['Question', content.question],
    ...content.inputs.map(([name, value]) => [name, value]),
    ['Answer', content.answer],
    ...content.figures.map(([name, value, note]) => [name, note === undefined ? value : `${value} (${note})`]),
    ...content.limits.map((limit) => ['Limitation', limit]),
    ...(approval === null
      ? []
      : [
          ['Approved by', approvedBy(approval).join(', ')],
          ['Approved on', utcText(approval.at)],
          ['Note', approval.note],
          ...approvalFacts(approval).map(([name, value, key]) => [name, key === undefined ? value : `${value} (${key})`]),
        ]),
    ...originFacts(report).map(([name, value]) => [name, value]),
  ];
  return xlsxBytes([...sheets, { name: 'About', rows: about }]);
}
