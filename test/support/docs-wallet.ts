/** The wallets of docs/settlement.md: the program `wallet` of its hidden steps signs as the owner, and pays as the payer on a local chain. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { writeHelper, type Place } from './scenario-run.js';
import type { TokenChain } from './token-chain.js';
import { owner, payer } from './wallet.js';

/** What the program reads: a challenge, an invoice, or nothing. */
type Document = Readonly<Record<'message' | 'recipient' | 'amount_units', string>>;

/** Serves the wallets while `use` runs, which gets a function that puts the program `wallet` into a place. */
export async function withWallet(chain: TokenChain, use: (furnish: (place: Place) => void) => Promise<void>): Promise<void> {
  const pay = async (method: string, { recipient, amount_units }: Document): Promise<object> => {
    const { tx, log } = await chain.mined(method, recipient, BigInt(amount_units));
    await chain.mine(chain.settings.confirmations);
    return { transaction: tx, log_index: log };
  };
  const actions: Readonly<Record<string, (document: Document) => Promise<object> | object>> = {
    '/addresses': () => ({ address: owner.address, payer: payer.address }),
    '/sign': async ({ message }) => ({ signature: await owner.signMessage(message) }),
    '/pay': (invoice) => pay('transfer', invoice),
    '/pay-twice': (invoice) => pay('transferTwice', invoice),
  };
  const server = createServer((request, response) => {
    const act = async (): Promise<string> =>
      JSON.stringify(await actions[request.url ?? '']?.(JSON.parse((await text(request)) || '{}') as Document));
    act().then(
      (json) => response.end(json),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await use(({ bin }) => writeHelper(bin, 'wallet', `exec curl -s --fail-with-body --data-binary @- "${url}/$1"`));
  } finally {
    server.close();
  }
}
