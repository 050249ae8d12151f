/** Readings of a chain: bound to one confirmed block of the configured chain, or refused. On anvil, and through a proxy that lies. */
import assert from 'node:assert/strict';
import { ChainError, type Verdict } from '../../src/chain/node.js';
import { readConfirmed, tokenBalance, type ChainReading, type ChainSettings } from '../../src/chain/confirmed.js';
import { tokenAddress } from '../../src/codec/chain.js';
import { lyingNode, type LyingNode } from '../support/chain/lying-node.js';
import { inBlock } from '../support/chain/node-lies.js';
import { real } from '../support/real.js';
import { tokenChain, type TokenChain } from '../support/chain/token-chain.js';
import { owner, stranger } from '../support/chain/wallet.js';
import { membersOf } from '../support/lists.js';

const balanceOf = (settings: ChainSettings, address: string, ms_max?: number): Promise<ChainReading<bigint>> =>
  readConfirmed(settings, (node, at) => tokenBalance(node, address, at), ms_max === undefined ? {} : { ms_max });

async function refused(settings: ChainSettings, verdict: Verdict, message: RegExp, ms_max?: number): Promise<void> {
  await assert.rejects(balanceOf(settings, owner.address, ms_max), (error) => {
    assert.ok(error instanceof ChainError, String(error));
    assert.deepEqual([error.verdict, message.test(error.message)], [verdict, true], `${error.verdict}: ${error.message}`);
    assert.doesNotMatch(error.message, /127\.0\.0\.1|http:/, 'the address of the node is not shown');
    return true;
  });
}

