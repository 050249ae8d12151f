/** Settlements with a node that lies, breaks, or is overtaken: refused for its reason, and nothing is recorded. */
import assert from 'node:assert/strict';
import { pause } from '../../src/app/home/control.js';
import type { Home } from '../../src/app/home/home.js';
import { configureChain } from '../support/given-chain-home.js';
import { actor, rejectsRefusal } from '../support/given-home.js';
import { awaiting, settling, unsettled } from '../support/given-invoices.js';
import { lyingNode, type LyingNode } from '../support/lying-node.js';
import { lies, malformedReceipts } from '../support/node-lies.js';
import { real } from '../support/real.js';
import { homeForEach } from '../support/temporary-home.js';
import { tokenChain, type TokenChain } from '../support/token-chain.js';
import { owner } from '../support/wallet.js';

const homes = homeForEach();

real('anvil', 'settle with a lying node', () => {
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
      it(`reports ${title} as ${reason}`, async () => {
        liar.lie = lie;
        assert.equal(await unsettled(home, mission, paid.tx, paid.log), reason);
        liar.lie = null;
        assert.equal((await settling(home, mission, paid.tx, paid.log)).outcome, 'settled');
      });
    }
  }

  for (const [title, lie] of malformedReceipts) {
    it(`refuses ${title} as chain_unreachable`, async () => {
      liar.lie = lie;
      const { detail } = await rejectsRefusal(settling(home, mission, paid.tx, paid.log), 'chain_unreachable');
      assert.match(detail, /^the node's response to eth_getTransactionReceipt is malformed/);
    });
  }

  it('records nothing when the configuration changes during the read, and settles on a retry', async () => {
    const settings = home.config().chain;
    liar.lie = async ({ method, nth }, truth) => {
      if (method === 'eth_getTransactionReceipt' && nth === 1)
        await homes.get().with((second) => configureChain(second, settings, { name: 'other' }));
      return truth;
    };
    await rejectsRefusal(settling(home, mission, paid.tx, paid.log), 'conflict');
    assert.equal((await settling(home, mission, paid.tx, paid.log)).outcome, 'settled');
  });

  it('records nothing when the home is paused during the read', async () => {
    liar.lie = async ({ method }, truth) => {
      if (method === 'eth_getTransactionReceipt') await homes.get().with((second) => pause(second, actor));
      return truth;
    };
    await rejectsRefusal(settling(home, mission, paid.tx, paid.log), 'paused');
  });
});
