/** docs/verify-export.html opened as a file: verdicts, languages, sizes, a policy that lets nothing in, and no request at all. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { checkpoint } from '../../src/app/log/checkpoint.js';
import { exportText } from '../../src/app/exports/export.js';
import type { Home } from '../../src/app/home/home.js';
import { approve, type Person, person } from '../support/app/given-approvals.js';
import { renderMission } from '../../src/app/exports/report.js';
import { verifySignature } from '../../src/journal/keys.js';
import { accessible } from '../support/console/accessibility.js';
import { forgotten, hostile, hostileShown } from '../support/console/hidden.js';
import { browserForSuite, type Visit, type VisitOptions } from '../support/console/browser.js';
import { signatureCases } from '../support/journal/ed25519-cases.js';
import { completed, forecast, produced, research, schedule } from '../support/app/given-home.js';
import { documents } from '../support/codec/given-events.js';
import { settled } from '../support/app/given-settlement.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';

const address = pathToFileURL(join(packageRoot(import.meta.url), 'docs', 'verify-export.html')).href;
const goal = 'Two jobs <img src=x onerror=alert(1)> & \u00ab caf\u00e9 \u00bb';

/** Of the page. */
declare const verifiesEd25519: (...parts: readonly Uint8Array[]) => Promise<boolean>;

