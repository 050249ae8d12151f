/** What the page knows of reports: how one is made of its export, and what people read of an export. */
import type { ExportDocument } from '../../src/codec/export.js';
import { bodyOf } from '../../src/reports/html.js';
import { reportOfExport } from '../../src/reports/report.js';

export { embeddedIn, isRendered, isReport } from '../../src/reports/renderers.js';
export { style } from '../../src/reports/style.js';

export function readableOf(document: ExportDocument): string | null {
  const report = reportOfExport(document);
  return report === null ? null : bodyOf(report);
}
