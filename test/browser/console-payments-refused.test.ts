/** What the console says of payments that are not settled, of bad input, and of what others do meanwhile. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import qrcode from 'qrcode';
import { settlementReasons } from '../../src/codec/chain.js';
import { words as operatorWords } from '../../src/console/operator/text/all.js';
import { badPayers, badTokens, badUnits } from '../support/app/bad-payments.js';
import { lies, malformedAnswers } from '../support/chain/node-lies.js';
import { accessible } from '../support/console/accessibility.js';
import { fullEffort } from '../support/effort.js';
import { real } from '../support/real.js';
import { owner, payer } from '../support/chain/wallet.js';
import { recordOf, type Signed, words } from './console-given.js';
import { fits320, paymentsForSuite, says } from './payments-given.js';

const { en } = operatorWords;

/** The first and the last; at full effort all, which test/http sends as well. */
const sample = (all: readonly string[]): readonly string[] => all.filter((_, i) => fullEffort || i === 0 || i === all.length - 1);

real(['chromium', 'anvil'], 'the console: payments that are not settled', () => {
  const suite = paymentsForSuite({ isBound: true });
  afterEach(() => void (suite.node().lie = null));

  const check = async (page: Page, transaction: string, logIndex = ''): Promise<void> => {
    await page.locator('[data-path="transaction"]').fill(transaction);
    await page.locator('[data-path="log_index"]').fill(logIndex);
    await page.getByRole('button', { name: 'Check payment' }).click();
  };
  const at = (id: string, role: 'admin' | 'viewer' = 'admin'): Promise<Signed> => suite.at(`#/missions/${id}`, { role });

  it('shows in words why a lying node is refused, and records nothing', async () => {
    const { page } = await at(await suite.invoiced());
    const { tx, log } = await suite.chain().mined('transfer', owner.address, 1_000n);
    await suite.chain().mine(2);
    const events = suite.server().cli.json('doctor')['events'];
    for (const [reason, [first]] of Object.entries(lies).filter((_, i) => fullEffort || i % 3 === 0)) {
      suite.node().lie = first?.[1] ?? null;
      await check(page, tx, String(log));
      if (reason === 'not_yet') await says(page, '.outcome', 'Not yet. Nothing was recorded.');
      else {
        await says(page, '.outcome', `Reason: ${reason}`);
        const known = settlementReasons.find((one) => one === reason) ?? assert.fail(reason);
        assert.ok((await page.textContent('.outcome'))?.includes(en.settlement.reasons[known]), reason);
      }
      suite.node().lie = null;
    }
    await accessible(page, 'refused');
    await fits320(page, 'refused');
    assert.equal(suite.server().cli.json('doctor')['events'], events);
  });

  it('reports that the node did not respond, without its address', async () => {
    const { page } = await at(await suite.invoiced());
    const tx = await suite.paid();
    for (const title of ['a redirect', 'a closed connection']) {
      const [, lie] = malformedAnswers.find(([one]) => one === title) ?? assert.fail(title);
      suite.node().lie = lie;
      await check(page, tx);
      await says(page, '.check-payment .problem', 'chain_unreachable');
      assert.doesNotMatch((await page.textContent('.check-payment .problem')) ?? '', /127\.0\.0\.1/);
      suite.node().lie = null;
    }
    await accessible(page, 'unreachable');
  });

  it('lets a person choose between two transfers of one transaction', async () => {
    const { page } = await at(await suite.invoiced());
    const { tx, log } = await suite.chain().mined('transferTwice', owner.address, 1_000n);
    await suite.chain().mine(2);
    await check(page, tx);
    await says(page, '.check-payment .notice', 'Choose the transfer by its log index');
    await accessible(page, 'several');
    await page.getByRole('button', { name: `Log index ${log + 1}` }).click();
    await says(page, '.receipt', `log ${log + 1}`);
  });

  it('shows faults of an invoice and of a check at their fields', async () => {
    const { page } = await at(await suite.completed());
    await page.locator('summary', { hasText: 'Issue an invoice' }).click();
    const field = (path: string) => page.locator(`[data-path="${path}"]`);
    const refused = async (path: string): Promise<void> => {
      const answer = page.waitForResponse((response) => response.request().method() === 'POST');
      await page.getByRole('button', { name: 'Issue invoice' }).click();
      assert.equal((await answer).status(), 422);
      await page.waitForSelector(`[data-path="${path}"][aria-invalid="true"]`);
    };
    await field('amount').fill('1');
    for (const bad of sample(badPayers)) {
      await field('payer').fill(bad);
      await refused('payer');
    }
    await field('payer').fill(payer.address);
    for (const bad of sample(badTokens)) {
      await field('amount').fill(bad);
      assert.equal(await page.locator('.read').count(), 0, 'it is read as no amount');
      await refused('amount');
    }
    await field('unit').selectOption('units');
    for (const bad of sample(badUnits.filter((one) => one !== ''))) {
      await field('amount_units').fill(bad);
      await refused('amount_units');
    }
    await field('amount_units').fill(String(2n ** 256n - 1n));
    await says(page, '.read', '584007913129639935 tokens');
    await field('expires_in_days').fill('1.5');
    await refused('expires_in_days');
    await accessible(page, 'faults');
    await field('expires_in_days').fill('2');
    await page.getByRole('button', { name: 'Issue invoice' }).click();
    await says(page, '.invoice', 'Pay by');
    for (const bad of ['', '0x12', `0x${'ab'.repeat(32)}00`]) {
      await check(page, bad);
      await page.waitForSelector('[data-path="transaction"][aria-invalid="true"]');
    }
    await check(page, `0x${'ab'.repeat(32)}`, '-1');
    await page.waitForSelector('[data-path="log_index"][aria-invalid="true"]');
    const press = (name: string): Promise<void> => page.getByRole('button', { name }).click();
    await press('Cancel invoice');
    await press('Back');
    await says(page, '.invoice', 'Awaiting payment');
    await press('Cancel invoice');
    await page.locator('dialog').getByRole('button', { name: 'Cancel invoice' }).click();
    await says(page, '.invoice-cancelled', 'Cancelled');
    await page.getByRole('link', { name: 'Payments' }).click();
    await says(page, '.list-invoices', '584007913129639935 tokens');
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'the page is wider than the window');
  });

  it('draws the request as the QR code of its text, and follows what others do', async () => {
    const id = await suite.invoiced();
    const { page, complaints } = await at(id);
    await page.waitForSelector('.feed-live');
    await page.waitForSelector('svg.qr');
    const { uri } = (await recordOf(suite.server(), id)).invoice ?? assert.fail('there is no invoice');
    assert.equal(await page.textContent('.request-text pre'), uri);
    const { size, data } = qrcode.create(uri, { errorCorrectionLevel: 'M' }).modules;
    const dark = Array.from(data, (module, i) => (module === 0 ? null : `M${(i % size) + 4} ${Math.floor(i / size) + 4}h`));
    const drawn = (await page.locator('.qr-dark').getAttribute('d')) ?? '';
    assert.deepEqual(
      [...drawn.matchAll(/M\d+ \d+h/g)].map(([module]) => module),
      dark.filter((module) => module !== null),
    );
    suite.server().cli.json('invoice-cancel', id);
    await says(page, '.invoice-cancelled', 'Cancelled');
    assert.equal(await page.locator('svg.qr').count(), 0);
    assert.equal(await page.locator('.check-payment').count(), 0);
    await page.locator('summary', { hasText: 'Issue another invoice' }).click();
    assert.deepEqual(complaints, []);
  });

  it('offers a viewer the request, the receipt and its verification, and nothing that changes anything', async () => {
    const id = await suite.invoiced();
    const tx = await suite.paid();
    const admin = await at(id);
    const { page, go } = await at(id, 'viewer');
    await page.waitForSelector('svg.qr');
    for (const name of ['Check payment', 'Cancel invoice', 'Issue invoice'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name);
    await check(admin.page, tx);
    await says(admin.page, '.receipt', tx);
    await page.getByRole('button', { name: 'Verify receipt' }).click();
    await says(page, '.receipt .outcome', 'Valid');
    suite.node().lie = lies['block_not_canonical']?.[0]?.[1] ?? null;
    await page.getByRole('button', { name: 'Verify receipt' }).click();
    await says(page, '.receipt .outcome', 'Not valid');
    await accessible(page, 'invalid receipt');
    suite.node().lie = null;
    await go('#/payments');
    assert.equal(await page.getByRole('button', { name: 'Get challenge' }).count(), 0);
    assert.match(await words(page), new RegExp(owner.address));
  });

  it('speaks French', async () => {
    const id = await suite.invoiced();
    const { page, go } = await suite.at(`#/missions/${id}`, { locale: 'fr-FR' });
    await page.locator('[data-path="transaction"]').fill(`0x${'ab'.repeat(32)}`);
    await page.getByRole('button', { name: 'Vérifier le paiement' }).click();
    await says(page, '.outcome', 'Pas encore. Rien n’a été enregistré.');
    assert.match(await words(page), /Chaîne de test : ces jetons n’ont aucune valeur/);
    await go('#/payments');
    assert.match(await words(page), /En attente de paiement/);
  });
});
