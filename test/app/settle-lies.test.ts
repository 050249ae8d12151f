/** Settlements with a node that lies, breaks, or is overtaken: refused for its reason, and nothing is recorded. */
import assert from 'node:assert/strict';
import { pause } from '../../src/app/home/control.js';
import type { Home } from '../../src/app/home/home.js';
import { configureChain } from '../support/given-chain-home.js';
import { actor, rejectsRefusal } from '../support/given-home.js';
import { awaiting, settling, unsettled } from '../support/given-invoices.js';
import { lyingNode, type LyingNode } from '../support/lying-node.js';
import { real } from '../support/real.js';
import { homeForEach } from '../support/temporary-home.js';
import { tokenChain, type TokenChain } from '../support/token-chain.js';
import { owner } from '../support/wallet.js';

const homes = homeForEach();
type Json = Record<string, unknown>;
type Logs = { readonly logs: readonly Json[] };

/** A lie about the receipt alone. */
const receipt =
  (change: (truth: Json & Logs) => unknown): LyingNode['lie'] =>
  ({ method }, truth) =>
    method === 'eth_getTransactionReceipt' ? change(truth as Json & Logs) : truth;
const inLog = (change: Json): LyingNode['lie'] =>
  receipt((truth) => ({ ...truth, logs: truth.logs.map((log) => ({ ...log, ...change })) }));
const other = `0x${'1'.repeat(64)}`;

const lies: Readonly<Record<string, readonly (readonly [string, LyingNode['lie']])[]>> = {
  transaction_failed: [['the right log in a failed transaction', receipt((truth) => ({ ...truth, status: '0x0' }))]],
  log_removed: [['a removed log', inLog({ removed: true })]],
  log_missing: [
    ['no logs', receipt((truth) => ({ ...truth, logs: [] }))],
    ['an event of the token that is no transfer', inLog({ topics: [other] })],
    ['a transfer with the amount among the topics', inLog({ data: '0x' })],
  ],
  wrong_token: [['the log of another contract', inLog({ address: `0x${'12'.repeat(20)}` })]],
  wrong_amount: [['an amount beyond any', inLog({ data: `0x${'f'.repeat(64)}` })]],
  block_not_canonical: [
    [
      'a receipt of a block that was reorganised away',
      receipt((truth) => ({ ...truth, blockHash: other, logs: truth.logs.map((log) => ({ ...log, blockHash: other })) })),
    ],
  ],
  node_inconsistent: [
    ['the receipt of another transaction', receipt((truth) => ({ ...truth, transactionHash: other }))],
    ['a log of another transaction', inLog({ transactionHash: other })],
    ['a log of another block', inLog({ blockHash: other })],
    ['a log with another block number', inLog({ blockNumber: '0x1' })],
    ['two logs of one index', receipt((truth) => ({ ...truth, logs: [...truth.logs, ...truth.logs] }))],
    ['a head that goes back', ({ method, nth }, truth) => (method === 'eth_blockNumber' && nth > 1 ? '0x1' : truth)],
  ],
  wrong_chain: [['another chain', ({ method }, truth) => (method === 'eth_chainId' ? '0x1' : truth)]],
  wrong_code: [
    ['other code', ({ method }, truth) => (method === 'eth_getCode' ? `${String(truth)}00` : truth)],
    ['no code', ({ method }, truth) => (method === 'eth_getCode' ? '0x' : truth)],
  ],
  wrong_decimals: [
    ['6 decimals', ({ method }, truth) => (method === 'eth_call' ? `0x${'6'.padStart(64, '0')}` : truth)],
    ['no decimals', ({ method }, truth) => (method === 'eth_call' ? '0x' : truth)],
  ],
  not_yet: [
    ['a young chain', ({ method }, truth) => (method === 'eth_blockNumber' ? '0x2' : truth)],
    ['an unknown transaction', receipt(() => null)],
  ],
};

const malformed: readonly (readonly [string, LyingNode['lie']])[] = [
  ['a receipt without a status', receipt((truth) => ({ ...truth, status: undefined }))],
  ['a status that is a number', receipt((truth) => ({ ...truth, status: 1 }))],
  ['an index that is a number', inLog({ logIndex: 0 })],
  ['a log without "removed"', inLog({ removed: undefined })],
  ['logs that are null', receipt((truth) => ({ ...truth, logs: null }))],
  ['an odd number of digits', inLog({ data: '0x123' })],
];

real('anvil', 'settle with a node that', () => {
  let chain: TokenChain;
  let paid: { readonly tx: string; readonly log: number };
  let home: Home;
  let mission: string;
  let liar: LyingNode;

  before(async () => void (chain = await tokenChain()));
  after(() => chain.stop());
  beforeEach(async () => {
    await chain.mine(3);
    liar = await lyingNode(chain.node.url);
    home = homes.get().open();
    mission = await awaiting(home, { ...chain.settings, rpc_url: liar.url });
    paid = await chain.mined('transfer', owner.address, 1_000n);
    await chain.mine(2);
    await liar.stop();
    liar = await again(liar);
  });
  afterEach(async () => {
    home.close();
    await liar.stop();
  });

  /** A proxy at the same address that has counted no call yet. */
  const again = (before: LyingNode): Promise<LyingNode> => lyingNode(chain.node.url, Number(new URL(before.url).port));

  for (const [reason, cases] of Object.entries(lies)) {
    for (const [title, lie] of cases) {
      it(`says ${title}: ${reason}`, async () => {
        liar.lie = lie;
        assert.equal(await unsettled(home, mission, paid.tx, paid.log), reason);
        liar.lie = null;
        assert.equal((await settling(home, mission, paid.tx, paid.log)).outcome, 'settled');
      });
    }
  }

  for (const [title, lie] of malformed) {
    it(`says ${title}: no answer`, async () => {
      liar.lie = lie;
      const { detail } = await rejectsRefusal(settling(home, mission, paid.tx, paid.log), 'chain_unreachable');
      assert.match(detail, /^the node's answer to eth_getTransactionReceipt is malformed/);
    });
  }

  it('is read while the configuration changes: nothing is recorded, and a retry settles', async () => {
    const settings = home.config().chain;
    liar.lie = async ({ method, nth }, truth) => {
      if (method === 'eth_getTransactionReceipt' && nth === 1)
        await homes.get().with((second) => configureChain(second, settings, { name: 'other' }));
      return truth;
    };
    await rejectsRefusal(settling(home, mission, paid.tx, paid.log), 'conflict');
    assert.equal((await settling(home, mission, paid.tx, paid.log)).outcome, 'settled');
  });

  it('is read while the home is paused: nothing is recorded', async () => {
    liar.lie = async ({ method }, truth) => {
      if (method === 'eth_getTransactionReceipt') await homes.get().with((second) => pause(second, actor));
      return truth;
    };
    await rejectsRefusal(settling(home, mission, paid.tx, paid.log), 'paused');
  });
});
