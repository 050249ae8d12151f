/** Contract wallets: code on the chain that judges signatures, told from an account that only delegates to code. */
import assert from 'node:assert/strict';
import type { Home } from '../../src/app/home/home.js';
import { setToolStatus } from '../../src/app/tools/change.js';
import { bindWallet, issueChallenge } from '../../src/app/wallet/bind.js';
import { configureChain, silentChain } from '../support/given-chain-home.js';
import { actor, rejectsRefusal } from '../support/given-home.js';
import { real } from '../support/real.js';
import { homeForEach } from '../support/temporary-home.js';
import { tokenChain, type TokenChain } from '../support/token-chain.js';
import { owner, stranger } from '../support/wallet.js';

const homes = homeForEach();
/** Any code: what it would say of a signature is not asked. */
const contract = '0x60006000fd';
const delegated = `0xef0100${'12'.repeat(20)}`;

real('anvil', 'wallet-bind of an address with code', () => {
  let chain: TokenChain;
  before(async () => void (chain = await tokenChain()));
  after(() => chain.stop());

  /** Gives an address its code, at a confirmed block. */
  const withCode = async (address: string, code: string): Promise<void> => {
    await chain.node.call('anvil_setCode', address, code);
    await chain.mine(4);
  };
  /** The refusal of a signature that `stranger` made for `address`. */
  const refusalOf = async (home: Home, address: string, named: boolean): Promise<string> => {
    const { message } = await issueChallenge(home, named ? undefined : address, actor);
    const signature = await stranger.signMessage(message);
    const before = home.writer.head;
    const { detail } = await rejectsRefusal(
      bindWallet(home, { signature, address: named ? address : undefined, actor }),
      'invalid',
    );
    assert.deepEqual(home.writer.head, before);
    return detail;
  };

  it('reports that a contract wallet has no key, whoever named it', async () => {
    await homes.get().with(async (home) => {
      await configureChain(home, chain.settings);
      await withCode(owner.address, contract);
      for (const named of [true, false]) {
        const detail = await refusalOf(home, owner.address, named);
        assert.match(
          detail,
          new RegExp(`^address: ${owner.address} is a contract wallet: .*EIP-1271.*no key.*an account that has a key$`),
        );
      }
      const { message } = await issueChallenge(home, owner.address, actor);
      const long = `${await stranger.signMessage(message)}${'00'.repeat(32)}`;
      assert.match((await rejectsRefusal(bindWallet(home, { signature: long, actor }), 'invalid')).detail, /contract wallet/);
    });
  });

  it('binds an account that delegates to a contract (EIP-7702): it has a key', async () => {
    await homes.get().with(async (home) => {
      await configureChain(home, chain.settings);
      await withCode(owner.address, delegated);
      assert.match(await refusalOf(home, owner.address, true), /made with another key/);
      const { message } = await issueChallenge(home, owner.address, actor);
      const bound = await bindWallet(home, { signature: await owner.signMessage(message), actor });
      assert.equal(bound.address, owner.address);
    });
  });

  it('does not mention contracts where the address has no code, or the chain cannot be read', async () => {
    await homes.get().with(async (home) => {
      assert.match(await refusalOf(home, owner.address, true), /made with another key/);
      await configureChain(home, silentChain);
      assert.match(await refusalOf(home, owner.address, true), /made with another key/);
      await configureChain(home, chain.settings);
      await withCode(owner.address, '0x');
      assert.match(await refusalOf(home, owner.address, true), /made with another key/);
      await withCode(owner.address, contract);
      await setToolStatus(home, 'chain_read', { to: 'disabled', note: 'why', actor });
      assert.match(await refusalOf(home, owner.address, true), /made with another key/);
    });
  });
});
