/** @slow A mission from people's own files, on the page: dropped, chosen or pasted, with the choices that only they can make. */
import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { faults } from '../support/console/accessibility.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { ask, consoleForSuite, drawn, example, recordOf, until, words, type Signed } from './console-given.js';
import { cell, drop as dropFiles, paste, typeCell } from './grid.js';
import { membersOf } from '../support/lists.js';

const vectors = join(packageRoot(import.meta.url), 'test', 'vectors', 'intake');
const vector = (...names: readonly string[]): string => join(vectors, ...names);

/** What a person does, counted. */
class Actions {
  count = 0;
  constructor(private readonly page: Page) {}

  async press(name: string | RegExp): Promise<void> {
    this.count++;
    // Exactly: before the files are taken, templates with like names are offered.
    await this.page.getByRole('button', { name, exact: true }).first().click();
  }

  async fill(path: string, text: string): Promise<void> {
    this.count++;
    await this.page.locator(`[data-path="${path}"]`).fill(text);
  }
}

/** Drops files on the page by other names than they have. */
const drop = (page: Page, files: readonly (readonly [name: string, path: string])[]): Promise<void> =>
  dropFiles(
    page,
    files.map(([name, path]) => ({ name, bytes: readFileSync(path) })),
  );

/** Waits until an act has had the files read as a kind, and what came of it is shown. */
async function readAs(page: Page, kind: string, act: () => Promise<unknown>): Promise<void> {
  const read = page.waitForResponse((response) => (response.request().postData() ?? '').startsWith(`{"kind":"${kind}"`));
  await act();
  await read;
  await until(page, `document.querySelector('.intake > [role=status]') === null`);
}

interface Request {
  readonly goal: string;
  readonly work: Readonly<Record<string, unknown>>;
  readonly provenance?: { readonly files: readonly Readonly<Record<string, unknown>>[]; readonly changed?: readonly string[] };
}

