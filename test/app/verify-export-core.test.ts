/** The core that script and page share: signatures, trees, canonical JSON, foreign exports, and the page made of it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sha256Hex } from '../../src/base/bytes.js';
import { originOf, signCheckpoint } from '../../src/journal/note.js';
import { formatProof } from '../../src/journal/proof.js';
import { verifySignature } from '../../src/journal/keys.js';
import { signatureCases } from '../support/journal/ed25519-cases.js';
import { exportText } from '../../src/app/exports/export.js';
import { forecasts } from '../engines/reference-cases.js';
import { adopt, forecastWork, states } from '../support/app/given-reference.js';
import { folderForSuite, temporaryHome, uuidOf } from '../support/app/temporary-home.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import {
  canonical,
  foreignDocument,
  foreignExport,
  foreignKey,
  foreignResult,
  plainVerdict as appVerdict,
  shortVerdict,
  print,
  type ForeignChanges,
} from '../support/app/given-export.js';
import { extended, signedCases, signedExport, signer } from '../support/app/signed-export.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { coreText, loadCore, type Core } from '../support/app/script-core.js';
import { documents } from '../support/codec/given-events.js';

const root = packageRoot(import.meta.url);
const vectors = join(root, 'test', 'vectors');
const readJson = (...path: string[]): unknown => JSON.parse(readFileSync(join(vectors, ...path), 'utf8'));

let core: Core;
before(async () => {
  core = await loadCore();
});

describe('the core of the export verifier', () => {
  it('checks signatures as strictly as libsodium, on every case of Wycheproof and ed25519-speccheck', async () => {
    const cases = signatureCases();
    assert.equal(cases.length, 166);
    let accepted = 0;
    for (const each of cases) {
      const [publicKey, message, signature] = each.map((hex) => Buffer.from(hex, 'hex'));
      const own = await core.verifies(new Uint8Array(publicKey!), new Uint8Array(message!), new Uint8Array(signature!));
      assert.equal(own, verifySignature(publicKey!, message!, signature!), each.join(' '));
      if (own) accepted++;
    }
    assert.ok(accepted > 50, `${accepted}`);
  });

  it('reaches the roots of the RFC 6962 vectors, and no other', async () => {
    const { inclusion } = readJson('rfc6962', 'rfc6962-proofs.json') as {
      readonly inclusion: readonly {
        readonly name: string;
        readonly leafIdx: number;
        readonly treeSize: number;
        readonly root: string;
        readonly leafHash: string;
        readonly proof: readonly string[] | null;
        readonly wantErr: boolean;
      }[];
    };
    const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));
    for (const { name, leafIdx, treeSize, root: wanted, leafHash, proof, wantErr } of inclusion) {
      const [leaf, siblings] = [bytes(leafHash), (proof ?? []).map(bytes)];
      // The caller of rootOf has seen that the index is below the size, and that leaf and siblings are hashes.
      const isCalled = leafIdx < treeSize && [leaf, ...siblings].every(({ length }) => length === 32);
      const reached = isCalled ? await core.rootOf(leaf, leafIdx, treeSize, siblings).catch(() => null) : null;
      assert.equal(reached !== null && Buffer.from(reached).toString('base64') === wanted, !wantErr, name);
    }
  });

  it('prints the RFC 8785 vectors', () => {
    for (const name of readdirSync(join(vectors, 'rfc8785', 'input'))) {
      const printed = core.print(readJson('rfc8785', 'input', name));
      assert.equal(printed, readFileSync(join(vectors, 'rfc8785', 'output', name), 'utf8'), name);
    }
  });
});

describe('exports that the right key signed but that say something else', () => {
  const scratch = folderForSuite();
  const own = signer.publicKey.toString('hex');
  const byApp = (document: unknown): Promise<true | string> => shortVerdict(scratch, JSON.stringify(document), own);
  const verdict = async (document: unknown): Promise<string> =>
    (await core.verifyExport(Buffer.from(canonicalJson(document)), own)).verdict;

  it('are valid when they are the entry of a completed mission', async () => {
    for (const changes of [{}, extended('a\u2028b')])
      assert.deepEqual([await verdict(signedExport(changes)), await byApp(signedExport(changes))], ['valid', true]);
  });

  for (const [what, changes, reason] of signedCases)
    it(`are not valid: ${what}`, async () => {
      // The shape of what the key signed is the app's business: the core checks every member that is shown.
      assert.equal(await verdict(signedExport(changes)), what === 'an unknown member' ? 'valid' : 'refuted');
      assert.match(String(await byApp(signedExport(changes))), reason);
    });

  it('are not valid when a big integer of the readable copy only rounds to the signed one', async () => {
    const result = { forecast: [9_007_199_254_740_992] };
    const review = { ...documents['mission.completed'].review, result_hash: sha256Hex(canonicalJson(result)) };
    const text = JSON.stringify(signedExport({ document: { result, review } }));
    assert.equal(await shortVerdict(scratch, text, own), true);
    const rounded = text.replace('"forecast":[9007199254740992]', '"forecast":[9007199254740993]');
    assert.notEqual(rounded, text);
    assert.equal(await shortVerdict(scratch, rounded, own), 'the readable body is not the signed one');
  });

  it('are refuted by the core with a result beside the signed one, a root that the proof does not reach, and a text in another form', async () => {
    const result = { forecast: [1, 2] };
    const other = signedExport({ document: { result: { forecast: [9] } } });
    const receipt = { ...(other['receipt'] as object), canonical_result: canonicalJson(result) };
    assert.equal(await verdict({ ...other, receipt }), 'refuted');
    const root = Buffer.alloc(32, 5);
    const proof = formatProof(0, [], signCheckpoint(signer, originOf(signer.publicKey, null), 1, root));
    assert.equal(await verdict({ ...signedExport(), proof }), 'refuted');
    const spaced = signedExport({ text: (text) => text.replace('{', '{ ') });
    const file = canonicalJson(spaced).replace('"body":{', '"body":{ ');
    assert.equal((await core.verifyExport(Buffer.from(file), own)).verdict, 'refuted');
  });

  it('are not valid without their proof or their request', async () => {
    const { proof: _1, ...unproven } = signedExport();
    const { request: _2, ...unasked } = signedExport();
    assert.deepEqual([await verdict(unproven), await verdict(unasked)], ['refuted', 'refuted']);
    const missing = ['the proof of inclusion is missing', 'the request is missing'];
    assert.deepEqual([await byApp(unproven), await byApp(unasked)], missing);
  });

  it('are valid as a foreign entry that this program exports, with its request and proof, in the signed spelling only', async () => {
    const homes = temporaryHome();
    const work = forecastWork(forecasts[0]?.work ?? '');
    adopt(homes, states({ id: uuidOf(7), work, result: forecasts[0]?.plain ?? '' }, 'queued', 'running', 'review', 'completed'));
    const text = homes.with((home) => exportText(home, uuidOf(7)).text);
    homes.remove();
    const { public_key } = JSON.parse(text) as { public_key: string };
    const judge = async (document: string): Promise<string> =>
      (await core.verifyExport(Buffer.from(document), public_key)).verdict;
    assert.equal(await judge(text), 'valid');
    const at = text.lastIndexOf(',"request":');
    assert.ok(at > 0 && text.indexOf('.0', at) > 0 && text.includes('tlog-proof'));
    for (let i = 0; i < text.length - 1; i += 7) {
      const other = `${text.slice(0, i)}${text[i] === '1' ? '2' : '1'}${text.slice(i + 1)}`;
      assert.notEqual(await judge(other), 'valid', `character ${i}`);
    }
    assert.equal(await judge(text.slice(0, at) + text.slice(at).replace('"seed":42', '"seed":43')), 'refuted');
    assert.equal(await judge(text.slice(0, at) + text.slice(at).replace('.0', '')), 'refuted');
  });

  it('are valid as a foreign export with its signed texts alone, and only when it was approved', async () => {
    const foreign = async (changes: ForeignChanges = {}, texts = true): Promise<string> => {
      const { receipt, text } = foreignExport(changes);
      const signed = { canonical_body: text, canonical_result: print(changes.result ?? foreignResult, canonical) };
      const document = foreignDocument(texts ? { ...receipt, ...signed } : receipt, canonical);
      return (await core.verifyExport(Buffer.from(document), foreignKey)).verdict;
    };
    assert.equal(await foreign(), 'valid');
    assert.equal(await foreign({}, false), 'unusable');
    const result_hash = sha256Hex(print(foreignResult, canonical));
    const refused: readonly ForeignChanges[] = [
      { state: 'review' },
      { review: { approved: false, result_hash } },
      { review: { approved: 'true', result_hash } },
      { review: 'yes' },
      { result: { small: 1 } },
      { identity: `urn:agialpha:ed25519:${'0'.repeat(64)}` },
    ];
    for (const changes of refused) assert.equal(await foreign(changes), 'refuted', JSON.stringify(changes));
    const { receipt, text } = foreignExport();
    const whole = { ...receipt, canonical_body: text, canonical_result: print(foreignResult, canonical) };
    const judge = async (document: string): Promise<string> =>
      (await core.verifyExport(Buffer.from(document), foreignKey)).verdict;
    const signature = receipt.signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    assert.equal(await judge(foreignDocument({ ...whole, signature }, canonical)), 'refuted');
    const twice = foreignDocument(whole, canonical).replace('"approved":true', '"approved":false,"approved":true');
    assert.equal(await judge(twice), 'unusable');
    assert.equal(await judge(foreignDocument(whole, { sorted: true, space: ' ' })), 'unusable');
  });
});

describe('docs/verify-export.html', () => {
  const page = readFileSync(join(root, 'docs', 'verify-export.html'), 'utf8');

  it('is what scripts/verify-page.mjs writes', () => {
    const script = join(root, 'scripts', 'verify-page.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('holds the core word for word, loads nothing, and has a policy that lets nothing in', () => {
    assert.ok(page.includes(coreText().trim()));
    const policy = /content="([^"]+)"/.exec(page)?.[1]?.replace(/'sha256-[^';]+'/g, 'HASH');
    assert.equal(policy, "default-src 'none'; script-src HASH; style-src HASH; base-uri 'none'; form-action 'none'");
    const loading =
      /\s(?:src|href|style|on[a-z]+)="|url\(|@import|https?:|innerHTML|outerHTML|insertAdjacentHTML|document\.write/;
    assert.equal(loading.exec(page), null);
  });

  it('has every message of the core in French', async () => {
    const texts = (await import(pathToFileURL(join(root, 'scripts', 'verify-page', 'texts.js')).href)) as Readonly<
      Record<'coreInFrench' | 'messages' | 'french', Readonly<Record<string, string>>>
    >;
    // What is wrong with a key or a signature is told in English.
    const lines = coreText()
      .replace(/^\/\/ ---- approvals[^]*\/\/ ---- end of approvals\n/m, '')
      .split('\n');
    const spoken = lines
      .filter((line) => /check\(.*'\);$|lines\.push|return ['`][✓?]|nor a whole report/.test(line))
      .flatMap((line) =>
        Array.from(line.matchAll(/(?:[,:?n] |push\()['`](?:[\u2713?] )?([^'`]* [^'`]*)['`]/g), ([, words]) => words ?? ''),
      );
    const keys = spoken.map((words) => words.replace(/\$\{[^}]*\}|(?<!UTF-)\d+/, '#'));
    assert.deepEqual(keys.toSorted(), Object.keys(texts.coreInFrench).toSorted());
    const inPage = Array.from(page.matchAll(/data-text="(\w+)"/g), ([, key]) => key ?? '');
    const all = new Set([...inPage, ...Object.keys(texts.messages)]);
    assert.deepEqual(Object.keys(texts.french).toSorted(), [...all].toSorted());
  });
});

real('test-data', "the script and the reference agent's exports", () => {
  const scratch = folderForSuite();

  it('accepts each unchanged, and none that is tampered with', async () => {
    const folder = resolve(root, process.env.AGENT_TEST_DATA ?? '../shared/data', 'reference', 'exports');
    for (const name of readdirSync(folder)) {
      const text = readFileSync(join(folder, name), 'utf8');
      const { public_key } = JSON.parse(text) as { public_key: string };
      assert.equal((await core.verifyExport(Buffer.from(text), public_key)).verdict, 'valid', name);
      const tampered = ['"approved":true', '"sequence":', '"result_hash":"', '"objective":', '"time_ns":17'].map((from) =>
        text.replace(from, from.endsWith('true') ? '"approved":false' : `${from}1`),
      );
      for (const each of [...tampered, text.replaceAll('"approved":true', '"approved":false'), text.replaceAll('.0', '')]) {
        if (each === text) continue;
        assert.notEqual((await core.verifyExport(Buffer.from(each), public_key)).verdict, 'valid', name);
        assert.notEqual(await appVerdict(scratch, each, public_key), 'valid', name);
      }
    }
  });
});
