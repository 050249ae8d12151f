/** docs/journal-format.md promises a check with openssl and sha256sum alone: the block on that page is run unchanged. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { exportText } from '../../src/app/exports/export.js';
import { exampleFile } from '../support/kinds/example-file.js';
import { completed, schedule } from '../support/app/given-home.js';
import { settled } from '../support/app/given-settlement.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { folderForSuite, temporaryHome } from '../support/app/temporary-home.js';

const root = packageRoot(import.meta.url);

interface Answer {
  readonly code: number | null;
  readonly text: string;
}

real('openssl', 'an export verified by openssl and sha256sum', () => {
  const directory = folderForSuite();
  const script = path.join(directory, 'verify-export.sh');
  const original = path.join(directory, 'export.json');
  const id = '3c9a1f5e-52f0-4d5c-8f3a-6f2b1c0d9e77';
  let publicKey = '';

  const agent = (...args: string[]): Record<string, unknown> => {
    const env = { ...process.env, AGENT_HOME: path.join(directory, 'home'), AGENT_WITNESS: path.join(directory, 'witness') };
    const argv = [path.join(root, 'bin', 'agent-cli.js'), ...args, '--json'];
    return JSON.parse(execFileSync(process.execPath, argv, { env, encoding: 'utf8' })) as Record<string, unknown>;
  };
  const check = (file: string, key = publicKey): Answer => {
    const ran = spawnSync('bash', [script, file, key], { encoding: 'utf8' });
    return { code: ran.status, text: ran.stdout };
  };

  before(() => {
    const page = readFileSync(path.join(root, 'docs', 'journal-format.md'), 'utf8');
    const block = /```bash\n(#!\/bin\/bash\n[\s\S]*?)```/.exec(page)?.[1];
    assert.ok(block !== undefined, 'the page holds the script');
    assert.match(block, /^(?:(?!.*&&).*\n){1,22}$/, 'twenty lines beside the first two; set -e does not stop before &&');
    writeFileSync(script, block);
    publicKey = String(agent('init')['public_key']);
    const mission = agent('run', exampleFile('forecast'), '--request-id', id, '--execute');
    const decision = ['--revision', String(mission['revision']), '--result-hash', String(mission['result_hash'])];
    agent('review', id, ...decision, '--approve', '--note', 'a "quoted" note with a \\ backslash');
    agent('export', id, '--output', original);
  });

  it('prints verified and names the mission', () => {
    const { code, text } = check(original);
    assert.equal(code, 0);
    const { hash } = (JSON.parse(readFileSync(original, 'utf8')) as { receipt: { hash: string } }).receipt;
    assert.equal(text, `verified ${id} ${hash}\n`);
  });

  it('prints verified for the export of a paid result too', async () => {
    const home = temporaryHome();
    const file = path.join(directory, 'paid.json');
    const mission = await home.with(async (opened) => {
      const made = await completed(opened, schedule('paid'));
      settled(opened, made.id);
      writeFileSync(file, exportText(opened, made.id).text);
      return made.id;
    });
    home.remove();
    assert.ok(readFileSync(file, 'utf8').includes('"schema":1,"settlement":{"body":'));
    const { code, text } = check(file, home.report.public_key);
    assert.deepEqual([code, text.split(' ').slice(0, 2)], [0, ['verified', mission]]);
  });

  it('refuses another key, and a change of the body, the result or the signature', () => {
    assert.notEqual(check(original, publicKey.replace(/^../, publicKey.startsWith('00') ? '01' : '00')).code, 0);
    const text = readFileSync(original, 'utf8');
    const changes: readonly (readonly [string, string])[] = [
      ['\\"approved\\":true', '\\"approved\\":null'],
      ['\\"goal\\":\\"Forecast', '\\"goal\\":\\"forecast'],
      ['"canonical_result":"{\\"', '"canonical_result":"{ \\"'],
      ['"signature":"', '"signature":"A'],
    ];
    for (const [from, to] of changes) {
      assert.ok(text.includes(from), from);
      const altered = path.join(directory, 'altered.json');
      writeFileSync(
        altered,
        from === '"signature":"' ? text.replace(/"signature":"../, '"signature":"AA') : text.replace(from, to),
      );
      assert.notEqual(check(altered).code, 0, from);
    }
  });
});
