/** The wallet's commands: what they print, the refusal off a terminal, and that other commands do not load the library of the chain. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTerminal, scratch, whyNoTerminal, type Ran } from '../support/cli-run.js';
import { reached } from '../support/reached.js';
import { owner } from '../support/wallet.js';

describe('the wallet commands', function () {
  const place = scratch();
  before(() => void place.json('init'));
  after(() => place.remove());

  const challenge = (...args: string[]): string => String(place.json('wallet-challenge', ...args)['message']);

  it('print the message to sign unchanged, then the next command', () => {
    const { code, stdout } = place.run('wallet-challenge');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^agent-cli wallet binding v1\nIdentity: urn:agialpha:ed25519:[0-9a-f]{64}\nNonce: [0-9a-f]{32}\nIssued At: /,
    );
    assert.match(stdout, /\nnext: agent-cli wallet-bind SIGNATURE --address YOUR_ADDRESS\n$/);
  });

  it('bind nothing off a terminal without an address, and name the command that does', async () => {
    const signature = await owner.signMessage(challenge());
    const { code, stdout, stderr } = place.run('wallet-bind', signature);
    assert.deepEqual([code, stdout], [2, '']);
    const command = `  → agent-cli wallet-bind ${signature} --address ${owner.address}\n`;
    assert.ok(stderr.includes(owner.address) && stderr.endsWith(command), stderr);
    const bound = place.json('wallet-bind', signature, '--address', owner.address);
    assert.equal(bound['address'], owner.address);
  });

  it('ask on a terminal whether the recovered address is the right one', async function () {
    if (whyNoTerminal() !== null) this.skip();
    const signature = await owner.signMessage(challenge());
    const answer = (typed: string): Ran => onTerminal(['wallet-bind', signature], place.env, place.directory, typed);
    const no = answer('n\n');
    assert.match(no.stdout, new RegExp(`The signature gives the address ${owner.address}. Is it yours\\? \\[y/N\\]`));
    assert.equal(no.code, 2, no.stdout);
    const yes = answer('y\n');
    assert.equal(yes.code, 0, yes.stdout);
    assert.match(yes.stdout, new RegExp(`address.*${owner.address}`));
  });

  it('keep no private key: they request none, and nothing in the home holds one', () => {
    const files = readdirSync(place.directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const holding = files.filter((entry) =>
      readFileSync(join(entry.parentPath, entry.name)).toString('latin1').includes(owner.privateKey.slice(2)),
    );
    assert.deepEqual(holding, []);
  });
});

describe('startup and the chain', () => {
  const chainFiles = /^src\/(?:base\/(?:keccak|eth-address|personal-signature)\.js|app\/(?:wallet|invoices)\/|chain\/)/;
  const touched = (command: string): string[] => reached(`commands/${command}.js`).filter((file) => chainFiles.test(file));

  for (const command of [
    'init',
    'run',
    'execute',
    'list',
    'show',
    'review',
    'export',
    'verify-export',
    'verify',
    'doctor',
    'pause',
    'backup',
  ]) {
    it(`loads nothing of it for ${command}`, () => assert.deepEqual(touched(command), []));
  }

  for (const command of ['wallet-bind', 'settle', 'verify-receipt'])
    it(`loads it for ${command}, so that this test can fail`, () => assert.notDeepEqual(touched(command), []));
});
