/** The wallet in a home, and invoices to it: a challenge, every signature that binds nothing, and invoices with the chain read on anvil. */
import assert from 'node:assert/strict';
import { pause } from '../../src/app/control/control.js';
import type { Home } from '../../src/app/home/home.js';
import { rebuildHome } from '../../src/app/home/rebuild.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import { setToolStatus } from '../../src/app/tools/tools.js';
import { bindWallet, issueChallenge, wallet_challenge_ms, walletBalance } from '../../src/app/wallet/bind.js';
import type { RefusalCode } from '../../src/base/refusal.js';
import type { Check } from '../../src/codec/api-status.js';
import type { BoundWallet, WalletChallenge } from '../../src/codec/api-wallet.js';
import { readWallet } from '../../src/tables/wallet.js';
import { bound, configureChain, silentChain } from '../support/chain/given-chain-home.js';
import { actor, forecast, produced, rejectsRefusal } from '../support/app/given-home.js';
import { real } from '../support/real.js';
import { homeForEach } from '../support/app/temporary-home.js';
import { tokenChain, type TokenChain } from '../support/chain/token-chain.js';
import { owner, payer, stranger } from '../support/chain/wallet.js';
import { exportText } from '../../src/app/exports/export.js';
import { cancelInvoice, chainConfigHash, invoices } from '../../src/app/invoices/issue.js';
import { showMission } from '../../src/app/missions/missions.js';
import { completionOf } from '../../src/app/missions/record.js';
import { tokenAddress } from '../../src/codec/chain.js';
import { newestInvoice } from '../../src/tables/invoices.js';
import { approved, awaiting, invoiced, settling } from '../support/app/given-invoices.js';
import { lyingNode } from '../support/chain/lying-node.js';
import { membersOf } from '../support/lists.js';

const homes = homeForEach();
const challenge = (home: Home, address?: string): Promise<WalletChallenge> => issueChallenge(home, address, actor);
const bind = (home: Home, signature: string, address?: string): Promise<BoundWallet> =>
  bindWallet(home, { signature, address, actor });

/** A binding that is refused and records nothing. */
async function refused(home: Home, code: RefusalCode, detail: RegExp, signature: string, address?: string): Promise<void> {
  const before = home.writer.head;
  const refusal = await rejectsRefusal(bind(home, signature, address), code);
  assert.match(refusal.detail, detail);
  assert.deepEqual(home.writer.head, before);
}

describe('wallet-challenge', () => {
  homes.it('says who requests it, for how long, and that the signature permits nothing', async (home) => {
    const { report } = homes.get();
    const { message, nonce, address, expires_at } = await challenge(home);
    assert.deepEqual(message.split('\n'), [
      'agent-cli wallet binding v1',
      `Identity: ${report.identity}`,
      `Nonce: ${nonce}`,
      'Issued At: 2026-11-20T05:00:00.000000Z',
      'Expiration Time: 2026-11-20T05:10:00.000000Z',
      'This signature proves control of an address. It permits no spending and proves no name.',
    ]);
    assert.deepEqual([address, expires_at], [null, '2026-11-20T05:10:00.000000Z']);
    const second = await challenge(home, owner.address.toLowerCase());
    assert.equal(second.message.split('\n')[2], `Address: ${owner.address}`);
    assert.notEqual(second.nonce, nonce);
    assert.equal(readWallet(home.db)?.challenge.nonce, second.nonce);
  });
});

