/** The review dialogue: on a terminal, without flags, the command asks and binds the decision to what it showed. */
import { doesNotMatch, match, strictEqual } from 'node:assert';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  homeScratch,
  hostedScratch,
  lineOnTerminal,
  onTerminal,
  plan,
  program,
  type Ran,
  type Scratch,
  talkOnTerminal,
  whyNoTerminal,
} from '../support/cli/cli-run.js';
import { owner } from '../support/chain/wallet.js';

describe('review off a terminal', () => {
  const place = hostedScratch();
  before(() => void place.json('init'));
  after(() => place.remove());

  it('requires its flags and names the missing ones', () => {
    const { code, stdout, stderr } = place.run('review', '0f8fad5b-d9cb-469f-a165-70867728950e', '--note', 'fits');
    strictEqual(code, 2);
    strictEqual(stdout, '');
    strictEqual(
      stderr,
      '✗ Invalid input: --approve or --reject, --revision and --result-hash are missing\n  → agent-cli review --help\n',
    );
  });
});

const why = whyNoTerminal();
(why === null ? describe : describe.skip)(`review on a terminal${why === null ? '' : ` [skipped, ${why}]`}`, () => {
  let place: Scratch;
  let id: string;
  before(() => {
    place = homeScratch({ 'plan.json': plan }, { NO_COLOR: '1' });
  });
  beforeEach(() => {
    id = String(place.json('run', 'plan.json', '--execute')['id']);
  });
  after(() => place.remove());

  const review = (typed: string, ...args: readonly string[]): Ran =>
    onTerminal(['review', id.slice(0, 13), ...args], place.env, place.directory, typed);
  const mission = (): Record<string, unknown> => place.json('show', id);

  it('shows the result, asks, and records an approval of exactly that result', () => {
    const { result_hash } = mission();
    const { code, stdout } = review('maybe\na\n\nchecked against the plan\n');
    strictEqual(code, 0, stdout);
    match(stdout, /Choose what to repair before winter[^]*result[^]*Your decision, \[a\]pprove, \[r\]eject or \[q\]uit: /);
    match(stdout, /Your reason, 1 to 2000 characters[^]*Approved\. Recorded in the signed journal under the name "operator"\./);
    match(stdout, /next: agent-cli export /);
    const { state, review: recorded } = mission();
    strictEqual(state, 'completed');
    const { approved, note, result_hash: bound } = recorded as Record<string, unknown>;
    strictEqual(JSON.stringify([approved, note, bound]), JSON.stringify([true, 'checked against the plan', result_hash]));
  });

  it('shows what is longer than the terminal in $PAGER, and then asks; not what fits, and not with --no-pager', () => {
    const env = { ...place.env, PAGER: "sed 's/^/paged: /'" };
    const [long, short] = ['stty rows 9', 'stty rows 200'];
    const run = (rows: string, ...args: readonly string[]): string =>
      lineOnTerminal(`${rows}; exec node ${program} ${args.join(' ')}`, env, place.directory, 'q\n').stdout;
    match(run(long, 'show', id), /^paged: mission [^]*^paged: {3}Limitations /m);
    match(run(long, 'review', id), /^paged: mission [^]*^paged: {3}Limitations [^]*Your decision/m);
    doesNotMatch(run(short, 'review', id), /paged/);
    for (const command of ['show', 'review']) doesNotMatch(run(long, command, id, '--no-pager'), /paged/);
    match(run(`${long}; PAGER=no-such-pager; export PAGER`, 'show', id), /^mission [^]*Limitations/m);
  });

  it('records a rejection', () => {
    const { code, stdout } = review('reject\nthe roof was repaired in May\n', '--as', 'Ana');
    strictEqual(code, 0, stdout);
    match(stdout, /Rejected\. Recorded in the signed journal under the name "Ana"\./);
    strictEqual(mission()['state'], 'rejected');
  });

  it('records nothing when the person quits, by a word, at either question', () => {
    for (const typed of ['q\n', 'a\nq\n']) {
      const { code, stdout } = review(typed);
      strictEqual(code, 130, stdout);
      match(stdout, /no decision was made; nothing was recorded/);
      strictEqual(mission()['state'], 'review');
    }
  });

  for (const [key, typed] of [
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ] as const) {
    it(`records nothing when the person presses ${key}, at either question`, async () => {
      const decision = ['Your decision', typed] as const;
      const reason = [['Your decision', 'a\r'] as const, ['Your reason', typed] as const];
      const talk = (steps: readonly (readonly [string, string])[]): Promise<Ran> =>
        talkOnTerminal(['review', id], place.env, place.directory, steps);
      for (const { code, stdout } of await Promise.all([talk([decision]), talk(reason)])) {
        strictEqual(code, 130, stdout);
        match(stdout, /no decision was made; nothing was recorded/);
      }
      strictEqual(mission()['state'], 'review');
    });
  }

  it('requires the other flags as soon as one is given', () => {
    const { code, stdout } = review('a\nfits\n', '--approve');
    strictEqual(code, 2, stdout);
    match(stdout, /--revision, --result-hash and --note are missing/);
    doesNotMatch(stdout, /Your decision/);
    strictEqual(mission()['state'], 'review');
  });

  it('refuses a decided mission before it asks', () => {
    strictEqual(review('r\nno\n').code, 0);
    const { code, stdout } = review('a\nyes\n');
    strictEqual(code, 4, stdout);
    doesNotMatch(stdout, /Your decision/);
  });
});

describe('the wallet commands', function () {
  const place = hostedScratch();
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