real('chromium', 'the console: missions from files', () => {
  const folder = folderForEach();
  const suite = consoleForSuite();
  /** The request of the mission whose page is shown. */
  const requestOf = async (page: Page): Promise<Request> => {
    await until(page, `/^#\\/missions\\//.test(location.hash)`);
    const id = new URL(page.url()).hash.split('/').at(-1) ?? '';
    return (await recordOf(suite.server(), id)).request as Request;
  };
  const requestInReview = async (page: Page): Promise<Request> => {
    await page.waitForSelector('.badge-review');
    return requestOf(page);
  };
  const begin = async (hash = '#/missions'): Promise<Signed & { readonly acts: Actions }> => {
    const visit = await suite.at(hash);
    return { ...visit, acts: new Actions(visit.page) };
  };

  it('brings a forecast of a series with gaps and an outlier to review in three actions after the drop', async () => {
    const { page, acts, complaints } = await begin();
    const series = readFileSync(vector('missing-months.csv'), 'utf8').replace('2023-08,3516', '2023-08,35160');
    await dropFiles(page, [{ name: 'sales.csv', bytes: Buffer.from(series) }]);
    await acts.press('Forecast');
    await page.waitForSelector('.intake-preview');
    assert.deepEqual(await faults(page), []);
    await acts.press(/interpolate|between/i);
    await page.waitForSelector('.grid');
    const command = 'agent-cli run sales.csv --kind forecast --gaps interpolate --execute';
    assert.equal(await page.getByRole('button', { name: `Copy command ${command}`, exact: true }).count(), 1);
    assert.deepEqual(await faults(page), []);
    await acts.press('Queue and execute');
    const { work, provenance } = await requestInReview(page);
    assert.match(await words(page), /outlier/i);
    assert.deepEqual([acts.count, work['gaps']], [3, 'interpolate']);
    assert.equal((work['observations'] as readonly unknown[]).filter((value) => value === null).length, 3);
    assert.equal(provenance?.files[0]?.['name'], 'sales.csv');
    assert.equal(provenance?.changed, undefined);
    assert.deepEqual(complaints, []);
  });

  it('brings a schedule of named jobs to review in two actions after the drop', async () => {
    const { page, acts } = await begin();
    await drop(page, [['jobs.xlsx', vector('jobs-names.xlsx')]]);
    await until(page, `/run jobs\\.xlsx --kind KIND/.test(document.querySelector('main')?.textContent ?? '')`);
    await acts.press('Schedule');
    await page.waitForSelector('.grid');
    for (const name of ['Journal', 'New mission']) await page.getByRole('link', { name }).click();
    await page.waitForSelector('.grid');
    const cells = await ask<string[]>(page, `[...document.querySelectorAll('.grid input')].map(({ value }) => value)`);
    assert.ok(cells.includes('Säge Süd') && cells.includes('Sage Sud') && cells.includes('Rahmen Größe 7'), cells.join('|'));
    assert.ok(!cells.some((cell) => /^(?:job|machine)-\d/.test(cell)), cells.join('|'));
    // As after half an hour.
    await page.route('**/api/missions', (route) => route.fulfill({ status: 404 }), { times: 1 });
    await acts.press('Queue and execute');
    assert.ok(acts.count <= 3);
    const { work, provenance } = await requestInReview(page);
    assert.equal(provenance?.changed, undefined);
    const [job] = work['jobs'] as readonly { readonly title: string }[];
    assert.equal(job?.title, 'Rahmen Größe 7');
  });

  it('brings an allocation of proposals to review in four actions after the drop, and says what was changed by hand', async () => {
    const { page, acts } = await begin();
    await drop(page, [['proposals.xlsx', vector('proposals.xlsx')]]);
    await acts.press('Allocation');
    // Of the questions about the file; the choice of a kind has no group.
    const question = page.locator('.intake-choice[role=group]');
    await page.locator('.grid').or(question).first().waitFor();
    if (await question.isVisible()) await acts.press(/=/);
    await page.waitForSelector('.grid');
    await acts.fill('work.budget', '250000');
    await typeCell(page, 0, 2, '4711');
    await acts.press('Queue and execute');
    const { work, provenance } = await requestInReview(page);
    assert.ok(acts.count <= 4, String(acts.count));
    assert.equal((work['items'] as readonly { readonly cost: number }[])[0]?.cost, 4711);
    assert.deepEqual(provenance?.changed, ['work.budget', 'work.items[0].cost']);
    await page.waitForSelector('text=Changed by hand (2): Budget; Item 1, Cost');
  });

  it('brings research over five documents and a question to review in two actions after the drop', async () => {
    const { page, acts } = await begin();
    await drop(page, [
      ['report.pdf', vector('report-6-pages.pdf')],
      ['kelp.html', vector('kelp.html')],
      ['handbook.docx', vector('handbook.docx')],
      ['rules.md', vector('rules.md')],
      ['minutes.txt', vector('minutes-crlf.txt')],
    ]);
    await until(page, `/[0-9] blocks of text/.test(document.querySelector('.intake-documents')?.textContent ?? '')`);
    assert.equal(await page.locator('.intake-documents > li').count(), 5);
    assert.match(await words(page), /report\.pdf.*6 pages, \d+ blocks of text/);
    assert.deepEqual(await faults(page), []);
    await acts.fill('goal', 'Who repairs the stairs of the dyke?');
    await acts.press('Queue and execute');
    const { goal, work } = await requestInReview(page);
    assert.ok(acts.count <= 3);
    assert.equal(goal, 'Who repairs the stairs of the dyke?');
    assert.ok((work['sources'] as readonly { readonly blocks?: unknown }[]).every(({ blocks }) => blocks !== undefined));
  });

  it('takes one of several documents away without choosing the others again', async () => {
    const { page } = await begin('#/new?kind=research');
    await page.setInputFiles('input[type=file]', [vector('rules.md'), vector('scan.pdf'), vector('kelp.html')]);
    await page.waitForSelector('.intake .problem');
    assert.match((await page.textContent('.intake .problem li')) ?? '', /^scan\.pdf: the PDF has no text/);
    await page.getByRole('button', { name: 'Remove scan.pdf' }).click();
    await until(page, `/[0-9] blocks of text/.test(document.querySelector('.intake-documents')?.textContent ?? '')`);
    assert.equal(await page.locator('.intake .problem').count(), 0);
    assert.equal(await page.locator('.intake-documents > li').count(), 2);
  });

  it('gives templates that are read as the example again', async () => {
    const { page, acts } = await begin('#/new?kind=schedule');
    const downloaded = page.waitForEvent('download');
    await acts.press('Schedule (XLSX)');
    const file = await downloaded;
    assert.equal(file.suggestedFilename(), 'schedule.xlsx');
    await page.setInputFiles('input[type=file]', await file.path());
    await page.waitForSelector('.grid');
    await acts.press('Queue mission');
    const { work } = await requestOf(page);
    const { jobs } = Object(JSON.parse(readFileSync(example('schedule'), 'utf8')).work);
    const operations = (all: readonly { readonly operations: readonly { readonly duration: number }[] }[]) =>
      all.map((job) => job.operations.map(({ duration }) => duration));
    assert.deepEqual(operations(work['jobs'] as typeof jobs), operations(jobs));
  });

  it('asks in French on a page in French', async () => {
    const { page } = await suite.at('#/new?kind=forecast', { locale: 'fr-FR' });
    await page.setInputFiles('input[type=file]', vector('missing-months.csv'));
    await page.getByRole('button', { name: /^Interpoler/ }).click();
    await page.waitForSelector('.grid');
  });

  it('keeps incomplete months of a series, and reads times of jobs in another unit', async () => {
    const { page } = await begin('#/new?kind=forecast');
    const days = Array.from({ length: 500 }, (_, i) => `${new Date(Date.UTC(2026, 0, 15 + i)).toISOString().slice(0, 10)},1`);
    await dropFiles(page, [{ name: 'days.csv', bytes: Buffer.from(['Date,Value', ...days].join('\n')) }]);
    await page.getByLabel('One value for each').selectOption('month');
    await page.getByRole('button', { name: /^Sum/ }).click();
    await until(page, `document.querySelectorAll('.grid-body [role=row]').length === 16`);
    await page.getByLabel('Keep an incomplete first or last period').click();
    await until(page, `document.querySelectorAll('.grid-body [role=row]').length === 18`);
    await page.getByRole('radio', { name: /^Schedule/ }).check();
    // The files before are read as this kind once it is drawn, and not after the next ones.
    await drawn(page);
    const jobs = Buffer.from('Job,Machine,Duration\nStairs,Saw,2 h\nDoor,Saw,90 min');
    await dropFiles(page, [{ name: 'jobs.csv', bytes: jobs }]);
    await until(page, `[...document.querySelectorAll('.grid input')].some(({ value }) => value === '120')`);
    await page.getByLabel('Unit of time').selectOption('hour');
    await page.waitForSelector('.intake .problem');
    assert.match(await words(page), /90 min/);
    await page.getByLabel('Unit of time').selectOption('minute');
    await page.waitForSelector('.grid');
    assert.deepEqual(await faults(page), []);
  });

  it('says what is wrong once, marks the first cells, and lets a column be something else', async () => {
    const { page } = await begin('#/new?kind=forecast');
    await page.setInputFiles('input[type=file]', vector('letter-o.csv'));
    await page.waitForSelector('.intake .problem');
    assert.equal(await page.locator('.intake .problem li').count(), 1);
    assert.ok((await page.locator('.intake-bad').count()) > 0);
    assert.deepEqual(await faults(page), []);
    await page.setInputFiles('input[type=file]', vector('projets-fr.csv'));
    await readAs(page, 'allocation', () => page.getByRole('radio', { name: /^Allocation/ }).check());
    await page.waitForSelector('.intake-preview');
    const menus = page.locator('.intake-preview select');
    const before = await menus.evaluateAll((all) => all.map((each) => (each as unknown as { value: string }).value));
    const mapped = before.findIndex((value) => value !== '');
    assert.ok(mapped >= 0, before.join());
    await menus.nth(mapped).selectOption('');
    await until(page, `document.querySelectorAll('.intake-preview select')[${mapped}].value === ''`);
  });

  it('asks what cells that are pasted are for, and reads the table where the clipboard has one', async () => {
    const { page, acts } = await begin('#/new');
    await page.locator('textarea').first().focus();
    const rows = [
      ['Title', 'Cost', 'Score'],
      ['Roof repair', '1,200.50', '9'],
      ['New door', '800.00', '4'],
    ];
    const html = `<table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;
    await paste(page, { 'text/html': html, 'text/plain': 'not this' });
    await acts.press('Allocation');
    await page.waitForSelector('.grid [aria-rowindex="3"]');
    assert.equal(await cell(page, 0, 2).inputValue(), '1200.5');
    await acts.fill('work.budget', '2000');
    await acts.press('Queue mission');
    const { work } = await requestOf(page);
    assert.deepEqual(membersOf(work['items'] as readonly { readonly title: string }[], 'title'), ['Roof repair', 'New door']);
  });

  it('keeps a goal and a budget that were typed while the file is read in another way', async () => {
    const { page, acts } = await begin('#/new?kind=allocation');
    await page.setInputFiles('input[type=file]', vector('proposals.csv'));
    await page.waitForSelector('.grid');
    await acts.fill('work.budget', '99');
    await acts.fill('goal', 'My own question');
    await readAs(page, 'allocation', () => page.locator('.intake-preview select').nth(2).selectOption(''));
    await until(page, `document.querySelectorAll('.intake-preview select')[2].value === ''`);
    assert.equal(await page.locator('[data-path="work.budget"]').inputValue(), '99');
    assert.equal(await page.locator('[data-path="goal"]').inputValue(), 'My own question');
  });

  it('shows what the newest choice of files and kind came to, however long the one before takes', async () => {
    const { page } = await begin('#/new?kind=forecast');
    await page.setInputFiles('input[type=file]', vector('umsatz-de.csv'));
    await page.waitForSelector('.grid');
    await page.getByRole('radio', { name: /^Schedule/ }).check();
    await drawn(page);
    await page.setInputFiles('input[type=file]', vector('jobs-names.xlsx'));
    await until(page, `/Säge Süd/.test(document.querySelector('.intake-preview')?.textContent ?? '')`);
    await page.waitForSelector('.grid');
    assert.equal(await page.locator('.intake .problem').count(), 0);
  });

  it('says of a file that is too large that it is, and sends nothing', async () => {
    const { page } = await begin('#/new?kind=allocation');
    const file = join(folder.get(), 'large.csv');
    writeFileSync(file, 'id,cost,value\n');
    truncateSync(file, 50_000_001);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.setInputFiles('input[type=file]', file);
    await page.waitForSelector('.intake .problem');
    assert.equal(await page.locator('.intake .problem li').innerText(), 'the file is too large: at most 50 MB');
    await dropFiles(
      page,
      Array.from({ length: 101 }, (_, i) => ({ name: `${i}.md`, bytes: Buffer.from('Kelp.') })),
    );
    await until(page, `/101 files are too many: at most 100/.test(document.querySelector('.intake .problem li')?.textContent)`);
    assert.equal(await page.locator('.intake-documents').count(), 0);
    assert.ok(!sent.some((url) => url.includes('/intake')), sent.join());
  });

  it('says how much of large files was sent, and sends no more of them once they are removed', async () => {
    const { page } = await begin('#/new?kind=research');
    const parts: Route[] = [];
    await page.route('**/parts', (route) => void parts.push(route));
    await dropFiles(page, [{ name: 'kelp.txt', bytes: Buffer.alloc(2_000_000, 'Kelp grows. ') }]);
    for (const shown of [0, 1]) {
      while (parts.length === shown) await drawn(page);
      assert.equal(await page.getByRole('progressbar', { name: 'Sending…' }).count(), shown);
      if (shown === 0) await parts[0]?.continue();
    }
    await page.getByRole('button', { name: 'Remove' }).click();
    const received = page.waitForResponse('**/parts');
    await parts[1]?.continue();
    await (await received).finished();
    for (let i = 0; i < 10; i++) await drawn(page);
    assert.equal(parts.length, 2);
  });

  it('refuses a file that is no table, keeps the page, and shows a viewer nothing to drop', async () => {
    const { page } = await begin('#/new?kind=schedule');
    await page.setInputFiles('input[type=file]', vector('picture.csv'));
    await page.waitForSelector('.intake .problem');
    assert.match(await words(page), /PNG|picture/i);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.waitForSelector('.grid');
    const viewer = await suite.signIn({ role: 'viewer' });
    await drop(viewer.page, [['sales.csv', vector('daily.csv')]]);
    await drawn(viewer.page);
    assert.ok(!viewer.page.url().includes('#/new'));
  });
});
