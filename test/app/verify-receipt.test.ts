/** Receipts against the chain: valid while it has the payment, and found when a deep reorganisation took it away. Two processes settle once. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportMission } from '../../src/app/exports/export.js';
import { type ReceiptFile, verifyReceiptFile, verifyReceipt } from '../../src/app/invoices/verify-receipt.js';
import type { ReceiptRecord, ReceiptVerification, SettleReport } from '../../src/codec/api-invoices.js';
import { program } from '../support/cli/cli-run.js';
import { configureChain } from '../support/chain/given-chain-home.js';
import { rejectsRefusal } from '../support/app/given-home.js';
import { approved, awaiting, settling } from '../support/app/given-invoices.js';
import { lyingNode } from '../support/chain/lying-node.js';
import { real } from '../support/real.js';
import { homeForEach } from '../support/app/temporary-home.js';
import { tokenChain, type TokenChain } from '../support/chain/token-chain.js';
import { hang_ms } from '../support/wait.js';
import { owner, stranger } from '../support/chain/wallet.js';
import { membersOf } from '../support/lists.js';

const homes = homeForEach();

interface Ran {
  readonly code: number;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Runs a command of the home with `--json`, beside others. */
function command(...args: readonly string[]): Promise<Ran> {
  const { world } = homes.get();
  const env = { PATH: process.env['PATH'] ?? '', ...world.env };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args, '--json'], { env, timeout: hang_ms }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      try {
        resolve({ code, document: JSON.parse(stdout === '' ? stderr : stdout) as Ran['document'] });
      } catch (cause) {
        reject(new Error(`${args.join(' ')}: ${stdout}${stderr}`, { cause }));
      }
    });
  });
}

real('anvil', 'a settled payment', () => {
  let chain: TokenChain;
  beforeEach(async () => {
    chain = await tokenChain();
    await chain.mine(5);
  });
  afterEach(() => chain.stop());

  const paid = async (blocks = 2): Promise<{ readonly tx: string; readonly log: number }> => {
    const made = await chain.mined('transfer', owner.address, 1_000n);
    await chain.mine(blocks);
    return made;
  };

  it('verifies by the configured node and by any other one of the chain', async () => {
    const other = await lyingNode(chain.node.url);
    await homes.get().with(async (home) => {
      const mission = await awaiting(home, chain.settings);
      await rejectsRefusal(verifyReceipt(home, mission), 'not_found');
      const { tx, log } = await paid();
      await settling(home, mission, tx, log);
      await chain.mine(4);
      const { checks, ...report } = await verifyReceipt(home, mission);
      const expected = {
        valid: true,
        reason: null,
        detail: 'the chain has the payment',
        confirmations: 7,
        environment: 'test_chain',
      };
      assert.deepEqual(report, expected);
      assert.deepEqual(
        checks.map(({ name }) => name),
        ['invoice', 'result', 'earmark', 'environment', 'token', 'chain', 'block', 'confirmations', 'transaction', 'transfer'],
      );
      await configureChain(home, null);
      await rejectsRefusal(verifyReceipt(home, mission), 'chain_unconfigured');
      assert.equal((await verifyReceipt(home, mission, other.url)).valid, true);
      for (const bad of ['http://example.com', 'ftp://127.0.0.1', 'https://me:secret@example.com/']) {
        const { detail } = await rejectsRefusal(verifyReceipt(home, mission, bad), 'invalid');
        assert.doesNotMatch(detail, /example|secret/);
      }
      other.lie = ({ method }, truth) => (method === 'eth_chainId' ? '0x1' : truth);
      assert.equal((await verifyReceipt(home, mission, other.url)).reason, 'wrong_chain');
      other.lie = ({ method }, truth) => (method === 'eth_getTransactionReceipt' ? { ...(truth as object), logs: [] } : truth);
      assert.equal((await verifyReceipt(home, mission, other.url)).reason, 'log_missing');
    });
    await other.stop();
  });

  it('is recorded by one of two processes that settle at the same moment', async () => {
    const mission = await homes.get().with((home) => awaiting(home, chain.settings));
    const { tx, log } = await paid();
    const settle = (): Promise<Ran> => command('settle', mission, '--transaction', tx, '--log-index', String(log));
    const ran = await Promise.all([settle(), settle()]);
    const told = ran.map(({ code, document: { outcome, reason, already_recorded } }) =>
      already_recorded === true ? 'already recorded' : `${code} ${String(reason ?? outcome)}`,
    );
    assert.deepEqual(told.toSorted(), ['0 settled', 'already recorded']);
    assert.equal((await command('verify', '--deep')).document['valid'], true);
  });
});

