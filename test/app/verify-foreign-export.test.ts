/** Exports of the reference agent: verified over the text as it is in the file, whatever its spacing and order. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sha256Hex } from '../../src/base/bytes.js';
import { type JsonNode, parseJsonNode } from '../../src/base/json.js';
import { unwrap } from '../../src/base/refusal.js';
import {
  canonical,
  foreignDocument,
  foreignExport,
  foreignKey,
  foreignResult,
  print,
  shortVerdict,
  Token,
  verdictOf,
  type ForeignChanges,
} from '../support/app/given-export.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';

const root = folderForEach();
const loose = { sorted: false, space: '\n  ' };

describe('verifying a foreign export', () => {
  const judge = (text: string): Promise<true | string> => shortVerdict(root.get(), text, foreignKey);
  const without = (changes?: ForeignChanges): string => foreignDocument(foreignExport(changes).receipt, canonical);

  it('is valid with and without the canonical texts, with other spacing and another order', async () => {
    const { receipt, text } = foreignExport();
    const texts = { canonical_body: text, canonical_result: print(foreignResult, canonical) };
    for (const style of [canonical, loose]) {
      for (const members of [receipt, { ...receipt, ...texts }, { ...receipt, canonical_body: text }]) {
        assert.equal(await judge(foreignDocument(members, style)), true);
      }
    }
  });

  it('reports whose it is, that it has no proof, and that it cannot be recomputed', async () => {
    const verdict = await verdictOf(root.get(), without(), foreignKey, { recompute: true });
    assert.ok(typeof verdict === 'object');
    assert.equal(verdict.mission, '90f2b836-270b-4578-9af8-41245320af25');
    assert.deepEqual([verdict.valid, verdict.proof, verdict.recomputed], [true, null, null]);
    assert.match(verdict.reason ?? '', /reference agent/);
  });

  it('compares numbers as they are written, not by value', async () => {
    const text = without();
    for (const [from, to] of [
      ['1e-05', '0.00001'],
      ['1e+16', '10000000000000000'],
      ['3.0', '3'],
      ['-0.0', '0'],
      ['"ns":1795152040956133692', '"ns":1795152040956133693'],
    ] as const) {
      assert.ok(text.includes(from));
      assert.equal(await judge(text.replace(from, to)), 'the hash is not that of the body', from);
    }
  });

  it('requires the readable copy to equal the signed one, to the last digit of a double', async () => {
    const { receipt, text } = foreignExport();
    const body = { ...(receipt['body'] as object), sequence: 24 };
    assert.equal(
      await judge(foreignDocument({ ...receipt, body, canonical_body: text }, canonical)),
      'the readable body is not the signed one',
    );
  });

  it('detects a request beside the receipt that the body does not hold', async () => {
    const { receipt } = foreignExport();
    const text = print({ public_key: foreignKey, receipt, request: { goal: 'g' }, schema: 1 }, canonical);
    assert.equal(await judge(text), 'the request is not the signed one');
  });

  it('refuses a signed result that was not approved', async () => {
    const result_hash = sha256Hex(print(foreignResult, canonical));
    const other = { small: new Token('1e-06') };
    const cases: readonly (readonly [ForeignChanges, string])[] = [
      [{ state: 'review' }, 'the mission is not completed'],
      [{ review: { approved: false, result_hash } }, 'the review did not approve the result'],
      [{ review: { approved: 'true', result_hash } }, 'the review did not approve the result'],
      [{ review: 'yes' }, 'the review did not approve the result'],
      [{ result: other }, 'the approved hash is not that of the result'],
      [{ identity: `urn:agialpha:ed25519:${'0'.repeat(64)}` }, 'the body names another identity'],
    ];
    for (const [changes, reason] of cases) assert.equal(await judge(without(changes)), reason);
  });

  it('detects canonical texts that differ from the body', async () => {
    const { receipt, text } = foreignExport();
    const spaced = text.replace('{', '{ ');
    assert.equal(
      await judge(foreignDocument({ ...receipt, canonical_body: spaced }, canonical)),
      'the hash is not that of the body',
    );
    const result = { ...receipt, canonical_body: text, canonical_result: '{}' };
    assert.equal(await judge(foreignDocument(result, canonical)), 'canonical_result is not the signed result');
  });

  it('detects another signature, hash or key', async () => {
    const { receipt } = foreignExport();
    const { signature: right } = receipt;
    const signature = `${right.startsWith('A') ? 'B' : 'A'}${right.slice(1)}`;
    assert.equal(await judge(foreignDocument({ ...receipt, signature }, canonical)), 'the signature does not verify');
    assert.equal(
      await judge(foreignDocument({ ...receipt, hash: 'ab'.repeat(32) }, canonical)),
      'the hash is not that of the body',
    );
    assert.equal(await shortVerdict(root.get(), without(), 'ab'.repeat(32)), 'the file names another public key');
  });
});

/** The request as it is in the readable body. */
function requestText(text: string): string {
  const parsed = unwrap(parseJsonNode(text, { bigIntegers: 'round' }));
  let node: JsonNode | undefined = parsed;
  for (const step of ['receipt', 'body', 'document', 'request']) node = node?.members?.get(step);
  return text.slice(node?.start, node?.end);
}

