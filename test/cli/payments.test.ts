/** The commands from a mission to its settled receipt, on a real chain: their `--json` documents, and what people see. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { listening } from '../support/listening.js';
import { configure, homeScratch, onTerminal, plan, root, type Scratch } from '../support/cli/cli-run.js';
import { runPage } from '../support/cli/docs-scenario.js';
import { paymentMembers } from '../support/app/payment-members.js';
import { real } from '../support/real.js';
import { type Place, writeHelper } from '../support/cli/scenario-run.js';
import { type TokenChain, tokenChain } from '../support/chain/token-chain.js';
import { owner, payer } from '../support/chain/wallet.js';
import { membersOf } from '../support/lists.js';

/** The wallets of docs/settlement.md: the program `wallet` of its hidden steps signs as the owner, and pays as the payer on a local chain. */

/** What the program reads: a challenge, an invoice, or nothing. */
type Document = Readonly<Record<'message' | 'recipient' | 'amount_units', string>>;

/** Serves the wallets while `use` runs, which gets a function that puts the program `wallet` into a place. */
async function withWallet(chain: TokenChain, use: (furnish: (place: Place) => void) => Promise<void>): Promise<void> {
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
  const { port, close } = await listening(
    createServer((request, response) => {
      const act = async (): Promise<string> =>
        JSON.stringify(await actions[request.url ?? '']?.(JSON.parse((await text(request)) || '{}') as Document));
      act().then(
        (json) => response.end(json),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    }),
  );
  const url = `http://127.0.0.1:${port}`;
  try {
    await use(({ bin }) => writeHelper(bin, 'wallet', `exec curl -s --fail-with-body --data-binary @- "${url}/$1"`));
  } finally {
    await close();
  }
}

type Json = Record<string, unknown>;

real('anvil', 'payments on the command line', () => {
  let chain: TokenChain;
  let place: Scratch;
  let mission: string;
  const documents = new Map<string, Json>();

  /** Runs a command, keeps its document and returns it. */
  const json = (command: string, ...args: readonly string[]): Json => {
    const document = place.json(command, ...args);
    documents.set(command, document);
    return document;
  };

  before(async () => {
    chain = await tokenChain();
    await chain.mine(5);
    place = homeScratch({ 'plan.json': plan });
    configure(place, { chain: chain.settings });
    mission = String(place.json('run', 'plan.json')['id']);
    const { revision, result_hash } = place.json('execute', mission);
    const shown = ['--revision', String(revision), '--result-hash', String(result_hash)];
    place.json('review', mission, ...shown, '--approve', '--note', 'checked');
  });
  after(async () => {
    place.remove();
    await chain.stop();
  });

  it('lead from an approved mission to a receipt that verifies', async () => {
    const { message } = json('wallet-challenge', '--address', owner.address);
    json('wallet-bind', await owner.signMessage(String(message)));
    assert.equal(json('balance')['balance_units'], '0');
    const asked = [mission, '--payer', payer.address, '--amount', '1.5'];
    assert.equal(json('invoice', ...asked)['amount_units'], '1500000000000000000');
    assert.equal(json('invoice-cancel', mission)['state'], 'cancelled');
    const { code, stdout } = onTerminal(['invoice', ...asked], place.env, place.directory);
    assert.equal(code, 0);
    assert.match(stdout, /amount.* 1\.5 tokens \(1500000000000000000 base units\)\r$/m);
    assert.match(stdout, /^\u001b\[30;107m {4}█▀▀▀▀▀█.*█▀▀▀▀▀█ {4}\u001b\[0m\r$/m);
    assert.match(stdout, /request.* ethereum:0xA61a3B3a130a9c20768EEBF97E21515A6046a1fA@31337\/transfer\?address=0x/m);
    const again = place.run('invoice', ...asked);
    assert.deepEqual([again.code, again.stderr.includes(`→ agent-cli show ${mission}`)], [4, true], again.stderr);
    assert.match(place.run('show', mission).stdout, /^request +ethereum:0xA61/m);
    const { tx } = await chain.mined('transfer', owner.address, 1_500_000_000_000_000_000n);
    const early = place.run('settle', mission, '--find', tx);
    assert.deepEqual([early.code, /^outcome +not yet$/m.test(early.stdout)], [6, true], early.stdout);
    await chain.mine(2);
    json('settle', mission, '--find', tx);
    json('verify-receipt', mission);
    const shown = place.json('show', mission);
    assert.deepEqual([(shown['invoice'] as Json)['state'], (shown['receipt'] as Json)['transaction_hash']], ['paid', tx]);
    const paid = new RegExp(`^invoice +paid: 1\\.5 tokens by ${payer.address}\nreceipt +${tx}, `, 'm');
    assert.match(place.run('show', mission).stdout, paid);
    assert.match(place.run('invoices', '--limit', '1').stdout, /^more: agent-cli invoices --cursor \d+ --limit 1$/m);
    const items = json('invoices')['items'] as readonly Json[];
    assert.deepEqual(membersOf(items, 'state'), ['paid', 'cancelled']);
    assert.equal(json('balance')['balance'], '1.5');
    assert.match(place.run('verify-receipt', mission).stdout, /^valid +yes$/m);
    assert.equal(place.json('verify', '--deep')['valid'], true);
  });

  for (const [command, members] of Object.entries(paymentMembers))
    it(`have ${members.join(', ')} with ${command} --json`, () => {
      for (const name of members) assert.ok(Object.hasOwn(documents.get(command) ?? {}, name), name);
    });

  it('do what docs/settlement.md says', () =>
    withWallet(chain, (furnish) => {
      const page = readFileSync(join(root, 'docs', 'settlement.md'), 'utf8').replaceAll('https://rpc.example', chain.node.url);
      return runPage(page, { files: new Map([['chain.json', JSON.stringify(chain.settings)]]), furnish });
    }));
});