describe('wallet-bind', () => {
  it('binds the address that signed, named by the caller or by the challenge, also while paused', async () => {
    await homes.get().with(async (home) => {
      await pause(home, actor);
      const { message } = await challenge(home);
      const bound = await bind(home, await owner.signMessage(message), owner.address);
      assert.deepEqual(bound, { address: owner.address, bound_at: '2026-11-20T05:00:00.000000Z' });
      const again = await challenge(home, owner.address);
      assert.equal((await bind(home, await owner.signMessage(again.message))).address, owner.address);
      assert.equal(readWallet(home.db)?.challenge.used, true);
      const live = readWallet(home.db);
      rebuildHome(home, () => undefined);
      assert.deepEqual(readWallet(home.db), live);
    });
    await homes.get().with(async (home) => assert.equal((await verifyHome(home, { deep: true })).valid, true));
  });

  homes.it('refuses another address than that of the challenge', async (home) => {
    const { message } = await challenge(home, owner.address);
    await refused(home, 'invalid', /the challenge is for/, await stranger.signMessage(message), stranger.address);
    await refused(home, 'invalid', /it was made with another key/, await stranger.signMessage(message));
  });

  homes.it(
    'refuses a signature without a pending challenge: none, a used one, an expired one, one before the clock, a superseded one',
    async (home) => {
      const { clock } = homes.get();
      await refused(home, 'wrong_state', /no challenge/, await owner.signMessage('x'), owner.address);
      const first = await challenge(home);
      const second = await challenge(home);
      await refused(home, 'wrong_state', /newer one replaced/, await owner.signMessage(first.message), owner.address);
      await refused(home, 'invalid', /the signature gives/, await owner.signMessage(first.message));
      const signature = await owner.signMessage(second.message);
      clock.now += wallet_challenge_ms + 1;
      await refused(home, 'wrong_state', /expired/, signature, owner.address);
      clock.now -= wallet_challenge_ms + 2;
      await refused(home, 'wrong_state', /expired/, signature, owner.address);
      clock.now += wallet_challenge_ms + 1;
      await bind(home, signature, owner.address);
      await refused(home, 'wrong_state', /used already: 0x\w{40} has been bound since 20/, signature, owner.address);
      const named = await challenge(home, owner.address);
      const other = await challenge(home, owner.address);
      assert.notEqual(named.nonce, other.nonce);
      await refused(home, 'wrong_state', /newer one replaced/, await owner.signMessage(named.message));
    },
  );

  homes.it('never binds a second address', async (home) => {
    await bind(home, await owner.signMessage((await challenge(home)).message), owner.address);
    await rejectsRefusal(challenge(home, stranger.address), 'wrong_state');
    const { message } = await challenge(home);
    await refused(home, 'wrong_state', /bound to/, await stranger.signMessage(message), stranger.address);
    assert.equal(readWallet(home.db)?.address, owner.address);
  });
});

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
  /** Refuses what `stranger` signed for the owner's address, which the caller names or else the challenge. */
  const refusesStranger = async (home: Home, detail = /made with another key/, named = true): Promise<void> => {
    const { message } = await challenge(home, named ? undefined : owner.address);
    await refused(home, 'invalid', detail, await stranger.signMessage(message), named ? owner.address : undefined);
  };

  homes.it('reports that a contract wallet has no key, whoever named it', async (home) => {
    await configureChain(home, chain.settings);
    await withCode(owner.address, contract);
    const said = new RegExp(`^address: ${owner.address} is a contract wallet: .*EIP-1271.*no key.*an account that has a key$`);
    for (const named of [true, false]) await refusesStranger(home, said, named);
    const { message } = await challenge(home, owner.address);
    await refused(home, 'invalid', /contract wallet/, `${await stranger.signMessage(message)}${'00'.repeat(32)}`);
  });

  homes.it('binds an account that delegates to a contract (EIP-7702): it has a key', async (home) => {
    await configureChain(home, chain.settings);
    await withCode(owner.address, delegated);
    await refusesStranger(home);
    const { message } = await challenge(home, owner.address);
    assert.equal((await bind(home, await owner.signMessage(message))).address, owner.address);
  });

  homes.it('does not mention contracts where the address has no code, or the chain cannot be read', async (home) => {
    await refusesStranger(home);
    await configureChain(home, silentChain);
    await refusesStranger(home);
    await configureChain(home, chain.settings);
    await withCode(owner.address, '0x');
    await refusesStranger(home);
    await withCode(owner.address, contract);
    await setToolStatus(home, 'chain_read', { to: 'disabled', note: 'why', actor });
    await refusesStranger(home);
  });
});