real('anvil', 'a reading of the chain', () => {
  let chain: TokenChain;
  let liar: LyingNode;
  let told: ChainSettings;

  before(async () => {
    chain = await tokenChain();
    await chain.mined('transfer', owner.address, 5n);
    await chain.mine(5);
    liar = await lyingNode(chain.node.url);
    told = { ...chain.settings, rpc_url: liar.url };
  });
  afterEach(() => void (liar.lie = null));
  after(async () => {
    await liar.stop();
    await chain.stop();
  });

  it('is of the newest block that has the confirmations', async () => {
    const head = Number(await chain.node.call('eth_blockNumber'));
    const { at, value } = await balanceOf(chain.settings, owner.address);
    assert.deepEqual([value, at.number, at.head], [5n, head - 2, head]);
    assert.equal((await balanceOf(chain.settings, stranger.address)).value, 0n);
    const block = (await chain.node.call('eth_getBlockByNumber', `0x${at.number.toString(16)}`, false)) as { hash: string };
    assert.equal(at.hash, block.hash);
  });

  it('does not see what is not confirmed yet', () =>
    chain.undone(async () => {
      await chain.mined('transfer', owner.address, 7n);
      assert.equal((await balanceOf(chain.settings, owner.address)).value, 5n);
      await chain.mine(1);
      assert.equal((await balanceOf(chain.settings, owner.address)).value, 5n);
      await chain.mine(1);
      assert.equal((await balanceOf(chain.settings, owner.address)).value, 12n);
    }));

  it('names the block by its hash in every call about its state, and calls nothing but the six methods', async () => {
    const { at } = await balanceOf(told, owner.address);
    const known = ['eth_chainId', 'eth_getCode', 'eth_call', 'eth_blockNumber', 'eth_getBlockByNumber'];
    assert.deepEqual([...new Set(liar.calls.map(({ method }) => method))].toSorted(), known.toSorted());
    for (const { params } of liar.calls.filter(({ method }) => method === 'eth_getCode' || method === 'eth_call'))
      assert.deepEqual(params[1], { blockHash: at.hash, requireCanonical: true });
    assert.deepEqual(membersOf(liar.calls.slice(-2), 'method'), ['eth_blockNumber', 'eth_getBlockByNumber']);
  });

  it('is refused for another chain, other code, no code or other decimals', async () => {
    await refused({ ...chain.settings, chain_id: 1_337 }, 'wrong_chain', /serves chain 31337/);
    await refused({ ...chain.settings, token_code_sha256: '0'.repeat(64) }, 'wrong_code', /not the one/);
    await chain.undone(async () => {
      await chain.node.call('anvil_setCode', tokenAddress, '0x');
      await chain.mine(3);
      await refused(chain.settings, 'wrong_code', /no contract/);
    });
    await chain.undone(async () => {
      await chain.mined('setUnlike18', 1);
      await chain.mine(3);
      await refused(chain.settings, 'wrong_decimals', /18 decimals/);
    });
  });

  it('is refused as not_yet for a chain with fewer blocks than confirmations', async () => {
    const head = Number(await chain.node.call('eth_blockNumber'));
    await refused({ ...chain.settings, confirmations: head + 1 }, 'not_yet', /confirmations are required/);
    assert.equal((await balanceOf({ ...chain.settings, confirmations: head }, owner.address)).at.number, 1);
  });

  const other = `0x${'1'.repeat(64)}`;
  const inconsistent: readonly (readonly [string, LyingNode['lie']])[] = [
    ['a head that goes back', ({ method, nth }, truth) => (method === 'eth_blockNumber' && nth > 1 ? '0x4' : truth)],
    [
      'another block in the end',
      ({ method, nth }, truth) => (method === 'eth_getBlockByNumber' && nth > 1 ? { ...(truth as object), hash: other } : truth),
    ],
    ['a block that is missing below its head', ({ method }, truth) => (method === 'eth_getBlockByNumber' ? null : truth)],
    ['a block of another number', inBlock({ number: '0x1' })],
    [
      'a balance that is not a word',
      ({ method, params }, truth) => (method === 'eth_call' && JSON.stringify(params).includes('0x70a08231') ? '0x01' : truth),
    ],
  ];
  for (const [title, lie] of inconsistent) {
    it(`is refused from a node that contradicts itself: ${title}`, async () => {
      const fresh = await lyingNode(chain.node.url);
      fresh.lie = lie;
      await refused({ ...told, rpc_url: fresh.url }, 'node_inconsistent', /contradicts itself/);
      await fresh.stop();
    });
  }

  it('ends with the time for all calls when a node stalls or drips bytes', async () => {
    liar.lie = () => new Promise(() => undefined);
    await refused(told, 'unreachable', /too late/, 300);
    liar.lie = (_call, _truth, response) => {
      response.writeHead(200);
      const drip = setInterval(() => void response.write(' '), 10);
      response.once('close', () => clearInterval(drip));
    };
    await refused(told, 'unreachable', /too late/, 300);
  });

  it('is refused where nothing listens', () =>
    refused({ ...told, rpc_url: 'http://127.0.0.1:1' }, 'unreachable', /ECONNREFUSED/));

  it('is refused when a reorganisation changes the block between two reads', async () => {
    let isDone = false;
    liar.lie = async ({ method }, truth) => {
      if (method === 'eth_call' && !isDone) {
        isDone = true;
        await chain.node.call('anvil_reorg', 4, []);
      }
      return truth;
    };
    await refused(told, 'node_inconsistent', /changed the confirmed block/);
    assert.equal(isDone, true);
  });
});

real('anvil', 'a reading of mainnet', () => {
  let chain: TokenChain;
  let liar: LyingNode;
  before(async () => {
    chain = await tokenChain(1);
    await chain.mined('transfer', owner.address, 5n);
    await chain.mine(20);
    liar = await lyingNode(chain.node.url);
  });
  after(async () => {
    await liar.stop();
    await chain.stop();
  });

  it('is of the finalized block where that is older than the confirmations', async () => {
    const block = (await chain.node.call('eth_getBlockByNumber', 'finalized', false)) as { number: string };
    const { at, value } = await balanceOf({ ...chain.settings, confirmations: 1 }, owner.address);
    assert.deepEqual([at.number, value], [Number(block.number), 5n]);
    assert.ok(at.number < at.head, 'the finalized block is older than the head');
    const deep = await balanceOf({ ...chain.settings, confirmations: 15 }, owner.address);
    assert.equal(deep.at.number, deep.at.head - 14);
  });

  it('fails closed where the node has no finalized block', async () => {
    liar.lie = ({ params }, truth) => (params[0] === 'finalized' ? null : truth);
    await refused({ ...chain.settings, rpc_url: liar.url }, 'unreachable', /no finalized block/);
  });
});
