/** The balance of the bound wallet: read from a real node, and refused without chain or wallet. */
import assert from 'node:assert/strict';
import type { Home } from '../../src/app/home/home.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import { walletBalance } from '../../src/app/wallet/balance.js';
import { pause } from '../../src/app/home/control.js';
import type { Check } from '../../src/codec/api-status.js';
import { bound, configureChain, silentChain } from '../support/given-chain-home.js';
import { actor, rejectsRefusal } from '../support/given-home.js';
import { real } from '../support/real.js';
import { homeForEach } from '../support/temporary-home.js';
import { tokenChain, type TokenChain } from '../support/token-chain.js';
import { owner } from '../support/wallet.js';

const homes = homeForEach();
const chainCheck = (home: Home): Check | undefined => inspectHome(home).checks.find(({ name }) => name === 'chain');

describe('doctor', () => {
  it('says what the pin of a configured chain does not cover, without calling the node', async () => {
    await homes.get().with(async (home) => {
      assert.equal(chainCheck(home), undefined);
      await configureChain(home, silentChain);
      const { status, detail } = chainCheck(home) ?? assert.fail('no check');
      assert.equal(status, 'ok');
      assert.match(detail, /^chain 31337, a test chain, 3 confirmations; .*if that is a proxy, not the implementation/);
      assert.doesNotMatch(detail, /127\.0\.0\.1/);
    });
  });
});

describe('balance', () => {
  it('is refused without a chain, without a wallet, and when the chain does not respond', async () => {
    await homes.get().with(async (home) => {
      await rejectsRefusal(walletBalance(home), 'chain_unconfigured');
      await configureChain(home, silentChain);
      const { hint } = await rejectsRefusal(walletBalance(home), 'wrong_state');
      assert.equal(hint, 'agent-cli wallet-challenge');
      await bound(home);
      const { detail } = await rejectsRefusal(walletBalance(home), 'chain_unreachable');
      assert.equal(detail, 'the node did not respond (ECONNREFUSED)');
    });
  });
});

real('anvil', 'balance on a chain', () => {
  let chain: TokenChain;
  before(async () => void (chain = await tokenChain()));
  after(() => chain.stop());

  it('returns the balance of the bound address at a confirmed block, in base units and tokens, also while paused', async () => {
    const units = 1_500_000_000_000_000_001n;
    const { tx } = await chain.mined('transfer', owner.address, units);
    await chain.mine(2);
    await homes.get().with(async (home) => {
      await configureChain(home, chain.settings);
      await bound(home);
      await pause(home, actor);
      const before = home.writer.head;
      const { blockNumber, blockHash } = (await chain.receipt(tx))!;
      assert.deepEqual(await walletBalance(home), {
        address: owner.address,
        balance_units: String(units),
        balance: '1.500000000000000001',
        chain_id: 31_337,
        environment: 'test_chain',
        block_number: Number(blockNumber),
        block_hash: blockHash,
      });
      assert.deepEqual(home.writer.head, before, 'a reading records nothing');
    });
  });

  it('refuses another chain or other code with the reason, and a chain that is too young with not_yet', async () => {
    await homes.get().with(async (home) => {
      await bound(home);
      for (const [changes, code, reason] of [
        [{ chain_id: 2 }, 'verification_failed', 'wrong_chain'],
        [{ token_code_sha256: '00'.repeat(32) }, 'verification_failed', 'wrong_code'],
        [{ confirmations: 10_000 }, 'not_yet', undefined],
      ] as const) {
        await configureChain(home, { ...chain.settings, ...changes });
        const { facts } = await rejectsRefusal(walletBalance(home), code);
        assert.equal(facts?.['reason'], reason);
      }
    });
  });
});
