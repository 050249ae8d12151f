/** HTML reports carry their proof: `verify-export` finds every change of their text, of the export in them, and of where its parts are. @slow */
import assert from 'node:assert/strict';
import { exportText } from '../../src/app/exports/export.js';
import { renderMission } from '../../src/app/exports/report.js';
import { missionKind } from '../../src/kinds/table.js';
import { plainVerdict, verdictOf } from '../support/app/given-export.js';
import type { Home } from '../../src/app/home/home.js';
import { approve, person } from '../support/app/given-approvals.js';
import { apply, completed, forecast, produced, research, schedule } from '../support/app/given-home.js';
import { temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';
import { assertNone } from '../support/lists.js';

/** Texts that would end the script block, begin another, or change how a reader of JavaScript sees the export. */
const hostile = '</script><script>alert(1)</script> <!-- \u2028 & "x" \u202e';

describe('an HTML report', function () {
  let homes: TemporaryHome;
  let key: string;
  const reports = new Map<string, string>();
  const exports = new Map<string, string>();
  let markdown: string;

  before(async () => {
    homes = temporaryHome();
    key = homes.report.public_key;
    const home = homes.open();
    const missions = {
      forecast: missionKind('forecast').example,
      allocation: missionKind('allocation').example,
      research: missionKind('research').example,
      schedule: schedule('plan <the week>', ['a', 'b', 'c']),
      hostile: research(`${hostile} What of tides?`, `High water is at six. ${hostile} Tides follow the moon.`),
    };
    const signed = await signedMission(home);
    for (const [name, mission] of Object.entries({ ...missions, signed })) {
      const id = typeof mission === 'string' ? mission : (await completed(home, mission)).id;
      reports.set(name, Buffer.from((await renderMission(home, id, 'html')).bytes).toString('utf8'));
      if (name === 'signed') markdown = Buffer.from((await renderMission(home, id, 'md')).bytes).toString('utf8');
      exports.set(name, exportText(home, id, { withoutSettlement: true }).text);
    }
  });
  after(() => homes.remove());

  const reportOf = (name: string): string => reports.get(name) ?? '';
  const verdict = (text: string) => plainVerdict(homes.root, text, key);

  it('is valid, says the question, the answer and who approved it, and explains its words', async () => {
    for (const [name, text] of reports) {
      const found = await verdictOf(homes.root, text, key);
      assert.ok(typeof found !== 'string' && found.valid && found.report === true, `${name}: ${JSON.stringify(found)}`);
      for (const part of ['Question', 'Answer', 'Limitations', 'Approval', 'How to check it', 'Terms'])
        assert.ok(text.includes(`<h2>${part}</h2>`), `${name} has no ${part}`);
      assert.match(text, /Approved by <strong><bdi>\w+<\/bdi><\/strong>[^]* on 20 November 2026, 05:\d\d:\d\d UTC/);
      assert.ok(text.indexOf('<script type="application/json"') > text.indexOf('</main>'), name);
    }
    assert.match(reportOf('forecast'), /recorded by the home for operator, not signed by a person&#39;s key/);
    assert.match(reportOf('forecast'), /<dt>MASE<\/dt>[^]*<dt>holdout<\/dt>|<dt>holdout<\/dt>[^]*<dt>MASE<\/dt>/);
    assert.match(reportOf('schedule'), /<dt>makespan<\/dt>/);
    for (const name of ['forecast', 'allocation', 'schedule']) assert.match(reportOf(name), /<svg viewBox="0 0 720 /);
  });

  it('shows every approver with key, fingerprint, time and reason', async () => {
    const text = reportOf('signed');
    assert.match(text, /Approved by <strong><bdi>alice<\/bdi><\/strong>, <strong><bdi>bob<\/bdi><\/strong> on /);
    for (const [i, name] of ['alice', 'bob'].entries()) {
      const fact = `<dt>Approval ${i + 1} of 2</dt><dd><bdi>${name}, 20 November 2026, [^<]*: checked by ${name}</bdi> <span class="soft"><bdi>passkey SHA256:[A-Za-z0-9+/]{43}<`;
      assert.match(text, new RegExp(fact));
    }
    assert.match(text, / · approved by <bdi>alice, bob<\/bdi>, /);
    assert.ok(!text.includes('not signed by'));
    assert.match(markdown, /- Approval 2 of 2: bob, 20 November 2026, [^\n]*: checked by bob \(passkey SHA256:/);
  });

  it('holds its export and nothing else that a browser could run, whatever the texts are', () => {
    const text = reportOf('hostile');
    assert.equal(text.match(/<script/gi)?.length, 1);
    assert.equal(text.match(/<\/script/gi)?.length, 1);
    assert.ok(!text.includes('<!--') && !text.includes('\u2028'));
    assert.ok(!text.slice(0, text.indexOf('<script')).includes('\u202e'));
    const [, block = ''] = /<script type="application\/json" id="agent-cli-report">\n([^]*?)\n<\/script>/.exec(text) ?? [];
    const { renderer, export: held } = JSON.parse(block) as { renderer: number; export: unknown };
    assert.deepEqual([renderer, held], [1, JSON.parse(exports.get('hostile') ?? '')]);
  });

  it('finds 30 of 30 changes', async () => {
    for (const name of ['forecast', 'schedule']) {
      const text = reportOf(name);
      const found = await Promise.all(
        mutationsOf(text).map(async ([what, changed]) => {
          assert.notEqual(changed, text, `${name}: ${what} changes nothing`);
          return `${what}: ${await verdict(changed)}`;
        }),
      );
      assert.equal(found.length, 30);
      assertNone(found, (each) => !each.endsWith(': refuted') && !each.endsWith(': unusable'), name);
    }
  });

  it('is told to be of a renderer that this version does not hold', async () => {
    const found = await verdictOf(homes.root, reportOf('forecast').replace('{"renderer":1,', '{"renderer":2,'), key);
    assert.ok(typeof found !== 'string');
    assert.deepEqual([found.valid, found.report], [true, null]);
  });

  it('is no proof under another key', async () =>
    assert.equal(await plainVerdict(homes.root, reportOf('forecast'), 'ab'.repeat(32)), 'refuted'));

  it('of a result in review is a draft without an export', async () => {
    const home = homes.open();
    const { id } = await produced(home, forecast('look ahead'));
    const text = Buffer.from((await renderMission(home, id, 'html')).bytes).toString('utf8');
    assert.match(text, /<title>(DRAFT, NOT APPROVED): look ahead<\/title>[^]*<header>\n<p class="draft">\1<\/p>/);
    assert.ok(!text.includes('<script'));
    assert.equal(await verdictOf(homes.root, text, key), 'verification_failed');
    const markdown = Buffer.from((await renderMission(home, id, 'md')).bytes).toString('utf8');
    assert.match(markdown, /^# DRAFT, NOT APPROVED: look ahead\n\n\*\*DRAFT, NOT APPROVED\*\*\n/);
  });
});

/** Returns the id of a mission that two people approved by their keys. */
async function signedMission(home: Home): Promise<string> {
  const [alice, bob] = [await person(home, 'alice'), await person(home, 'bob')];
  await apply(home, { approvals: { required: 2 } });
  const mission = await produced(home, forecast('two people'), 'real');
  for (const who of [alice, bob]) await approve(home, mission, who, `checked by ${who.name}`);
  await apply(home, { approvals: { required: 0 } });
  return mission.id;
}

/** Returns changes of a report, each with what was changed. */
function mutationsOf(text: string): readonly (readonly [what: string, changed: string])[] {
  const block = text.indexOf('<script type="application/json"');
  const digits = (from: number, to: number, count: number): readonly (readonly [string, string])[] => {
    const places = Array.from(text.slice(from, to).matchAll(/\d/g), ({ index }) => from + index);
    return Array.from({ length: count }, (_, i) => {
      const at = places[Math.floor(((i + 0.5) * places.length) / count)] ?? from;
      const other = String((Number(text[at]) + 1) % 10);
      return [`digit at ${at}`, text.slice(0, at) + other + text.slice(at + 1)] as const;
    });
  };
  const script = text.slice(block, text.indexOf('</script>\n') + '</script>\n'.length);
  const sections = text.match(/<section>[^]*?<\/section>\n/g) ?? [];
  const [question = '', answer = ''] = sections;
  const row = /<tr><td[^]*?<\/tr>\n/.exec(text)?.[0] ?? '';
  const footer = /<footer>[^]*?<\/footer>\n/.exec(text)?.[0] ?? '';
  return [
    ...digits(text.indexOf('<main'), block, 10),
    ...digits(block, text.length, 8).map(([what, changed]) => [`export: ${what}`, changed] as const),
    ['two sections in the other order', text.replace(question + answer, () => answer + question)],
    ['the export before the text', text.replace(script, '').replace('<main', () => `${script}<main`)],
    ['the export after the page', text.replace(script, '') + script],
    ['a row that is gone', text.replace(row, '')],
    ['a row that is there twice', text.replace(row, () => row + row)],
    ['the foot at the head', text.replace(footer, '').replace('<header>', () => `${footer}<header>`)],
    ['another approver', text.replaceAll('<bdi>operator</bdi>', '<bdi>director</bdi>')],
    ['a limitation that is gone', text.replace(/<li><bdi>[^]*?<\/li>\n/, '')],
    ['another colour', text.replace('#16202c', '#ffffff')],
    ['a script that acts', text.replace('</main>', '</main><script>document.title = 1</script>')],
    ['a space at the end', `${text} `],
    ['other line ends', text.replaceAll('\n', '\r\n')],
  ];
}