real('chromium', 'the page that verifies exports', function () {
  const browser = browserForSuite();
  let homes: TemporaryHome;
  let key: string;
  let text: string;
  let paid: string;
  let misread: string;
  let dated: string;
  let mission: string;
  let note: string;
  let report: string;
  let draft: string;
  let signed: string;
  let alice: Person;

  before(async () => {
    homes = temporaryHome();
    key = homes.report.public_key;
    const home = homes.open();
    ({ id: mission } = await completed(home, schedule(goal)));
    text = exportText(home, mission).text;
    const file = join(homes.root, 'checkpoint');
    checkpoint(home, file);
    note = readFileSync(file, 'utf8');
    settled(home, mission);
    paid = exportText(home, mission).text;
    dated = exportText(
      home,
      (await completed(home, forecast(goal, 12, { horizon: 3, start: '2024-02-29', step: { unit: 'year' } }))).id,
    ).text;
    misread = exportText(home, (await completed(home, research(hostile, `The rent: ${hostile} today.`))).id).text;
    const htmlOf = async (id: string): Promise<string> =>
      Buffer.from((await renderMission(home, id, 'html')).bytes).toString('utf8');
    report = await htmlOf(mission);
    signed = exportText(home, await signedMission(home)).text;
    draft = await htmlOf((await produced(home, forecast('in review'))).id);
    home.close();
  });
  after(() => homes.remove());

  async function signedMission(home: Home): Promise<string> {
    alice = await person(home, 'alice');
    const made = await produced(home, schedule('Signed by a person'), 'real');
    return (await approve(home, made, alice, 'as planned')).id;
  }
  /** Loads the page. To load it again costs less than a context of its own. */
  const visit = async (options: VisitOptions = {}): Promise<Visit> => {
    const key = JSON.stringify(options);
    const again = browser.again(key);
    await again?.page.goto(address);
    if (again !== undefined) return again;
    const opened = await browser.open(address, { locale: 'en-GB', ...options });
    browser.keep({ key, page: opened.page, leave: () => Promise.resolve(true) });
    return opened;
  };
  const json = (content: string, name = 'result.export.json') => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(content),
  });
  /** Gives the page a file and a key, and returns the verdict's class, title and words. */
  async function judged(page: Page, content: string, publicKey = key): Promise<readonly (string | null)[]> {
    await page.fill('#key', publicKey);
    await page.setInputFiles('#file', json(content));
    await page.waitForSelector('#verdict-title:not(:empty)');
    const verdict = await page.getAttribute('#verdict', 'class');
    return [verdict, await page.textContent('#verdict-title'), await page.textContent('#verdict-words')];
  }

  it('shows a valid export in green, with what was signed as text, and asks the network for nothing', async () => {
    const { page, requests, complaints } = await visit();
    assert.deepEqual(await judged(page, text), ['verdict valid', 'Valid', 'The holder of this key approved this result.']);
    const said = await page.innerText('#answer');
    for (const words of [goal, mission, 'this key signed the hash of the entry', 'number 12 of 12', 'schedule']) {
      assert.ok(said.includes(words), words);
    }
    const { receipt } = JSON.parse(text) as { receipt: { canonical_result: string } };
    assert.deepEqual(JSON.parse((await page.textContent('#result')) ?? ''), JSON.parse(receipt.canonical_result));
    assert.equal(await page.locator('#answer img').count(), 0);
    assert.deepEqual(requests, [address]);
    assert.deepEqual(complaints, []);
  });

  it('compares the approvals with the people whom the reader knows, and tells what nobody signed', async () => {
    const { page, complaints } = await visit();
    await judged(page, text);
    assert.match(await page.innerText('#lines'), /recorded by the home for operator, not signed by a person's key/);
    await page.click('[data-language=fr]');
    assert.match(
      await page.innerText('#lines'),
      /enregistr\u00e9 par l\u2019agent pour operator, non sign\u00e9 par la cl\u00e9 d\u2019une personne/,
    );
    await page.click('[data-language=en]');
    await page.click('[data-text=people]');
    const by = async (approvers: string, required = ''): Promise<readonly (string | null)[]> => {
      await page.fill('#approvers', approvers);
      await page.fill('#required', required);
      return await judged(page, signed);
    };
    assert.equal((await by(''))[1], 'Valid');
    const said = await page.innerText('#answer');
    for (const words of [`alice approved it at `, alice.fingerprint, 'as planned', 'a name is the word of the issuer'])
      assert.ok(said.includes(words), words);
    assert.equal((await by(`alice=${alice.fingerprint}`, '1'))[1], 'Valid');
    assert.ok(!(await page.innerText('#lines')).includes('word of the issuer'));
    assert.match((await by(`alice=SHA256:${'A'.repeat(43)}`))[2] ?? '', /^The approval by alice is by another key, SHA256:/);
    assert.equal((await by(`bob=${alice.fingerprint}`))[2], 'The file holds no approval by bob');
    assert.equal((await by('', '2'))[2], '1 of 2 approvals are signed by people');
    await page.fill('#approvers', 'alice');
    await page.click('#verify');
    await page.waitForSelector('#problem:has-text("Write a line for each person")');
    await page.fill('#approvers', '');
    await page.locator('#required').pressSequentially('e');
    await page.click('#verify');
    await page.waitForSelector('#problem:has-text("a whole number from 0 to 100")');
    assert.deepEqual(complaints, []);
  });

  it('accepts a forecast with dates, and shows them and its result as a report does', async () => {
    const { page } = await visit();
    assert.equal((await judged(page, dated))[0], 'verdict valid');
    const { forecast_dates: dates } = JSON.parse((await page.textContent('#result')) ?? '') as { forecast_dates: string[] };
    assert.deepEqual(dates, ['2036-02-29', '2037-02-28', '2038-02-28']);
    assert.match(await page.locator('#readable').locator('table').first().innerText(), /2036-02-29/);
  });

  it('shows the recorded payment of a paid result, in both languages, and that only the chain can confirm it', async () => {
    const { page, complaints } = await visit();
    assert.equal((await judged(page, text))[0], 'verdict valid');
    assert.ok(!(await page.innerText('#answer')).includes('payment'), 'an unpaid result shows none');
    assert.deepEqual((await judged(page, paid))[0], 'verdict valid');
    const { payer, transaction_hash } = documents['receipt.recorded'];
    const said = await page.innerText('#answer');
    for (const words of ['1.5 tokens (1500000000000000000 base units)', '31337 (a test chain)', payer, transaction_hash])
      assert.ok(said.includes(words), words);
    assert.match(said, /only the chain can say whether it still has the payment/);
    await page.click('[data-language=fr]');
    const french = await page.innerText('#answer');
    for (const words of ['1.5 jetons', 'une chaîne de test', 'seule la chaîne peut dire'])
      assert.ok(french.includes(words), words);
    for (const words of ['payment', 'Paid', 'chain ']) assert.ok(!french.includes(words), words);
    assert.deepEqual(complaints, []);
    assert.equal((await judged(page, paid.replace('"amount_units":"15', '"amount_units":"25')))[0], 'verdict refuted');
  });

  it('shows a goal that would read otherwise, and letters from right to left, as they were signed', async () => {
    for (const [locale, hint] of [
      ['en-GB', 'A hidden character that changes the direction of text'],
      ['fr-FR', 'Un caractère caché qui change le sens du texte'],
    ] as const) {
      const { page } = await visit({ locale });
      assert.equal((await judged(page, misread))[0], 'verdict valid');
      assert.equal(await page.locator('#facts dd').first().textContent(), hostileShown);
      assert.equal(await page.locator('#facts mark').first().getAttribute('title'), hint);
      await page.setInputFiles('#file', json(misread, 'a\u202egpj.json'));
      assert.equal(await page.textContent('#file-name'), 'aU+202Egpj.json');
      assert.deepEqual(await forgotten(page), []);
    }
  });

  it('shows an altered export in red, and none of its content', async () => {
    const { page } = await visit();
    const altered = text.replace('"approved":true', '"approved":false');
    assert.notEqual(altered, text);
    assert.deepEqual(await judged(page, altered), ['verdict refuted', 'Not valid', 'The readable part is not what was signed']);
    assert.equal(await page.isVisible('#signed'), false);
    assert.ok(!(await page.innerText('#answer')).includes(mission));
  });

  it('reports what it cannot check, and requests what is missing', async () => {
    const { page } = await visit();
    await page.click('#verify');
    assert.equal(await page.textContent('#problem'), 'Choose an export first.');
    await page.setInputFiles('#file', json(text));
    await page.click('#verify');
    assert.equal(await page.textContent('#problem'), 'Enter the public key of the issuer.');
    await page.fill('#key', 'abc');
    await page.click('#verify');
    assert.equal(await page.textContent('#problem'), 'The public key has 64 hexadecimal digits.');
    assert.equal(await page.isVisible('#answer'), false);
    assert.equal((await judged(page, '{}'))[0], 'verdict unusable');
    await page.fill('#key', ` urn:agialpha:ed25519:${key.toUpperCase()} `);
    assert.equal(await page.isVisible('#answer'), false, 'an answer to another question does not stay');
    await page.setInputFiles('#file', json(text));
    await page.waitForSelector('.verdict.valid');
    assert.equal((await judged(page, text, 'ab'.repeat(32)))[2], 'The file names another public key');
  });

  it('takes a file that is dropped, and a checkpoint', async () => {
    const { page } = await visit();
    await page.fill('#key', key);
    await page.setInputFiles('#checkpoint', json(note, 'checkpoint'));
    for (const words of ['Give one file at a time.', '']) {
      await page.evaluate(`{
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([${JSON.stringify(text)}], 'dropped.json'));
        ${words === '' ? '' : "dataTransfer.items.add(new File(['{}'], 'other.json'));"}
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }`);
      assert.equal(await page.textContent('#problem'), words);
    }
    await page.waitForSelector('.verdict.valid');
    assert.equal(await page.textContent('#file-name'), 'dropped.json');
    assert.match(await page.innerText('#lines'), /the given checkpoint is of the same log/);
  });

  it('takes a report that is dropped, and shows its result with picture and tables, not as JSON', async () => {
    const { page, complaints, requests } = await visit();
    await page.fill('#key', key);
    await page.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(report)}], 'report.html'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }`);
    await page.waitForSelector('.verdict.valid');
    assert.match(await page.innerText('#lines'), /the text of the report is what its export gives, byte for byte/);
    const readable = page.locator('#readable');
    assert.equal(await readable.locator('svg[role=img]').count(), 1);
    assert.ok((await readable.locator('table').count()) >= 2);
    assert.match(await readable.locator('h1').innerText(), /Two jobs <img src=x onerror=alert\(1\)>/);
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.isVisible('#result'), false);
    for (const [content, verdict] of [
      [report.replace('<h2>Answer</h2>', '<h2>Anwser</h2>'), 'Not valid'],
      [report.replace('"approved":true', '"approved":false'), 'Not valid'],
      [report.replace('{"renderer":1,', '{"renderer":9,'), 'Export valid, readable part not checked'],
      [draft, 'Could not be checked'],
    ] as const)
      assert.equal((await judged(page, content))[1], verdict);
    assert.deepEqual([complaints, requests], [[], [address]]);
  });

  it('speaks French to a reader who prefers it, and changes at a click, result included', async () => {
    const { page } = await visit({ locale: 'fr-CA' });
    assert.equal(await page.textContent('h1'), 'V\u00e9rifier un export');
    assert.equal(await page.getAttribute('html', 'lang'), 'fr');
    assert.equal((await judged(page, text.replace('"approved":true', '"approved":false')))[1], 'Non valide');
    assert.equal((await judged(page, text))[1], 'Valide');
    const french = await page.innerText('body');
    for (const words of ['this', 'the log', 'Approved', 'Choose']) assert.ok(!french.includes(words), words);
    await page.click('[data-language=en]');
    assert.equal(await page.textContent('#verdict-title'), 'Valid');
    assert.equal(await page.title(), 'Verify an export');
  });

  it('fits 320 pixels and has no accessibility fault', async () => {
    const { page } = await visit({ viewport: { width: 320, height: 640 }, locale: 'fr-FR' });
    for (const content of [text.replace('"approved":true', '"approved":false'), `${text} `.replace(':', ': '), text]) {
      const [, title] = await judged(page, content);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
      await accessible(page, String(title));
    }
  });

  it('works by keyboard alone', async () => {
    const { page } = await visit();
    await page.setInputFiles('#file', json(text));
    await page.focus('#file');
    await page.keyboard.press('Tab');
    await page.keyboard.type(key);
    // The button waits until the page knows that the browser can verify.
    await page.waitForSelector('#verify:enabled');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.verdict.valid');
    assert.equal(await page.evaluate('document.activeElement.id'), 'answer');
  });

  it('reports that the browser has no Ed25519', async () => {
    const before = "SubtleCrypto.prototype.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'))";
    const { page } = await visit({ before });
    await page.waitForSelector('#unsupported:not([hidden])');
    assert.equal(await page.isDisabled('#verify'), true);
  });

  it('checks signatures as strictly as libsodium', async () => {
    const { page } = await visit();
    const cases = signatureCases();
    const answers = await page.evaluate(async (all) => {
      const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
      return Promise.all(all.map(([key, message, signature]) => verifiesEd25519(bytes(key), bytes(message), bytes(signature))));
    }, cases);
    const expected = cases.map((each) => {
      const [publicKey, message, signature] = each.map((hex) => Buffer.from(hex, 'hex'));
      return verifySignature(publicKey!, message!, signature!);
    });
    assert.deepEqual(answers, expected);
  });
});
