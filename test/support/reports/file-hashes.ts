/** Prints the hashes of the files that each export becomes, a line each: for another Node, zone and locale. `node file-hashes.js EXPORT…` */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ExportDocument } from '../../../src/codec/export.js';
import { reportCsv, reportXlsx } from '../../../src/reports/files.js';
import { eventsOf, icsText } from '../../../src/reports/ics.js';
import { markdownOf } from '../../../src/reports/markdown.js';
import { htmlOfExport } from '../../../src/reports/renderers.js';
import { reportOfExport } from '../../../src/reports/report.js';

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, 'utf8');
  const document = JSON.parse(text) as ExportDocument;
  const report = reportOfExport(document);
  if (report === null) throw new Error(`${file} is of no known kind`);
  const files = {
    html: hashOf(htmlOfExport(document, text) ?? ''),
    markdown: hashOf(markdownOf(report)),
    csv: hashOf(reportCsv(report)),
    xlsx: hashOf(reportXlsx(report)),
    ics: hashOf(icsText(report, eventsOf(report, {}))),
  };
  console.log(JSON.stringify(files));
}
