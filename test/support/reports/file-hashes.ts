/** Prints the hashes of the files that a report of an export becomes, as JSON: for another Node, zone and locale. `node file-hashes.js EXPORT` */
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import type { ExportDocument } from '../../../src/codec/export.js';
import { reportCsv, reportXlsx } from '../../../src/reports/files.js';
import { eventsOf, icsText } from '../../../src/reports/ics.js';
import { markdownOf } from '../../../src/reports/markdown.js';
import { htmlOfExport } from '../../../src/reports/renderers.js';
import { reportOfExport } from '../../../src/reports/report.js';

const text = readFileSync(process.argv[2] ?? '', 'utf8');
const document = JSON.parse(text) as ExportDocument;
const report = reportOfExport(document);
const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
if (report !== null)
  console.log(
    JSON.stringify({
      html: hashOf(htmlOfExport(document, text) ?? ''),
      markdown: hashOf(markdownOf(report)),
      csv: hashOf(reportCsv(report)),
      xlsx: hashOf(reportXlsx(report)),
      ics: hashOf(icsText(report, eventsOf(report, {}))),
    }),
  );