/** Refuses to read config.json in a snapshot, which does not see a newer configuration. */
const outside = (home: Home): Home => ({ ...home, config: () => (home.db.inTransaction ? assert.fail() : home.config()) });
const chainCheck = (home: Home): Check | undefined => inspectHome(outside(home)).checks.find(({ name }) => name === 'chain');

describe('doctor', () => {
  homes.it('says what the pin of a configured chain does not cover, without calling the node', async (home) => {
    assert.equal(chainCheck(home), undefined);
    await configureChain(home, silentChain);
    const { status, detail } = chainCheck(home) ?? assert.fail('no check');
    assert.match(`${status} ${detail}`, /^ok chain 31337, a test chain, 3 confirmations; .*if that is a proxy, not the impl/);
    assert.doesNotMatch(detail, /127\.0\.0\.1/);
  });
});

describe('balance', () => {
  homes.it('is refused without a chain, without a wallet, and when the chain does not respond', async (home) => {
    await rejectsRefusal(walletBalance(home), 'chain_unconfigured');
    await configureChain(home, silentChain);
    const { hint } = await rejectsRefusal(walletBalance(home), 'wrong_state');
    assert.equal(hint, 'agent-cli wallet-challenge');
    await bound(home);
    const { detail } = await rejectsRefusal(walletBalance(home), 'chain_unreachable');
    assert.equal(detail, 'the node did not respond (ECONNREFUSED)');
  });
});

const day_ms = 86_400_000;

describe('invoice without a response of a chain', () => {
  homes.it('refuses work that is not approved, a paused home, and one without wallet or chain', async (home) => {
    await rejectsRefusal(invoiced(home, '00000000-0000-4000-8000-000000000001'), 'not_found');
    await rejectsRefusal(invoiced(home, (await produced(home, forecast())).id), 'wrong_state');
    const id = await approved(home);
    await rejectsRefusal(invoiced(home, id), 'chain_unconfigured');
    await configureChain(home, silentChain);
    await rejectsRefusal(invoiced(home, id), 'wrong_state');
    await bound(home);
    await pause(home, actor);
    await rejectsRefusal(invoiced(home, id), 'paused');
  });
});

const marketOf = (home: Home, id: string): Readonly<Record<string, unknown>> | undefined =>
  showMission(home, id).stages.find(({ role }) => role === 'market')?.detail;

