/**
 * `verify-export --source` reads the files of a mission again and compares them with its request and its quotes.
 * `report` makes a file that colleagues can open, and its proof can be checked by a stranger. @slow
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, hostedScratch } from '../support/cli/cli-run.js';
import { atEffort } from '../support/effort.js';
import { reportOf } from '../support/intake/report.js';
import { foreignNode, whyAbsent } from '../support/real.js';

const values = ['12', '15', '', '11', '14', '16', '12', '13', '15', '11', '14', '16', '17', '12'];
const sales = (given: readonly string[]): string =>
  [
    'Month,Sales',
    ...given.map((value, i) => `${2024 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')},${value}`),
  ].join('\n');

describe('verify-export --source', () => {
  const place = hostedScratch({ NO_COLOR: '1' });
  let publicKey = '';
  before(() => {
    publicKey = String(place.json('init')['public_key']);
  });
  after(() => place.remove());

  const write = (name: string, content: string | Buffer): string => {
    writeFileSync(join(place.directory, name), content);
    return name;
  };
  /** Executes and approves a mission, and exports it. */
  const exported = (mission: string): string => {
    const { id, revision, result_hash } = place.json('run', mission, '--execute') as Record<string, string>;
    const given = ['--revision', String(revision), '--result-hash', String(result_hash)];
    place.json('review', String(id), ...given, '--approve', '--note', 'checked');
    const output = mission.replace('.json', '.export.json');
    place.json('export', String(id), '--output', output);
    return output;
  };
  const verify = (file: string, ...sources: readonly string[]) => {
    const { code, stdout } = place.run('verify-export', file, '--public-key', publicKey, '--source', ...sources);
    return { code, said: stdout };
  };

  it('confirms each value and gap of a table, and names the cell of one that was changed', () => {
    write('sales.csv', sales(values));
    place.json('new', 'forecast', '--from', 'sales.csv', '--gaps', 'previous', '--set', 'horizon=2', '--output', 'sales.json');
    const file = exported('sales.json');
    const same = verify(file, 'sales.csv');
    assert.match(same.said, /^✓ valid\n[^]*\nsource +14 of 14 values are those of sales\.csv\n/);
    assert.equal(same.code, 0);
    const other = verify(file, write('other.csv', sales(values.with(4, '41'))));
    assert.match(
      other.said,
      /^✗ export valid, but the files given differ from what was signed\n[^]*\nsource +13 of 14 values are those of sales\.csv\n +sales\.csv differs at B6 \(column "Sales"\): 41, recorded 14\n/,
    );
    assert.equal(other.code, 3);
  });

  it('does not know of a mission that was typed', () => {
    place.json('examples', '--output', 'missions');
    const { code, said } = verify(exported('missions/forecast.json'), 'sales.csv');
    assert.match(said, /^\? export valid, files not compared\n[^]*\nsource +not known, the mission was not made from files\n/);
    assert.equal(code, 7);
  });

  // Three hundred pages with TEST_EFFORT=full: the bench `intake-pdf` reads as many.
  const pages = atEffort(30, 300);
  const changed = Math.floor((pages * 3) / 4);
  it(`confirms each quote of ${pages} pages, and names the page on which a letter was changed`, () => {
    mkdirSync(join(place.directory, 'docs'));
    write('docs/report.pdf', reportOf(pages));
    const question = 'Where is nitrate above the limit, and by how many milligrams?';
    place.json('new', 'research', '--from', 'docs', '--goal', question, '--output', 'report.json');
    const file = exported('report.json');
    const same = verify(file, 'docs');
    const [, blocks, all, quotes, quoted] =
      /(\d+) of (\d+) blocks are those of report\.pdf\n +(\d+) of (\d+) quotes are on the pages named/.exec(same.said) ?? [];
    assert.deepEqual([same.code, blocks, quotes], [0, all, quoted], same.said);
    assert(Number(blocks) >= 3 * pages && Number(quotes) >= 5, same.said);
    for (const part of ['node-22', 'node-24'] as const) {
      if (whyAbsent(part) !== null) continue;
      const [command, ...args] = [...foreignNode(part), program, 'verify-export', file, '--public-key', publicKey];
      const there = spawnSync(command, [...args, '--source', 'docs'], { cwd: place.directory, env: place.env, encoding: 'utf8' });
      assert.deepEqual([there.status, there.stdout], [0, same.said], `${part}: ${there.stderr}`);
    }
    const other = verify(file, write('changed.pdf', reportOf(pages, changed)));
    assert.equal(other.code, 3);
    assert.match(other.said, new RegExp(`\\n +report\\.pdf differs at page ${changed}: "[^\\n]*milligrums`));
  });
});

