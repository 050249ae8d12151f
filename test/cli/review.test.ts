/** The review dialogue: on a terminal, without flags, the command asks and binds the decision to what it showed. */
import { doesNotMatch, match, strictEqual } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTerminal, plan, hostedScratch, talkOnTerminal, whyNoTerminal, type Ran, type Scratch } from '../support/cli-run.js';

describe('review off a terminal', () => {
  const place = hostedScratch();
  before(() => {
    strictEqual(place.run('init').code, 0);
  });
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
    place = hostedScratch({ NO_COLOR: '1' });
    writeFileSync(join(place.directory, 'plan.json'), JSON.stringify(plan));
    strictEqual(place.run('init').code, 0);
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
    match(stdout, /Your reason, 1 to 2000 characters: [^]*Approved\. Recorded in the signed journal under the name "operator"\./);
    match(stdout, /next: agent-cli export /);
    const { state, review: recorded } = mission();
    strictEqual(state, 'completed');
    const { approved, note, result_hash: bound } = recorded as Record<string, unknown>;
    strictEqual(JSON.stringify([approved, note, bound]), JSON.stringify([true, 'checked against the plan', result_hash]));
  });

  it('records a rejection', () => {
    const { code, stdout } = review('reject\nthe roof was repaired in May\n', '--as', 'Ana');
    strictEqual(code, 0, stdout);
    match(stdout, /Rejected\. Recorded in the signed journal under the name "Ana"\./);
    strictEqual(mission()['state'], 'rejected');
  });

  it('records nothing when the person quits, by a word', () => {
    for (const [typed, said] of [['q\n', /no decision was made; nothing was recorded/]] as const) {
      const { code, stdout } = review(typed);
      strictEqual(code, 130, stdout);
      match(stdout, said);
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
