/** Invoices: given what happened, when one is issued or cancelled, then exactly these events or this refusal. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { utf8 } from '../../src/base/bytes.js';
import { keccak256 } from '../../src/base/keccak.js';
import { isRefused, type Result, unwrap } from '../../src/base/refusal.js';
import { checksummed } from '../../src/chain/eth-address.js';
import { jobsCodec, type JobSpec, type Plan } from '../../src/codec/ascension.js';
import { amountUnits, earmarkOf, paymentUri, tokenAddress, tokensText, unitsOfTokens } from '../../src/codec/chain.js';
import { decode } from '../../src/codec/kit.js';
import { treeOf, compilePlan, leafOf, planFault, planText } from '../../src/domain/ascension.js';
import {
  decideInvoice,
  decideInvoiceCancel,
  type Invoice,
  type InvoiceEvent,
  invoiceStream,
  isOverdue,
} from '../../src/domain/invoice.js';
import { oracleFold, oracleLeaf, oracleRoot, sampleJobs } from '../support/app/ascension.js';
import { documents, event, result_hash } from '../support/codec/given-events.js';
import { atEffort } from '../support/effort.js';
import { packageRoot } from '../support/package-root.js';

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
      if (units !== '0') assert.equal(tokensText(units), `${tokens} ${tokens === '1' ? 'token' : 'tokens'}`);
    }
    const bad = ['', '.5', '1.', '-1', '+1', '1e3', '1,5', ' 1', '0x1', '1.0000000000000000001', 'NaN', '١', '9'.repeat(81)];
    for (const tokens of bad) assert.equal(unitsOfTokens(tokens), null, tokens);
  });

  it('are whole numbers in base units from 1 to 2^256 - 1', () => {
    for (const good of ['1', '999', String(2n ** 256n - 1n)]) assert.equal(amountUnits.is(good), true, good);
    const bad = ['0', '', '-1', '01', '1.0', '1e3', '0x1', ' 1', '1\n', String(2n ** 256n), '1'.repeat(79), 1, null];
    for (const one of bad) assert.equal(amountUnits.is(one), false, String(one));
  });

  it('are earmarked by basis points, rounded down', () => {
    const earmarks = [earmarkOf('9999', 1), earmarkOf('10000', 1), earmarkOf('19999', 5_000), earmarkOf('7', 10_000)];
    assert.deepEqual([...earmarks, earmarkOf('7', 0)], ['0', '1', '9999', '7', '0']);
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

const vectors = join(packageRoot(import.meta.url), 'test', 'vectors', 'ascension');
const read = (name: string): string => readFileSync(join(vectors, name), 'utf8');

describe('ascension plans', () => {
  it('hash with the keccak256 of the Ethereum virtual machine, not with SHA3-256', () => {
    assert.equal(keccak256(utf8('')), '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
    assert.equal(keccak256(utf8('abc')), '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45');
  });

  it('compile to the golden plan, to the byte', () => {
    const specs = unwrap(decode(jobsCodec, JSON.parse(read('jobs.json'))));
    const plan = compilePlan(specs);
    assert.equal(planText(plan), read('plan.json'));
    assert.equal(plan.totalBounty, String(100n + 2n ** 96n - 1n + 1_500_000_000_000_000_000n + 250n * 10n ** 18n + 1_000_001n));
    assert.equal(planFault(plan), null);
  });

  it('have the leaves and roots of the reference for every number of jobs', () => {
    const all = sampleJobs(128);
    const leaves = all.map((spec, i) => leafOf(i, spec));
    assert.deepEqual(
      leaves,
      all.map((spec, i) => oracleLeaf(i, spec)),
    );
    for (let n = 1; n <= all.length; n++) {
      const { root, proofs } = treeOf(leaves.slice(0, n));
      assert.equal(root, oracleRoot(leaves.slice(0, n)), String(n));
      if (n > 16 && n % atEffort(8, 1) !== 0) continue;
      for (const [i, proof] of proofs.entries()) assert.equal(oracleFold(leaves[i]!, proof), root, `${i} of ${n}`);
    }
    assert.throws(() => treeOf([]), RangeError);
  });

  it('have the leaf that the ABI coder gives for any text and any amount', () => {
    const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    const units = fc.bigInt({ min: 100n, max: 2n ** 96n - 1n }).map(String);
    const spec: fc.Arbitrary<JobSpec> = fc.record({
      goal: texts,
      successMetric: texts,
      bounty: units,
      duration: fc.integer({ min: 1, max: 7_776_000 }),
      priceWeight: fc.integer({ min: 0, max: 10_000 }),
    });
    fc.assert(fc.property(fc.nat(127), spec, (i, one) => assert.equal(leafOf(i, one), oracleLeaf(i, one))));
  });
});

describe('a plan that is not what its jobs compile to', () => {
  const plan = compilePlan(sampleJobs(5));
  const withJob = (i: number, changes: Partial<Plan['jobs'][number]>): Plan => ({
    ...plan,
    jobs: plan.jobs.map((one, n) => (n === i ? { ...one, ...changes } : one)),
  });
  const other = `0x${'ab'.repeat(32)}`;
  const [, , third, , last] = plan.jobs.map(({ proof }) => proof);
  const cases: readonly (readonly [string, Plan, RegExp])[] = [
    ['an altered leaf', withJob(1, { leaf: other }), /^the leaf of job 1 /],
    ['an altered goal', withJob(3, { spec: { ...plan.jobs[3]!.spec, goal: 'another' } }), /^the leaf of job 3 /],
    ['swapped proofs', withJob(1, { proof: third! }), /^the proof of job 1 /],
    ['a proof too long', withJob(4, { proof: [...last!, other] }), /^the proof of job 4 /],
    [
      'reordered jobs',
      { ...plan, jobs: [plan.jobs[1]!, plan.jobs[0]!, ...plan.jobs.slice(2)] },
      /^the job at place 0 has index 1$/,
    ],
    ['a job too few', { ...plan, jobs: plan.jobs.slice(0, 4) }, /^the plan root is not that of the jobs$/],
    ['a job twice', { ...plan, jobs: [...plan.jobs, plan.jobs[4]!] }, /^the job at place 5 has index 4$/],
    ['another root', { ...plan, planRoot: other }, /^the plan root is not that of the jobs$/],
    ['another total', { ...plan, totalBounty: `${plan.totalBounty}0` }, /^the total bounty is not the sum/],
  ];
  for (const [title, wrong, reason] of cases) it(title, () => assert.match(planFault(wrong) ?? 'no fault', reason));
});
