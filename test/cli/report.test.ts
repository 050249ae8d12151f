/** `report`: a result as a file that colleagues can open, and its proof as a stranger checks it. @slow */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostedScratch } from '../support/cli/cli-run.js';

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
    assert.deepEqual([ran.code, /holds no export/.test(ran.stderr)], [3, true]);
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
