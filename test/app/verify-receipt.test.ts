/** Receipts against the chain: valid while it has the payment, and found when a deep reorganisation took it away. Two processes settle once. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { verifyReceipt } from '../../src/app/invoices/verify-receipt.js';
import { program } from '../support/cli-run.js';
import { configureChain } from '../support/given-chain-home.js';
import { rejectsRefusal } from '../support/given-home.js';
import { approved, awaiting, settling, unsettled } from '../support/given-invoices.js';
import { lyingNode } from '../support/lying-node.js';
import { real } from '../support/real.js';
import { homeForEach } from '../support/temporary-home.js';
import { tokenChain, type TokenChain } from '../support/token-chain.js';
import { hang_ms } from '../support/wait.js';
import { owner } from '../support/wallet.js';

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
        ['invoice', 'result', 'earmark', 'environment', 'token', 'chain', 'block', 'transaction', 'transfer'],
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

  it('is refused when a reorganisation deeper than the confirmations removed it', async () => {
    const mission = await homes.get().with(async (home) => {
      const first = await awaiting(home, chain.settings);
      const { tx, log } = await paid();
      await settling(home, first, tx, log);
      return first;
    });
    await chain.node.call('anvil_reorg', 4, []);
    const { code, document } = await command('verify-receipt', mission);
    assert.deepEqual(
      [code, document['valid'], document['reason'], document['confirmations']],
      [3, false, 'block_not_canonical', null],
    );
  });

  it('was reorganised away before it was settled: not yet, and nothing is recorded', async () => {
    await homes.get().with(async (home) => {
      const mission = await awaiting(home, chain.settings);
      const { tx, log } = await paid(0);
      await chain.node.call('anvil_reorg', 1, []);
      await chain.mine(4);
      assert.equal(await unsettled(home, mission, tx, log), 'not_yet');
    });
  });

  it('is recorded by one of two processes that settle at the same moment', async () => {
    const mission = await homes.get().with((home) => awaiting(home, chain.settings));
    const { tx, log } = await paid();
    const settle = (): Promise<Ran> => command('settle', mission, '--transaction', tx, '--log-index', String(log));
    const ran = await Promise.all([settle(), settle()]);
    const [settled, refused] = ran.toSorted((one, other) => one.code - other.code);
    assert.deepEqual([settled?.code, settled?.document['outcome']], [0, 'settled']);
    assert.deepEqual([refused?.code, refused?.document['reason']], [1, 'invoice_not_open']);
    const later = await command('settle', mission, '--find', tx);
    assert.deepEqual([later.code, later.document['reason']], [1, 'invoice_not_open']);
    assert.equal((await command('verify', '--deep')).document['valid'], true);
  });

  it('is shown by the commands: 6 while it is not confirmed, 0 once it is', async () => {
    const mission = await homes.get().with((home) => awaiting(home, chain.settings));
    const made = await chain.mined('transfer', owner.address, 1_000n);
    const early = await command('settle', mission, '--find', made.tx);
    assert.deepEqual([early.code, early.document['outcome']], [6, 'not_yet']);
    await chain.mine(2);
    const done = await command('settle', mission, '--find', made.tx);
    assert.deepEqual([done.code, done.document['outcome']], [0, 'settled']);
    assert.equal((await command('verify-receipt', mission)).code, 0);
    const unpaid = await homes.get().with((home) => approved(home, 'earn more'));
    assert.equal((await command('verify-receipt', unpaid)).document['code'], 'not_found');
    await chain.node.stop();
    const gone = await command('verify-receipt', mission);
    assert.deepEqual([gone.code, gone.document['code']], [7, 'chain_unreachable']);
    assert.doesNotMatch(JSON.stringify(gone.document), /127\.0\.0\.1/);
  });
});
