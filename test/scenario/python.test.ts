/** docs/journal-format.md says what each hash covers, and shows it in Python: the block on that page is run unchanged. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { exportText } from '../../src/app/exports/export.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { cosignature_type, keyIdOf, note_type } from '../../src/journal/note.js';
import { completed, forecast, schedule } from '../support/app/given-home.js';
import { settled } from '../support/app/given-settlement.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { folderForSuite, temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';

const page = readFileSync(path.join(packageRoot(import.meta.url), 'docs', 'journal-format.md'), 'utf8');

real('python', 'the hashes and the proof of an export in Python', () => {
  const directory = folderForSuite();
  let home: TemporaryHome;
  const texts: Record<'first' | 'later' | 'paid', string> = { first: '', later: '', paid: '' };

  const run = (script: string, text: string, ...args: string[]): { readonly code: number | null; readonly printed: string } => {
    const file = path.join(directory, 'export.json');
    writeFileSync(file, text);
    const ran = spawnSync('python3', [path.join(directory, script), file, ...args], { encoding: 'utf8' });
    return { code: ran.status, printed: ran.stdout };
  };
  const check = (text: string): ReturnType<typeof run> => run('check-export.py', text);

  before(async () => {
    const blocks = Array.from(page.matchAll(/```python\n(#![\s\S]*?# usage: (\S+)[\s\S]*?)```/g));
    assert.deepEqual(
      blocks.map(([, , name]) => name),
      ['check-export.py', 'check-newest.py'],
    );
    for (const [, block = '', name = ''] of blocks) writeFileSync(path.join(directory, name), block);
    home = temporaryHome();
    await home.with(async (opened) => {
      const made = await completed(opened, schedule('paid'));
      texts.first = exportText(opened, made.id).text;
      const other = await completed(opened, forecast('Größe, "request":{} and \\ "schema":1'));
      texts.later = exportText(opened, other.id).text;
      settled(opened, made.id);
      texts.paid = exportText(opened, made.id).text;
    });
  });
  after(() => home.remove());

  it('prints the checkpoint of exports, also of a paid result', () => {
    for (const [name, text] of Object.entries(texts)) {
      const { proof } = JSON.parse(text) as { readonly proof: string };
      const [origin, size, root] = proof.slice(proof.indexOf('\n\n') + 2).split('\n');
      assert.deepEqual(check(text), { code: 0, printed: `${origin} ${size} ${root}\n` }, name);
    }
  });

  it('stops at a change of the request, the result, the entry or the proof', () => {
    const changes: readonly (readonly [string | RegExp, string])[] = [
      [/"request":\{"generations":\d+/, '"request":{"generations":999'],
      ['"canonical_result":"{\\"', '"canonical_result":"{ \\"'],
      ['\\"approved\\":true', '\\"approved\\":null'],
      [/\\nindex \d+/, '\\nindex 0'],
      ['"signature":"', '"signature":"AAAA'],
    ];
    for (const [from, to] of changes) {
      const altered = texts.later.replace(from, to);
      assert.notEqual(altered, texts.later, String(from));
      assert.equal(check(altered).code, 1, String(from));
    }
  });

  it('reads the note on the newest entry, and stops at one of another entry, checkpoint or key', () => {
    const key = home.report.public_key;
    for (const text of Object.values(texts)) {
      const { newest } = JSON.parse(text) as { readonly newest: string };
      const [, , size, , stream, sequence, , count] = newest.split('\n');
      const printed = `entry ${sequence} is the newest of ${count} of ${stream} in the log of ${size} entries\n`;
      assert.deepEqual(run('check-newest.py', text, key), { code: 0, printed });
    }
    const noteOf = (text: string): string => /"newest":"[^"]*"/.exec(text)?.[0] ?? '';
    const changes = [
      texts.later.replace('agent-newest/1', 'agent-newest/2'),
      texts.later.replace(noteOf(texts.later), noteOf(texts.first)),
      texts.paid.replace(noteOf(texts.paid), noteOf(texts.first)),
      texts.later.replace(/(\\n[0-9a-f]{64}\\n)(\d+)(\\n\\n)/, '$11$3'),
    ];
    for (const [i, altered] of changes.entries()) {
      assert.notEqual(altered, Object.values(texts)[i]);
      assert.equal(run('check-newest.py', altered, key).code, 1, String(i));
    }
    assert.equal(run('check-newest.py', texts.first, 'ab'.repeat(32)).code, 1);
  });

  it('gives the key ids that the page describes: type 1 for a log, type 4 for a cosignature', () => {
    const { publicKey } = signerFromSeed(Buffer.alloc(32, 5));
    const program =
      'import hashlib, sys\nfor type in (b"\\x01", b"\\x04"): print(hashlib.sha256(sys.argv[1].encode() + b"\\n" + type + bytes.fromhex(sys.argv[2])).hexdigest()[:8])';
    const { stdout } = spawnSync('python3', ['-c', program, 'witness.example', publicKey.toString('hex')], { encoding: 'utf8' });
    const ids = [note_type, cosignature_type].map((type) => keyIdOf('witness.example', type, publicKey).toString('hex'));
    assert.deepEqual(stdout.trim().split('\n'), ids);
  });
});