real('test-data', "verifying the reference agent's own exports", () => {
  const folder = (): string =>
    resolve(packageRoot(import.meta.url), process.env.AGENT_TEST_DATA ?? '../shared/data', 'reference', 'exports');

  it('accepts each unchanged, respaced, and without its canonical texts, and refuses each tampered one', async () => {
    const names = readdirSync(folder());
    assert.ok(names.length >= 3);
    for (const name of names) {
      const text = readFileSync(join(folder(), name), 'utf8');
      const { public_key, receipt } = JSON.parse(text) as { public_key: string; receipt: Record<string, string> };
      const judge = (document: string): Promise<true | string> => shortVerdict(root.get(), document, public_key);
      assert.equal(await judge(text), true, name);
      const verdict = await verdictOf(root.get(), text, public_key);
      assert.ok(
        typeof verdict !== 'string' && verdict.goal !== null && verdict.request !== null && verdict.result !== null,
        name,
      );
      assert.match(
        `${verdict.kind} ${verdict.review?.at}`,
        /^(?:allocation|forecast|schedule|research) 2026-\d\d-\d\dT[\d:.]+Z$/,
        name,
      );
      const bare = ['canonical_body', 'canonical_result'].reduce(
        (left, member) => left.replace(`"${member}":${JSON.stringify(receipt[member])},`, ''),
        text,
      );
      assert.ok(!bare.includes('canonical_'), name);
      assert.equal(await judge(bare), true, `${name} without canonical texts`);
      const spaced = bare.replace(
        /^\{"public_key":("[0-9a-f]+"),"receipt":(.*),"schema":1\}\s*$/su,
        '{\n "schema" : 1,\n "receipt":$2 ,"public_key": $1}\n',
      );
      assert.notEqual(spaced, bare);
      assert.equal(await judge(spaced), true, `${name} respaced`);
      const request = requestText(text);
      const asked = (own: string): string => text.replace(/,"schema":1\}\s*$/u, () => `,"request": ${own} ,"schema":1}`);
      assert.equal(await judge(asked(request)), true, `${name} with its request`);
      assert.equal(await judge(asked(request.replace('{', '{"surplus":1,'))), 'the request is not the signed one', name);
      assert.equal(await judge(asked('{}')), 'the request is not the signed one', name);
      for (const tampered of [text, bare]) {
        const changed = tampered.replace('"approved":true', '"approved":false');
        assert.notEqual(changed, tampered);
        assert.notEqual(await judge(changed), true, `${name} tampered`);
        assert.notEqual(await judge(tampered.replace('"sequence":', '"sequence":1')), true, `${name} moved`);
      }
    }
  });
});