describe('report', () => {
  const place = hostedScratch({ NO_COLOR: '1' });
  const at = (name: string): string => join(place.directory, name);
  let [id, publicKey] = ['', ''];

  before(() => {
    publicKey = String(place.json('init')['public_key']);
    place.json('examples', '--output', 'missions');
    id = String(place.json('run', 'missions/forecast.json', '--execute')['id']);
  });
  after(() => place.remove());

  const refused = (code: number, text: RegExp, ...args: readonly string[]): void => {
    const ran = place.run('report', ...args);
    assert.equal(ran.code, code, ran.stderr);
    assert.match(ran.stderr, text);
  };

  it('of a result in review is a draft, and no spreadsheet', () => {
    refused(2, /must end in \.draft\.html, because nobody has approved/, id, '--output', 'x.html');
    for (const name of ['x.csv', 'x.xlsx', 'x.ics', 'x.draft.csv']) refused(4, /in review/, id, '--output', name);
    refused(2, /must end in \.html, \.csv, \.xlsx, \.ics, \.md/, id, '--output', 'x.pdf');
    assert.equal(place.json('report', id, '--output', 'x.draft.html')['approved'], false);
    assert.equal(place.json('report', id, '--output', 'x.draft.md')['approved'], false);
    const ran = place.run('verify-export', 'x.draft.html', '--public-key', publicKey);
    assert.deepEqual([ran.code, /holds no whole export: it is a draft/.test(ran.stderr)], [3, true]);
  });

  it('of an approved result carries its proof, which a stranger checks', () => {
    const { revision, result_hash } = place.json('show', id) as Record<string, string>;
    place.json('review', id, '--revision', String(revision), '--result-hash', String(result_hash), '--approve', '--note', 'fits');
    for (const name of ['r.html', 'r.csv', 'r.xlsx', 'r.md'])
      assert.equal(place.json('report', id, '--output', name)['approved'], true);
    const valid = place.run('verify-export', 'r.html', '--public-key', publicKey);
    assert.equal(valid.code, 0, valid.stderr);
    assert.match(valid.stdout, /^✓ valid\n[^]*\nreport +its text is what its export gives, byte for byte\n/);
    const text = readFileSync(at('r.html'), 'utf8');
    writeFileSync(at('changed.html'), text.replace(/(<p class="answer"><bdi>Expected: \d*)\d/, '$10'));
    const changed = place.run('verify-export', 'changed.html', '--public-key', publicKey);
    assert.equal(changed.code, 3);
    assert.match(changed.stdout, /^✗ not valid\n/);
    writeFileSync(at('newer.html'), text.replace('{"renderer":1,', '{"renderer":99,'));
    const newer = place.run('verify-export', 'newer.html', '--public-key', publicKey);
    assert.equal(newer.code, 7);
    assert.match(newer.stdout, /^\? export valid, readable part not checked\n/);
  });

  it('of an export, or of a report, is made again from it alone', () => {
    place.json('report', 'r.html', '--output', 'again.html', '--home', 'nowhere');
    assert.deepEqual(readFileSync(at('again.html')), readFileSync(at('r.html')));
    assert.ok(!existsSync(at('nowhere')));
    place.json('export', id, '--output', 'r.export.json');
    place.json('report', 'r.export.json', '--output', 'of-export.csv');
    assert.deepEqual(readFileSync(at('of-export.csv')), readFileSync(at('r.csv')));
    writeFileSync(at('altered.json'), readFileSync(at('r.export.json'), 'utf8').replace('"approved":true', '"approved":false'));
    refused(3, /the export is not valid/, 'altered.json', '--output', 'altered.html');
  });

  it('overwrites nothing, and makes a calendar only of a schedule with a start', () => {
    const before = readFileSync(at('r.csv'));
    refused(2, /r\.csv exists already/, id, '--output', 'r.csv');
    assert.deepEqual(readFileSync(at('r.csv')), before);
    refused(4, /a calendar is made of a schedule that has a start/, id, '--output', 'r.ics');
    refused(2, /is for calendars/, id, '--output', 'r2.csv', '--machine', 'press');
  });
});