real('anvil', 'invoice', () => {
  let chain: TokenChain;
  before(async () => {
    chain = await tokenChain();
    await chain.mine(5);
  });
  after(() => chain.stop());

  it('binds result, payer, recipient, amount and chain, and is one open invoice a mission', async () => {
    const { clock } = homes.get();
    await homes.get().with(async (home) => {
      await configureChain(home, chain.settings);
      await bound(home);
      const id = await approved(home);
      const head = Number(await chain.node.call('eth_blockNumber'));
      const made = await invoiced(home, id, { amount: '1.5', amount_units: undefined, expires_in_days: 2 } as never);
      assert.deepEqual(made, {
        id: made.id,
        mission: id,
        state: 'awaiting_payment',
        payer: payer.address,
        recipient: owner.address,
        amount_units: '1500000000000000000',
        amount: '1.5',
        chain_id: 31_337,
        environment: 'test_chain',
        chain_config_hash: chainConfigHash(chain.settings),
        result_hash: showMission(home, id).result_hash,
        issued_after_block: head,
        expires_at: '2026-11-22T05:00:00.000000Z',
        created_at: '2026-11-20T05:00:00.000000Z',
        uri: `ethereum:0xA61a3B3a130a9c20768EEBF97E21515A6046a1fA@31337/transfer?address=${owner.address}&uint256=1500000000000000000`,
        transaction_hash: null,
        log_index: null,
      });
      await rejectsRefusal(invoiced(home, id), 'wrong_state');
      assert.equal((await cancelInvoice(home, id, actor)).state, 'cancelled');
      await rejectsRefusal(cancelInvoice(home, made.id, actor), 'wrong_state');
      const second = await invoiced(home, id, { expires_in_days: 1 });
      clock.now += day_ms + 1;
      assert.equal(invoices(home, {}).items[0]?.state, 'expired');
      const third = await invoiced(home, id);
      assert.deepEqual(
        invoices(home, {}).items.map((item) => [item.id, item.state]),
        [
          [third.id, 'awaiting_payment'],
          [second.id, 'expired'],
          [made.id, 'cancelled'],
        ],
      );
      const page = invoices(home, { limit: 2 });
      assert.deepEqual(membersOf(invoices(home, { cursor: page.next_cursor ?? '' }).items, 'id'), [made.id]);
      await rejectsRefusal(cancelInvoice(home, '00000000-0000-4000-8000-000000000001', actor), 'not_found');
      const live = newestInvoice(home.db, id);
      rebuildHome(home, () => undefined);
      assert.deepEqual(newestInvoice(home.db, id), live);
    });
    await homes.get().with(async (home) => assert.equal((await verifyHome(home, { deep: true })).valid, true));
  });

  it('is not recorded where the configuration changes while the chain is read', async () => {
    const liar = await lyingNode(chain.node.url);
    const temporary = homes.get();
    await temporary.with(async (home) => {
      const settings = { ...chain.settings, rpc_url: liar.url };
      await configureChain(home, settings);
      await bound(home);
      const id = await approved(home);
      liar.lie = async ({ method, nth }, truth) => {
        if (method === 'eth_blockNumber' && nth === 1)
          await temporary.with((other) => configureChain(other, settings, { name: 'other' }));
        return truth;
      };
      await rejectsRefusal(invoiced(home, id), 'conflict');
      assert.deepEqual(invoices(home, {}).items, []);
    });
    await liar.stop();
  });

  homes.it('shows the realized revenue once a payment is settled; entry, result hash and export do not change', async (home) => {
    const mission = await awaiting(home, chain.settings);
    const before = showMission(home, mission);
    const entry = completionOf(home.db, mission);
    const { receipt: exported } = JSON.parse(exportText(home, mission).text) as { receipt: unknown };
    assert.equal(marketOf(home, mission)?.['realized_revenue'], null);
    const { tx, log } = await chain.mined('transfer', owner.address, 1_000n);
    await chain.mine(2);
    const settled = await settling(home, mission, tx, log);
    const { invoice, receipt, stages, ...rest } = showMission(home, mission);
    assert.deepEqual(receipt, settled.receipt);
    assert.deepEqual([invoice?.state, invoice?.transaction_hash, invoice?.log_index], ['paid', tx, log]);
    const { realized_revenue, token_settlement } = marketOf(home, mission) ?? {};
    const amount = { amount: '0.000000000000001', amount_units: '1000' };
    assert.deepEqual(realized_revenue, { ...amount, token: tokenAddress, chain_id: 31_337, environment: 'test_chain' });
    assert.equal(token_settlement, 'recorded');
    const { invoice: _1, receipt: _2, stages: earlier, ...unchanged } = before;
    assert.deepEqual(rest, unchanged, 'revision and result_hash among them');
    const others = (of: typeof stages): unknown => of.filter(({ role }) => role !== 'market');
    assert.deepEqual(others(stages), others(earlier));
    assert.deepEqual(completionOf(home.db, mission), entry);
    assert.deepEqual((JSON.parse(exportText(home, mission).text) as { receipt: unknown }).receipt, exported);
  });
});
