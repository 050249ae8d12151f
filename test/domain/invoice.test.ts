/** Invoices: given what happened, when one is issued or cancelled, then exactly these events or this refusal. */
import assert from 'node:assert/strict';
import { isRefused, type Result } from '../../src/base/result.js';
import { amountUnits, earmarkOf, inTokens, paymentUri, tokenAddress, unitsOfTokens } from '../../src/codec/chain.js';
import { checksummed } from '../../src/chain/eth-address.js';
import {
  decideInvoice,
  decideInvoiceCancel,
  invoiceStream,
  isOverdue,
  type Invoice,
  type InvoiceEvent,
} from '../../src/domain/invoice.js';
import { documents, event, result_hash } from '../support/given-events.js';

const ready = { state: 'ready', config_hash: null, config_blob: null } as const;
const paused = { ...ready, state: 'paused' } as const;
const time = (minute: number): string => `2026-11-20T05:${String(minute).padStart(2, '0')}:00.000000Z`;
const [id, next] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
const issued = event('invoice.issued');
const withEnd = event('invoice.issued', { expires_at: time(30) });

const after = (...events: readonly InvoiceEvent[]): Invoice | null =>
  events.reduce<Invoice | null>(
    (invoice, one, i) => invoiceStream.evolve(invoice, one, { id, sequence: i + 1, time: time(i) }),
    null,
  );
const outcome = <A>(result: Result<A>): unknown =>
  isRefused(result) ? `${result.left.code} ${result.left.errors?.[0]?.path ?? ''}`.trim() : result.right;

const mission = { id: documents['invoice.issued'].mission, state: 'completed', result_hash } as const;
const { document } = issued;
const issue = (newest: Invoice | null, changes: object = {}): unknown =>
  outcome(decideInvoice(next, { control: ready, mission, newest, now: time(10), document, ...changes }));
const made = { invoice: next, event: issued };

describe('an invoice', () => {
  it('is issued for approved work, while none awaits payment and none was paid', () => {
    assert.deepEqual(issue(null), [made]);
    assert.deepEqual(issue(after(issued, event('invoice.cancelled'))), [made]);
    assert.deepEqual(issue(after(withEnd, event('invoice.expired'))), [made]);
    assert.equal(issue(after(issued)), 'wrong_state');
    assert.equal(issue(after(withEnd)), 'wrong_state');
    assert.equal(issue(after(issued, event('invoice.paid'))), 'wrong_state');
    for (const state of ['queued', 'running', 'review', 'rejected', 'failed'] as const)
      assert.equal(issue(null, { mission: { ...mission, state } }), 'wrong_state', state);
  });

  it('replaces one whose time is over, which expires', () => {
    const expired = { invoice: id, event: event('invoice.expired') };
    assert.deepEqual(issue(after(withEnd), { now: time(31) }), [expired, made]);
  });

  it('is refused while paused, to the own address, and for a result that changed', () => {
    assert.equal(issue(null, { control: paused }), 'paused');
    assert.equal(issue(null, { document: { ...document, payer: document.recipient.toLowerCase() } }), 'invalid payer');
    assert.equal(issue(null, { mission: { ...mission, result_hash: 'f'.repeat(64) } }), 'conflict');
  });

  it('is cancelled while it awaits payment, also after its time', () => {
    const cancel = (invoice: Invoice | null, control: typeof ready | typeof paused = ready): unknown =>
      outcome(decideInvoiceCancel(control, invoice ?? assert.fail(), 'operator'));
    assert.deepEqual(cancel(after(issued)), [event('invoice.cancelled')]);
    assert.deepEqual(cancel(after(withEnd)), [event('invoice.cancelled')]);
    assert.equal(cancel(after(issued), paused), 'paused');
    for (const last of ['invoice.cancelled', 'invoice.expired', 'invoice.paid'] as const)
      assert.equal(cancel(after(issued, event(last))), 'wrong_state', last);
  });

  it('is overdue after its end alone', () => {
    const [open, ending] = [after(issued), after(withEnd)];
    assert.ok(open !== null && ending !== null);
    assert.deepEqual([isOverdue(open, time(59)), isOverdue(ending, time(30)), isOverdue(ending, time(31))], [false, false, true]);
  });
});

describe('amounts', () => {
  it('are exact in tokens, with at most 18 decimals', () => {
    for (const [tokens, units] of [
      ['1', '1000000000000000000'],
      ['1.5', '1500000000000000000'],
      ['0.000000000000000001', '1'],
      ['0', '0'],
      ['123456789012345678901234567890.123456789012345678', '123456789012345678901234567890123456789012345678'],
    ] as const) {
      assert.equal(unitsOfTokens(tokens), units);
      if (units !== '0') assert.equal(inTokens(units), tokens);
    }
    const bad = [
      '',
      '.5',
      '1.',
      '-1',
      '+1',
      '1e3',
      '1,5',
      ' 1',
      '1 ',
      '0x1',
      '1.0000000000000000001',
      'NaN',
      '١',
      '9'.repeat(81),
    ];
    for (const tokens of bad) assert.equal(unitsOfTokens(tokens), null, tokens);
  });

  it('are whole numbers in base units from 1 to 2^256 - 1', () => {
    for (const good of ['1', '999', String(2n ** 256n - 1n)]) assert.equal(amountUnits.is(good), true, good);
    const bad = [
      '0',
      '',
      '-1',
      '01',
      '1.0',
      '1e3',
      '0x1',
      ' 1',
      '1\n',
      String(2n ** 256n),
      '9'.repeat(78),
      '1'.repeat(79),
      1,
      1n,
      null,
    ];
    for (const one of bad) assert.equal(amountUnits.is(one), false, String(one));
  });

  it('are earmarked by basis points, rounded down', () => {
    assert.deepEqual(
      [
        ['9999', 1],
        ['10000', 1],
        ['19999', 5_000],
        ['7', 10_000],
        ['7', 0],
      ].map(([units, bps]) => earmarkOf(String(units), Number(bps))),
      ['0', '1', '9999', '7', '0'],
    );
  });

  it('are requested by an EIP-681 address', () => {
    const to = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    assert.equal(
      paymentUri(31_337, to, '1500'),
      `ethereum:0xA61a3B3a130a9c20768EEBF97E21515A6046a1fA@31337/transfer?address=${to}&uint256=1500`,
    );
    assert.equal(checksummed(tokenAddress.toLowerCase()), tokenAddress);
  });
});
