/** The console of an agent that reads a local chain, through a proxy that can lie. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { configure, type Scratch } from '../support/cli/cli-run.js';
import { lyingNode, type LyingNode } from '../support/chain/lying-node.js';
import { tokenChain, type TokenChain } from '../support/chain/token-chain.js';
import { owner, payer } from '../support/chain/wallet.js';
import { startDaemon } from './console-daemon.js';
import { approved, consoleForSuite, drawn, executed, fits, send, small, type Suite } from './console-given.js';

export interface PaymentsSuite extends Suite {
  readonly chain: () => TokenChain;
  readonly node: () => LyingNode;
  readonly completed: () => Promise<string>;
  /** A completed mission whose invoice awaits 1000 base units. */
  readonly invoiced: () => Promise<string>;
  /** The hash of a confirmed transfer of 1000 base units, or of as many as given. */
  readonly paid: (units?: bigint) => Promise<string>;
}

/** @param isBound whether the wallet is bound before the first test */
export function paymentsForSuite({ isBound }: { readonly isBound: boolean }): PaymentsSuite {
  let chain: TokenChain | null = null;
  let node: LyingNode | null = null;
  const there = <A>(one: A | null): A => one ?? assert.fail('the chain is not there');
  const suite = consoleForSuite(undefined, async () => {
    chain = await tokenChain();
    await chain.mine(5);
    node = await lyingNode(chain.node.url);
    const settings = { ...chain.settings, rpc_url: node.url };
    return startDaemon({ before: (cli) => configured(cli, settings, isBound) });
  });
  after(async () => {
    await node?.stop();
    await chain?.stop();
  });
  const completed = async (): Promise<string> => {
    const { id } = await approved(suite.server(), await executed(suite.server(), small));
    return id;
  };
  return {
    ...suite,
    chain: () => there(chain),
    node: () => there(node),
    completed,
    invoiced: async () => {
      const id = await completed();
      // Not by a command: the proxy before the node runs in this process, which waits for commands.
      const body = { payer: payer.address, amount_units: '1000' };
      const { status } = await send(suite.server(), `missions/${id}/invoice`, body);
      assert.equal(status, 201);
      return id;
    },
    paid: async (units = 1_000n) => {
      const { tx } = await there(chain).mined('transfer', owner.address, units);
      await there(chain).mine(2);
      return tx;
    },
  };
}

async function configured(cli: Scratch, chain: unknown, isBound: boolean): Promise<void> {
  configure(cli, { chain });
  if (!isBound) return;
  const { message } = cli.json('wallet-challenge', '--address', owner.address);
  cli.json('wallet-bind', await owner.signMessage(String(message)));
}

/** Waits until an element has a text. */
export const says = (page: Page, selector: string, text: string): Promise<unknown> =>
  page.waitForSelector(`${selector}:has-text(${JSON.stringify(text)})`);

/** Fails if anything is wider than a page of 320 pixels. */
export async function fits320(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  await drawn(page);
  await fits(page, name);
  if (before !== null) await page.setViewportSize(before);
}