real('anvil', 'verify-receipt of a file', () => {
  let chain: TokenChain;
  let report: SettleReport;
  let exported: string;
  let unpaid: string;
  let files = 0;
  beforeEach(async () => {
    chain = await tokenChain();
    await chain.mine(5);
    [exported, unpaid] = [join(homes.get().root, 'paid.json'), join(homes.get().root, 'unpaid.json')];
    await homes.get().with(async (home) => {
      const mission = await awaiting(home, { ...chain.settings, reinvest_bps: 100 });
      const { tx, log } = await chain.mined('transfer', owner.address, 1_000n);
      await chain.mine(2);
      report = await settling(home, mission, tx, log);
      exportMission(home, mission, exported);
      exportMission(home, await approved(home, 'for nothing'), unpaid);
    });
  });
  afterEach(() => chain.stop());

  const given = (file: Partial<ReceiptFile>): ReceiptFile => ({
    exported: undefined,
    receipt: undefined,
    publicKey: homes.get().report.public_key,
    rpcUrl: chain.node.url,
    ...file,
  });
  const verify = (file: Partial<ReceiptFile>): Promise<ReceiptVerification> => verifyReceiptFile(given(file));
  const written = (document: unknown): string => {
    const file = join(homes.get().root, `receipt-${++files}.json`);
    writeFileSync(file, JSON.stringify(document));
    return file;
  };
  const receipt = (): ReceiptRecord => report.receipt ?? assert.fail('no receipt');

  it('accepts an export, a report of settle and a receipt, and reports what it checked', async () => {
    const ofExport = await verify({ exported });
    assert.deepEqual([ofExport.valid, ofExport.confirmations, ofExport.environment], [true, 3, 'test_chain']);
    const common = ['earmark', 'environment', 'token', 'chain', 'block', 'confirmations', 'transaction', 'transfer'];
    assert.deepEqual(membersOf(ofExport.checks, 'name'), ['export', 'result', ...common]);
    for (const document of [report, receipt()]) {
      const alone = await verify({ receipt: written(document), publicKey: undefined });
      assert.deepEqual([alone.valid, alone.checks.map(({ name }) => name)], [true, common]);
    }
  });

  it('finds a payment that a deep reorganisation removed, and a chain that ends before its block', async () => {
    await chain.node.call('anvil_reorg', 4, []);
    for (const file of [{ exported }, { receipt: written(receipt()) }]) {
      const found = await verify(file);
      assert.deepEqual([found.valid, found.reason, found.confirmations], [false, 'block_not_canonical', null]);
    }
    await chain.node.call('anvil_rollback', 4);
    const short = await verify({ exported });
    assert.equal(short.reason, 'block_not_canonical');
    assert.match(short.detail, /the node's chain is confirmed to block \d+ only$/);
  });

  it('finds every member of a receipt alone that the chain contradicts', async () => {
    const changes: readonly (readonly [Partial<ReceiptRecord>, string])[] = [
      [{ payer: stranger.address }, 'wrong_sender'],
      [{ recipient: stranger.address }, 'wrong_recipient'],
      [{ amount_units: '1001', earmark_units: '10' }, 'wrong_amount'],
      [{ earmark_units: '11' }, 'wrong_amount'],
      [{ log_index: 7 }, 'log_missing'],
      [{ block_hash: `0x${'12'.repeat(32)}` }, 'block_not_canonical'],
      [{ block_time: '2026-11-20T05:00:00.000000Z' }, 'block_not_canonical'],
      [{ verified_at_block: receipt().block_number - 1 }, 'block_not_canonical'],
      [{ confirmations: 1_000_000 }, 'block_not_canonical'],
      [{ verified_at_hash: `0x${'1'.repeat(64)}` }, 'block_not_canonical'],
      [{ block_number: receipt().block_number - 1 }, 'block_not_canonical'],
      [{ token: stranger.address }, 'wrong_token'],
      [{ token_code_sha256: '0'.repeat(64) }, 'wrong_code'],
      [{ environment: 'mainnet' }, 'wrong_chain'],
      [{ chain_id: 31_338 }, 'wrong_chain'],
    ];
    for (const [change, reason] of changes) {
      const found = await verify({ receipt: written({ ...receipt(), ...change }) });
      assert.deepEqual([found.valid, found.reason], [false, reason], JSON.stringify(change));
      assert.doesNotMatch(found.detail, /configuration/, 'whoever verifies a file has none');
    }
    const unknown = { ...receipt(), transaction_hash: `0x${'ab'.repeat(32)}` };
    assert.equal((await verify({ receipt: written(unknown) })).reason, 'node_inconsistent');
  });

  it('refuses an export that is not valid or not paid, a file of another form, and what is missing', async () => {
    const { detail } = await rejectsRefusal(verify({ exported, publicKey: 'ab'.repeat(32) }), 'verification_failed');
    assert.equal(detail, 'the export is not valid: the file names another public key');
    await rejectsRefusal(verify({ exported: unpaid }), 'not_found');
    await rejectsRefusal(verify({ receipt: written({ ...report, outcome: 'not_yet', receipt: null }) }), 'not_found');
    for (const document of [{}, [], { ...receipt(), amount_units: 1000 }, { ...receipt(), surplus: 1 }])
      await rejectsRefusal(verify({ receipt: written(document) }), 'invalid');
    await rejectsRefusal(verify({ exported, publicKey: undefined }), 'invalid');
    await rejectsRefusal(verify({ exported, rpcUrl: undefined }), 'invalid');
    await rejectsRefusal(verify({ exported, rpcUrl: 'http://example.com' }), 'invalid');
  });

  it('is a command that needs no home, and ends with 0, 2, 3 and 7', async () => {
    const { public_key } = homes.get().report;
    const run = (...args: readonly string[]): readonly [number | null, string] => {
      const env = { PATH: process.env['PATH'] ?? '', AGENT_HOME: join(homes.get().root, 'nowhere') };
      const ran = spawnSync(process.execPath, [program, 'verify-receipt', ...args], { env, encoding: 'utf8', timeout: hang_ms });
      return [ran.status, ran.stdout];
    };
    const file = ['--export', exported, '--public-key', public_key];
    const [code, stdout] = run(...file, '--rpc-url', chain.node.url);
    assert.deepEqual([code, /^valid +yes$/m.test(stdout), /^export +ok$/m.test(stdout)], [0, true, true], stdout);
    const liar = await lyingNode(chain.node.url);
    await liar.stop();
    const alone = ['--receipt', written(receipt())];
    assert.equal(run(...alone, '--rpc-url', liar.url)[0], 7);
    // What else may be missing, verifyReceiptFile itself refuses.
    for (const args of [[], [...file, ...alone], [receipt().mission, ...file]]) assert.equal(run(...args)[0], 2, args.join(' '));
    await chain.node.call('anvil_reorg', 4, []);
    assert.equal(run(...alone, '--rpc-url', chain.node.url)[0], 3);
  });
});
