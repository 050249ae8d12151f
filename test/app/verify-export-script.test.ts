/**
 * scripts/verify-export.mjs, which a counterparty runs without this program: its verdicts are those of `verify-export` on every
 * change of an export, except that it rejects a file in another spelling.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { checkpoint } from '../../src/app/log/checkpoint.js';
import { exportMission, exportText } from '../../src/app/exports/export.js';
import { plainVerdict as appVerdict, textFile, verdictOf } from '../support/app/given-export.js';
import { completed, queued, research, schedule } from '../support/app/given-home.js';
import { changed, leaves, mutants, paths } from '../support/codec/mutants.js';
import { foreignNode, requirePart } from '../support/real.js';
import type { ExportDocument } from '../../src/codec/export.js';
import { htmlOfExport } from '../../src/reports/renderers.js';
import { packageRoot } from '../support/package-root.js';
import { loadCore, type Core } from '../support/app/script-core.js';
import { temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';

const script = join(packageRoot(import.meta.url), 'scripts', 'verify-export.mjs');
const fileOf = (document: unknown): string => `${canonicalJson(document)}\n`;

interface Ran {
  readonly status: number | null;
  readonly lines: readonly string[];
  readonly stderr: string;
}
const run = (...args: string[]): Ran => runWith(process.execPath, ...args);

function runWith(node: string, ...args: string[]): Ran {
  const { status, stdout, stderr } = spawnSync(node, [script, ...args], { encoding: 'utf8' });
  return { status, lines: stdout.split('\n').slice(0, -1), stderr };
}

let core: Core;
before(async () => {
  core = await loadCore();
});
const scriptVerdict = async (text: string, key: string): Promise<string> =>
  (await core.verifyExport(Buffer.from(text), key)).verdict;

describe('the script that verifies exports', function () {
  let homes: TemporaryHome;
  let key: string;
  let text: string;
  let file: string;

  before(async () => {
    homes = temporaryHome();
    key = homes.report.public_key;
    const home = homes.open();
    await completed(home, schedule('first'));
    const { id } = await completed(home, schedule('second'));
    file = join(homes.root, 'export.json');
    exportMission(home, id, file);
    text = readFileSync(file, 'utf8');
    home.close();
  });
  after(() => homes.remove());

  const agree = async (document: string, what: string): Promise<string> => {
    const own = await scriptVerdict(document, key);
    assert.equal(own, await appVerdict(homes.root, document, key), what);
    return own;
  };

  it('stays under 245 lines besides the checkers of approvals, and imports nothing but Node', () => {
    const source = readFileSync(script, 'utf8');
    const checkers = /^\/\/ ---- approvals[^]*\/\/ ---- end of approvals\n/m;
    assert.ok(source.replace(checkers, '').split('\n').length <= 245);
    assert.deepEqual(
      Array.from(source.matchAll(/from '([^']+)'/g), ([, name]) => name),
      ['node:fs', 'node:util'],
    );
    assert.ok(!/\b(?:require|fetch|eval|import)\s*\(/.test(source));
  });

  it('has checkers of SSH signatures and of passkeys of 120 lines each', () => {
    for (const name of ['ssh-signature', 'passkey']) {
      const source = readFileSync(join(packageRoot(import.meta.url), 'src', 'base', `${name}.ts`), 'utf8');
      assert.ok(source.split('\n').length - 1 <= 120, name);
    }
  });

  for (const part of ['node-22', 'node-24'] as const)
    it(`gives the same verdicts with another Node: ${part}`, function () {
      requirePart(this, part);
      const [node = ''] = foreignNode(part);
      const altered = join(homes.root, 'altered.json');
      writeFileSync(altered, text.replace(/"mission":"./, '"mission":"x'));
      for (const [name, status] of [
        [file, 0],
        [altered, 3],
      ] as const) {
        const own = run(name, '--public-key', key);
        assert.equal(own.status, status, own.stderr);
        assert.deepEqual(runWith(node, name, '--public-key', key), own);
      }
    });

  it('checks the export in a report, and tells that its text is for others to check', () => {
    const report = join(homes.root, 'report.html');
    writeFileSync(report, htmlOfExport(JSON.parse(text) as ExportDocument, text) ?? '');
    const { status, lines } = run(report, '--public-key', key);
    assert.deepEqual([status, lines.at(-5)?.startsWith('? only agent-cli')], [7, true]);
    writeFileSync(report, readFileSync(report, 'utf8').replace('"approved":true', '"approved":false'));
    assert.equal(run(report, '--public-key', key).status, 3);
  });

  it('prints what it checked and ends with 0', () => {
    const { receipt } = JSON.parse(text) as {
      receipt: { body: { mission: string; document: { review: { result_hash: string } } } };
    };
    const { mission, document } = receipt.body;
    assert.deepEqual(run(file, '--public-key', key), {
      status: 0,
      lines: [
        '\u2713 this key signed the hash of the entry',
        '\u2713 the readable part is what was signed',
        '\u2713 the mission is completed, its review approved this result',
        '\u2713 the entry is in the signed log of 23 entries',
        "? recorded by the home for operator, not signed by a person's key",
        '\u2713 it was then the newest of 11 entries of the mission',
        '? the result was not recomputed; agent-cli verify-export can',
        'kind: schedule',
        'goal: second',
        'approved by operator at 2026-11-20T05:00:00.000000Z: checked',
        `valid: mission ${mission}, result ${document.review.result_hash}`,
      ],
      stderr: '',
    });
  });

  it('exits with 3 when it refutes, and with 2 when there is nothing to check', () => {
    const no = textFile(homes.root, text.replace('"approved":true', '"approved":false'));
    assert.deepEqual(run(no, '--public-key', key), {
      status: 3,
      lines: ['\u2713 this key signed the hash of the entry', '\u2717 the readable part is not what was signed'],
      stderr: '',
    });
    assert.deepEqual(run(file, '--public-key', 'ab'.repeat(32)).lines, ['\u2717 the file names another public key']);
    const unusable: readonly (readonly string[])[] = [
      [textFile(homes.root, '{"a":'), '--public-key', key],
      [textFile(homes.root, '[]'), '--public-key', key],
      [file, '--public-key', key.toUpperCase()],
      [file],
      [],
      [join(homes.root, 'nothing'), '--public-key', key],
      [homes.root, '--public-key', key],
      [file, '--public-key', key, '--checkpoint', join(homes.root, 'nothing')],
      [file, '--key', key],
      [file, file, '--public-key', key],
    ];
    for (const args of unusable) assert.equal(run(...args).status, 2, args.join(' '));
    assert.match(run(file, '--key', key).stderr, /'--key'[^]*usage: node verify-export\.mjs FILE/);
  });

  it('agrees with the app on every change of one string, number or flag', async () => {
    assert.equal(await agree(text, 'as it stands'), 'valid');
    const document: unknown = JSON.parse(text);
    const seen = new Map<string, number>();
    for (const [path, value] of leaves(document)) {
      for (const mutant of mutants(value)) {
        const other = fileOf(changed(document, path, () => mutant));
        const what = `${path.join('.')}: ${JSON.stringify(mutant)}`;
        // A signature of another form is a no to the script, and no export to the app.
        const isForm = path.at(-1) === 'signature' && !/^[A-Za-z0-9+/]{86}==$/.test(String(mutant));
        if (isForm) assert.equal(await appVerdict(homes.root, other, key), 'unusable', what);
        const verdict = isForm ? await scriptVerdict(other, key) : await agree(other, what);
        seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
      }
    }
    assert.equal(seen.get('valid'), undefined);
    assert.ok((seen.get('refuted') ?? 0) > 300, `${seen.get('refuted')} refuted`);
  });

  it('accepts no export with one character changed, nor does the app', async () => {
    for (let at = 0; at < text.length - 1; at += 3) {
      const other = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
      assert.notEqual(await scriptVerdict(other, key), 'valid', `character ${at}`);
      if (at % 41 === 0) assert.notEqual(await appVerdict(homes.root, other, key), 'valid', `character ${at}`);
    }
  });

  it('accepts no export with a member less, more or twice, nor does the app', async () => {
    const document: unknown = JSON.parse(text);
    // They repeat what `body` says: the app reads exports without them too, as those without the note.
    const spare = ['newest', 'receipt.canonical_body', 'receipt.canonical_result'];
    for (const path of paths(document)) {
      const without = fileOf(changed(document, path, () => undefined));
      // The note on the newest entry says something more, which need not be said.
      const isMore = path.join('.') === 'newest';
      assert.equal((await scriptVerdict(without, key)) === 'valid', isMore, `without ${path.join('.')}`);
      const isSpare = spare.includes(path.join('.'));
      assert.equal((await appVerdict(homes.root, without, key)) === 'valid', isSpare, `without ${path.join('.')}`);
      const value = path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], document);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
      const more = fileOf(changed(document, path, (object) => ({ ...(object as object), surplus: 1 })));
      assert.notEqual(await agree(more, path.join('.')), 'valid', path.join('.'));
    }
    // The first of two members is the one that a careless reader may show: JSON.parse takes the last.
    const { receipt } = document as { receipt: { hash: string } };
    const twice = [
      text.replace('"receipt":{', '"receipt":{"body":{},'),
      text.replace('"approved":true', '"approved":false,"approved":true'),
      text.replace(`"hash":"${receipt.hash}"`, `"hash":"${'0'.repeat(64)}","hash":"${receipt.hash}"`),
      text.replace('{', '{"__proto__":{"schema":1},'),
    ];
    for (const each of twice) {
      assert.notEqual(each, text);
      assert.equal(await agree(each, each.slice(0, 80)), 'unusable');
    }
  });

  it('rejects a file in another spelling, and says that this does not refute it', async () => {
    const spaced = JSON.stringify(JSON.parse(text), null, 2);
    assert.equal(await appVerdict(homes.root, spaced, key), 'valid');
    const anew = 'the file was written anew, not byte for byte as the agent did: take the original';
    const { request } = JSON.parse(text) as { request: unknown };
    for (const other of [
      spaced,
      text.replace('"request":', '"request": '),
      text.replace(canonicalJson(request), JSON.stringify(request, null, 1)),
      text.replace('"seed":42', '"seed":4.2e1'),
    ]) {
      assert.notEqual(other, text);
      assert.equal(await appVerdict(homes.root, other, key), 'valid');
      const { verdict, reason } = await core.verifyExport(Buffer.from(other), key);
      assert.deepEqual([verdict, reason], ['unusable', anew]);
    }
  });

  it('passes over extra data of a proof, as the app does', async () => {
    for (const [extra, verdict] of [
      ['extra aGVsbG8=', 'valid'],
      ['extra ', 'valid'],
      ['extra aGVsbG8', 'refuted'],
      ['extra aGVsbG9=', 'refuted'],
      ['extra a b', 'refuted'],
      ['extra ==\\nextra ', 'refuted'],
      ['more aGVsbG8=', 'refuted'],
    ] as const) {
      const other = text.replace('tlog-proof@v1\\n', `tlog-proof@v1\\n${extra}\\n`);
      assert.notEqual(other, text);
      assert.equal(await agree(other, extra), verdict, extra);
    }
  });

  it('refuses half a character, broken UTF-8, a byte order mark, too much depth and too many bytes', async () => {
    const { receipt } = JSON.parse(text) as { receipt: { canonical_body: string } };
    const half = text.replace(JSON.stringify(receipt.canonical_body), (body) => body.replace('second', 'secon\\ud800'));
    assert.notEqual(half, text);
    const cases = [half, `\ufeff${text}`, '['.repeat(100_000), `${text}${' '.repeat(2 * 1024 * 1024)}`, '', 'null', '"x"', '7'];
    for (const each of cases) assert.equal(await scriptVerdict(each, key), 'unusable', each.slice(0, 20));
    assert.equal((await core.verifyExport(Buffer.from(text, 'utf16le'), key)).verdict, 'unusable');
  });

  it('holds the export against a checkpoint as the app does: the same log, another size, a fork, another key', async () => {
    const [fork, stranger] = [homes.copy(), temporaryHome()];
    const grow = (at: TemporaryHome, goal: string): Promise<readonly [string, string]> =>
      at.with(async (home) => {
        await queued(home, schedule(goal));
        const [note, exported] = [join(at.root, `checkpoint-${goal}`), join(at.root, `export-${goal}.json`)];
        checkpoint(home, note);
        const { receipt } = JSON.parse(text) as { receipt: { body: { mission: string } } };
        writeFileSync(exported, exportText(home, receipt.body.mission).text);
        return [note, exported] as const;
      });
    const [[here, exported], [there]] = [await grow(homes, 'here'), await grow(fork, 'there')];
    const foreign = join(stranger.root, 'checkpoint');
    stranger.with((home) => checkpoint(home, foreign));
    const against = async (note: string, given: string): Promise<readonly unknown[]> => {
      const { status, lines } = run(given, '--public-key', key, '--checkpoint', note);
      const verdict = await verdictOf(homes.root, readFileSync(given, 'utf8'), key, { against: note });
      const app = typeof verdict === 'string' ? [verdict] : [verdict.valid, verdict.against, verdict.reason];
      return [status, lines.find((line) => line.includes('checkpoint')), ...app];
    };
    const same = '\u2713 the given checkpoint is of the same log';
    assert.deepEqual(await against(here, exported), [0, same, true, true, null]);
    const untold = '? the given checkpoint has another size or origin: this file alone cannot tell';
    const [, size] = readFileSync(here, 'utf8').split('\n');
    const untoldByApp = `the checkpoint has another size, so this file alone cannot tell; the issuer can, with agent-cli proof --from ${size}`;
    assert.deepEqual(await against(here, file), [0, untold, true, null, untoldByApp]);
    const forked = 'the export and the checkpoint are of two different logs (a fork)';
    assert.deepEqual(await against(there, exported), [3, `\u2717 ${forked}`, false, null, forked]);
    const unsigned = '\u2717 the checkpoint file is not one that this key signed';
    assert.deepEqual(await against(foreign, exported), [3, unsigned, 'verification_failed']);
    assert.equal(run(exported, '--public-key', key, '--checkpoint', file).lines.at(-1), unsigned);
    for (const at of [fork, stranger]) at.remove();
  });

  it('accepts results of other kinds, with numbers and letters of all sorts', async () => {
    const home = homes.open();
    const { id } = await completed(
      home,
      research('mar\u00e9es \u{1f30a} \u2028 "q" \\', 'High water \u{1f30a}. Caf\u00e9 at 1e-7 and \\ud800.'),
    );
    const exported = exportText(home, id).text;
    home.close();
    assert.equal(await agree(exported, 'research'), 'valid');
  });
});
