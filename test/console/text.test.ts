/** Dictionaries (that they have the same members is for the compiler to check), numbers and times, titles, commands. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { brief, formatFor } from '../../src/console/kit/text/format.js';
import { agentCli, flags, withHome } from '../../src/console/kit/controls/agent-cli.js';
import { commandsFor } from '../../src/console/operator/review/commands.js';
import { titleOf } from '../../src/reports/title.js';
import { pageWords, words as operatorWords } from '../../src/console/operator/text/all.js';
import { kitWords } from '../../src/console/kit/text/kit-words.js';
import { inLanguage, preferred } from '../../src/console/kit/text/words.js';
import { kindWords } from '../../src/console/operator/kinds/words.js';
import { pageWords as dashboardPage, words as dashboard } from '../../src/console/dashboard/text/all.js';
import { kinds } from '../../src/codec/kinds.js';
import { explanations } from '../../src/kinds/explained.js';
import { words as sharedWords } from '../../src/console/operator/kinds/shared/words.js';
import { dayBegins } from '../../src/console/kit/address.js';
import { assertNone } from '../support/lists.js';

const texts = (value: object): string[] =>
  Object.values(value).flatMap((each: unknown) =>
    typeof each === 'object' && each !== null ? texts(each) : typeof each === 'string' ? [each] : [],
  );

const dictionaries: Readonly<Record<string, readonly [object, object]>> = {
  kit: [kitWords.en, kitWords.fr],
  operator: [operatorWords.en, operatorWords.fr],
  dashboard: [dashboard.en, dashboard.fr],
  explanations: [explanations.en, explanations.fr],
  'what results share': [sharedWords.en, sharedWords.fr],
  ...Object.fromEntries(kinds.map((kind) => [kind, [kindWords[kind].en, kindWords[kind].fr] as const])),
  'operator, in the controls': [pageWords.en, pageWords.fr],
  'dashboard, in the controls': [dashboardPage.en, dashboardPage.fr],
};

describe('console: dictionaries', () => {
  for (const [name, [english, french]] of Object.entries(dictionaries)) {
    it(`has a text for every member: ${name}`, () => {
      for (const dictionary of [english, french]) assertNone(texts(dictionary), (text) => text.trim() === '');
    });
  }
  it('break no French line before a mark of punctuation, or after «, and have one apostrophe', () => {
    for (const [, french] of Object.values(dictionaries))
      assertNone(texts(french), (text) => / [?!;:»]|« |\p{L}'\p{L}/u.test(text));
  });
  it('use the first language of the browser that they have', () => {
    assert.deepEqual(preferred(['de-DE', 'fr-CA', 'en']), { language: 'fr', locale: 'fr-CA' });
    assert.deepEqual(preferred(['frr', 'EN-gb']), { language: 'en', locale: 'EN-gb' });
    assert.deepEqual(preferred([]), { language: 'en', locale: 'en' });
    assert.deepEqual(inLanguage('fr', ['en-GB', 'fr-CH']), { language: 'fr', locale: 'fr-CH' });
    assert.deepEqual(inLanguage('fr', ['en-GB']), { language: 'fr', locale: 'fr' });
  });
});

describe('console: numbers and times', () => {
  const f = formatFor('en-GB', 'UTC');
  it('print integers in full and others to six digits', () => {
    const cases = [
      [0, '0'],
      [-0, '0'],
      [419000, '419,000'],
      [15.7259221733, '15.7259'],
      [-1.5, '-1.5'],
      [1234567.8, '1,234,568'],
      [2 ** 53 - 1, '9,007,199,254,740,991'],
      [2 ** 53, '9.0072E15'],
      [-1.9e220, '-1.9E220'],
    ] as const;
    for (const [value, text] of cases) assert.equal(f.number(value), text);
    for (const [value, text] of [
      [999_999, '999,999'],
      [-2.5e11, '-2.5E11'],
      [3.287220225941e25, '3.28722E25'],
      [1e-12, '1E-12'],
    ] as const)
      assert.equal(f.short(value), text);
    assert.deepEqual([f.signed(30), f.signed(-28)], ['+30', '-28']);
    assert.equal(formatFor('fr-FR').number(1234.5).replace(/\s/g, ' '), '1 234,5');
    assert.match(formatFor('fr-FR').decimal('1234567.000000000000000001'), /^1\s234\s567,0{17}1$/);
  });
  it('never print a small share as none, nor nearly all as all', () => {
    const cases = [
      [0, '0%'],
      [1, '100%'],
      [0.0390625, '3.9%'],
      [0.00002, '0.002%'],
      [0.99999, '99.9%'],
      [0.875191, '87.5%'],
    ] as const;
    for (const [value, text] of cases) assert.equal(f.percent(value), text);
  });
  it('print times, how long ago within a day, and malformed times unchanged', () => {
    const now = Date.parse('2026-11-20T12:00:00Z');
    assert.equal(f.ago('2026-11-20T11:59:30.000001Z', now), 'now');
    assert.equal(f.ago('2026-11-20T11:55:00Z', now), '5 min ago');
    assert.equal(f.ago('2026-11-20T09:00:00Z', now), '3 hr ago');
    assert.equal(f.ago('2026-11-18T09:00:00Z', now), '18 Nov 2026, 09:00:00');
    assert.equal(f.time('nonsense'), 'nonsense');
  });
  it('shorten hashes', () => assert.equal(brief('0123456789abcdef'), '0123456789ab\u2026'));
});

describe('console: titles', () => {
  it('lose nothing of a goal', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2000 }), (goal) => {
        const { title, rest } = titleOf(goal);
        const all =
          title.endsWith('\u2026') && rest.startsWith('\u2026') ? title.slice(0, -1) + rest.slice(1) : `${title} ${rest}`;
        assert.equal(all.replace(/\s+/g, ''), goal.replace(/\s+/g, ''));
      }),
    );
  });
  it('are the first sentence of a long goal', () => {
    const goal =
      'Sequence ten orders of a print workshop; report which are late. All of this is constructed for illustration only.';
    assert.deepEqual(titleOf(goal), {
      title: 'Sequence ten orders of a print workshop; report which are late.',
      rest: goal.slice(64),
    });
  });
});

describe('console: commands', () => {
  it('read back as the words that they were made of', () => {
    const word = fc.string({ maxLength: 40 }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (all) => {
        const { stdout } = spawnSync('sh', ['-c', agentCli(...all).replace('agent-cli', `printf '%s\\0'`)], { encoding: 'utf8' });
        assert.deepEqual(stdout.split('\0').slice(0, -1), all);
      }),
      { numRuns: 30 },
    );
  });
  it('change a mission that failed and would fail again, and recover another', () => {
    const ends = ['timeout', 'interrupted'].map((code) =>
      commandsFor({ id: 'x', state: 'failed', request: {}, error: { code, message: '', stage: null } }).at(-1),
    );
    assert.deepEqual(ends, ['agent-cli run --from x', 'agent-cli recover x']);
  });
  it('leave out empty flags', () => {
    assert.equal(
      agentCli('list', ...flags({ state: 'review', kind: null, q: '', limit: 25 })),
      'agent-cli list --state review --limit 25',
    );
  });
});

describe('console: commands to copy', () => {
  for (const [line, expected] of [
    [agentCli('list', '--limit', 25), "agent-cli list --limit 25 --home '/a b'"],
    [agentCli('review', 'x', '--note', "it's --home made"), "agent-cli review x --note 'it'\\''s --home made' --home '/a b'"],
    ['agent-cli review x --help', 'agent-cli review x --help'],
    ['agent-cli list --home /c', 'agent-cli list --home /c'],
    ['set AGENT_WITNESS to a directory', 'set AGENT_WITNESS to a directory'],
    ['agent-cli pause, then agent-cli verify', 'agent-cli pause, then agent-cli verify'],
  ] as const)
    it(`name the home: ${line}`, () => assert.equal(withHome(line, '/a b'), expected));
});

describe('console: days', () => {
  it('begin at the local midnight, and end where the next one begins', () => {
    assert.equal(dayBegins('2026-11-20'), new Date(2026, 10, 20).toISOString());
    assert.equal(dayBegins('2026-12-31', 1), new Date(2027, 0, 1).toISOString());
    assert.deepEqual([dayBegins(null), dayBegins('yesterday')], [null, null]);
  });
});
