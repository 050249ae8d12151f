/** An operator's server whose home has a wallet and a chain, read through a proxy that can lie, and approved work to invoice. */
import assert from 'node:assert/strict';
import type { Loose } from '../support/http/schema-check.js';
import { bound, configureChain } from '../support/chain/given-chain-home.js';
import { approved } from '../support/app/given-invoices.js';
import { lyingNode, type LyingNode } from '../support/chain/lying-node.js';
import { tokenChain, type TokenChain } from '../support/chain/token-chain.js';
import { owner, payer } from '../support/chain/wallet.js';
import { givenOperator, type GivenOperator } from './given-operator.js';

export interface PaidOperator {
  readonly operator: GivenOperator;
  readonly chain: TokenChain;
  /** The configured node. */
  readonly liar: () => LyingNode;
  /** Says a lie from the first call on. */
  readonly lie: (lie: LyingNode['lie']) => Promise<void>;
  /** A completed mission without an invoice. */
  readonly approved: () => Promise<string>;
  /** A completed mission whose invoice awaits 1000 base units. */
  readonly awaiting: () => Promise<string>;
  /** A confirmed transfer of 1000 base units. */
  readonly paid: () => Promise<{ readonly tx: string; readonly log: number }>;
  readonly stop: () => Promise<void>;
}

export const thousand = { payer: payer.address, amount_units: '1000' };

export async function givenPayments(): Promise<PaidOperator> {
  const chain = await tokenChain();
  await chain.mine(5);
  let liar = await lyingNode(chain.node.url);
  const operator = await givenOperator({ limits: { failed_logins_per_address_max: 1 } }, async (home) => {
    await configureChain(home, { ...chain.settings, rpc_url: liar.url });
    await bound(home);
  });
  let missions = 0;
  const one = (): Promise<string> => approved(operator.home, `earn it ${++missions}`);
  return {
    operator,
    chain,
    liar: () => liar,
    lie: async (lie) => {
      const port = Number(new URL(liar.url).port);
      await liar.stop();
      liar = await lyingNode(chain.node.url, port);
      liar.lie = lie;
    },
    approved: one,
    awaiting: async () => {
      const mission = await one();
      const invoice = await operator.ask('POST', `/api/missions/${mission}/invoice`, { body: thousand });
      assert.equal(invoice.status, 201, invoice.text);
      return mission;
    },
    paid: async () => {
      const made = await chain.mined('transfer', owner.address, 1_000n);
      await chain.mine(2);
      return made;
    },
    stop: async () => {
      await liar.stop();
      await chain.stop();
    },
  };
}

/** Sends a request that is refused and records nothing. Returns the problem document. */
export async function refused(
  { ask, home }: GivenOperator,
  path: string,
  body: unknown,
  [status, code]: readonly [number, string],
): Promise<Loose> {
  const before = home.writer.head;
  const got = await ask('POST', path, { body });
  assert.deepEqual([got.status, got.body.code], [status, code], `${path} ${JSON.stringify(body)}: ${got.text}`);
  assert.deepEqual(home.writer.head, before, 'nothing is recorded');
  return got.body;
}
