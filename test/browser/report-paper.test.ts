/** HTML reports in a browser: they run nothing and ask for nothing, and print on about two pages of A4 and Letter with every mark of their charts. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ExportDocument } from '../../src/codec/export.js';
import { htmlOfExport } from '../../src/reports/renderers.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { faults } from '../support/console/accessibility.js';
import { browserForSuite } from '../support/console/browser.js';
import { brokenWords } from '../support/console/headers.js';
import { printed, sizes } from '../support/console/paper.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { ask } from './console-given.js';

const vectors = join(packageRoot(import.meta.url), 'test', 'vectors', 'rendered');
/** 14 mm, the margin of a report, in points. */
const margin = 39.7;
const pages_max = 3;
const kinds = ['allocation', 'forecast', 'research', 'schedule'] as const;

real('chromium', 'HTML reports in a browser', function () {
  const browser = browserForSuite();
  const folder = folderForEach();

  /** Writes the report of a stored export. Returns its address. */
  function addressOf(kind: (typeof kinds)[number]): string {
    const text = readFileSync(join(vectors, `${kind}.export.json`), 'utf8');
    const file = join(folder.get(), 'report.html');
    writeFileSync(file, htmlOfExport(JSON.parse(text) as ExportDocument, text) ?? '');
    return pathToFileURL(file).href;
  }

  for (const kind of kinds)
    it(`print whole, run nothing, are accessible, and break no word of a table on a narrow screen: ${kind}`, async () => {
      const address = addressOf(kind);
      const { page, requests, complaints } = await browser.open(address, { locale: 'fr-FR' });
      const labels = await ask<string[]>(page, `[...document.querySelectorAll('svg text')].map((each) => each.textContent)`);
      const beyond = `[...document.querySelectorAll('svg *')].map((each) => each.getBoundingClientRect().right - each.closest('svg').getBoundingClientRect().right)`;
      assert.ok(Math.max(0, ...(await ask<number[]>(page, beyond))) <= 2, 'a mark is beyond its chart');
      for (const format of sizes()) {
        const sheets = await printed(page, format);
        assert.ok(sheets.length <= pages_max, `${sheets.length} pages of ${format}`);
        for (const { width, lines } of sheets)
          for (const line of lines) assert.ok(line.right <= width - margin + 2, `${format}: ${line.text} is cut off`);
        const said = sheets.flatMap(({ lines }) => lines.map((line) => line.text)).join('\n');
        for (const label of labels) assert.ok(said.includes(label.replaceAll(/\s/g, '')), `${format}: ${label}`);
      }
      assert.deepEqual([requests, complaints], [[address], []]);
      assert.deepEqual(await faults(page), []);
      await page.setViewportSize({ width: 390, height: 800 });
      assert.deepEqual(await brokenWords(page, 'th, td'), []);
      assert.equal(await ask(page, 'document.documentElement.scrollWidth'), 390);
      // A chart is drawn for a white page, also where the reader's system sets black ones.
      await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' });
      const isWhite = `[...document.querySelectorAll('figure')].every((each) => getComputedStyle(each).backgroundColor === 'rgb(255, 255, 255)')`;
      assert.equal(await ask(page, isWhite), true);
    });
});
