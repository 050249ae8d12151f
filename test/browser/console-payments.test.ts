/** From a mission to its settled receipt, all through the console, on a local chain with the token at its address. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { accessible } from '../support/console/accessibility.js';
import { real } from '../support/real.js';
import { owner, payer, stranger } from '../support/chain/wallet.js';
import { decide, small, until, words } from './console-given.js';
import { fits320, paymentsForSuite, says } from './payments-given.js';
import { assertNone } from '../support/lists.js';

const amount = 1_500_000_000_000_000_000n;

real(['chromium', 'anvil'], 'the console: from a mission to its receipt', () => {
  const suite = paymentsForSuite({ isBound: false });

  async function bind(page: Page): Promise<void> {
    await says(page, '#content', 'No wallet is bound');
    await page.getByRole('button', { name: 'Get challenge' }).click();
    await page.waitForSelector('.challenge');
    const message = (await page.textContent('.challenge')) ?? '';
    assert.match(message, /^agent-cli wallet binding v1\nIdentity: urn:/);
    await accessible(page, 'challenge');
    await fits320(page, 'challenge');
    const signature = page.locator('[data-path="signature"]');
    const submit = page.getByRole('button', { name: 'Bind address' });
    await signature.fill('0x12');
    await submit.click();
    await says(page, '.field-error', 'must have 65 bytes');
    await signature.fill(await stranger.signMessage(`${message} `));
    await submit.click();
    await says(page, '.notice-warn', 'Is it yours?');
    assert.equal(suite.server().cli.run('balance', '--json').code, 4, 'nothing is bound');
    await signature.fill(await owner.signMessage(message));
    await submit.click();
    await says(page, '.notice-warn', `The signature gives the address ${owner.address}. Is it yours?`);
    await accessible(page, 'signature');
    await page.getByRole('button', { name: 'Yes, bind this address' }).click();
    await says(page, '.facts', owner.address);
    await page.getByRole('button', { name: 'Read balance' }).click();
    await says(page, '.facts', '0 tokens');
  }

  async function approve(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Execute', exact: true }).click();
    await page.waitForSelector('#decision');
    await decide(page, 'Approve', 'checked');
    await page.getByRole('button', { name: 'Sign approval' }).click();
    await page.waitForSelector('.badge-completed');
  }

  async function invoice(page: Page): Promise<string> {
    await page.locator('summary', { hasText: 'Issue an invoice' }).click();
    await page.locator('[data-path="payer"]').fill(payer.address);
    await page.locator('[data-path="amount"]').fill('1.5');
    await says(page, '.read', `= ${amount} base units`);
    await accessible(page, 'invoice form');
    await fits320(page, 'invoice form');
    await page.getByRole('button', { name: 'Issue invoice' }).click();
    await page.waitForSelector('svg.qr');
    return (await page.textContent('.request-text pre')) ?? '';
  }

  it('makes the mission, binds the wallet, issues the invoice, checks the payment, and verifies the receipt', async () => {
    const { page, go, complaints } = await suite.at('#/payments');
    await bind(page);
    await go('#/new');
    const file = join(suite.server().cli.directory, 'mission.json');
    writeFileSync(file, JSON.stringify(small));
    await page.setInputFiles('input[type=file]', file);
    await page.waitForSelector('.notice-good');
    await page.getByRole('button', { name: 'Queue mission' }).click();
    await page.waitForSelector('.badge-queued');
    const id = new URL(page.url()).hash.split('/').at(-1) ?? '';
    await approve(page);
    const uri = await invoice(page);
    const shown = suite.server().cli.json('show', id) as { invoice: { uri: string }; result_hash: string };
    assert.equal(uri, shown.invoice.uri);
    assert.match(await words(page), /1\.5 tokens 1500000000000000000 base units/);
    assert.match(await words(page), /Test chain: these tokens have no value/);
    await accessible(page, 'invoice');
    await fits320(page, 'invoice');

    const { tx } = await suite.chain().mined('transfer', owner.address, amount);
    const events = suite.server().cli.json('doctor')['events'];
    await page.locator('[data-path="transaction"]').fill(tx);
    const check = page.getByRole('button', { name: 'Check payment' });
    await check.click();
    await says(page, '.outcome', 'Not yet. Nothing was recorded.');
    assert.equal(suite.server().cli.json('doctor')['events'], events);
    await suite.chain().mine(2);
    await check.click();
    await page.waitForSelector('.invoice-paid');
    await says(page, '.receipt', tx);
    assert.equal(await page.locator('.check-payment').count(), 0);
    await page.getByRole('button', { name: 'Verify receipt' }).click();
    await says(page, '.receipt .outcome', 'Valid: the chain has the payment');
    await says(page, '.receipt .outcome', 'The confirmations are right: ok');
    await accessible(page, 'receipt');
    await fits320(page, 'receipt');
    await page.locator('.timeline summary', { hasText: /market/i }).click();
    await says(page, '.timeline', '"amount_units":"1500000000000000000"');
    const record = suite.server().cli.json('show', id) as { receipt: { transaction_hash: string }; result_hash: string };
    assert.deepEqual([record.receipt.transaction_hash, record.result_hash], [tx, shown.result_hash]);
    await go('#/payments');
    await says(page, '.list-invoices', 'Paid');
    await page.getByRole('button', { name: 'Read balance' }).click();
    await says(page, '.facts', '1.5 tokens');
    await accessible(page, 'payments');
    await fits320(page, 'payments');
    const expected = /status of (?:409|422)/;
    assertNone(complaints, (text) => !expected.test(text));
    assert.equal(suite.server().cli.json('verify', '--deep')['valid'], true);
    await until(page, `document.querySelector('.feed-live') !== null`);
  });
});
