/** Verifying our exports: every single change is noticed, the reference's rules hold, recomputation and other checkpoints agree. */
import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex, toBase64 } from '../../src/base/bytes.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { exportMission, exportText } from '../../src/app/exports/export.js';
import { pause } from '../../src/app/control/control.js';
import { eraseMission } from '../../src/app/missions/missions.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { signNote } from '../../src/journal/note.js';
import { event, documents } from '../support/codec/given-events.js';
import { shortVerdict, verdictOf } from '../support/app/given-export.js';
import {
  actor,
  completed,
  fakeEngine,
  produced,
  research,
  review,
  schedule,
  throwsRefusal,
  execute,
} from '../support/app/given-home.js';
import { temporaryHome, uuidOf, type TemporaryHome, folderForEach, homeForEach } from '../support/app/temporary-home.js';
import { model_id } from '../../src/kinds/research/constants.js';
import { good, queuedFor } from '../support/provider/given-provider.js';
import { answers, withProvider } from '../support/provider/provider-server.js';
import { signedExport, signer } from '../support/app/signed-export.js';

interface Exported {
  readonly newest?: string;
  readonly proof: string;
  readonly receipt: {
    readonly body: {
      readonly document: Readonly<Record<string, unknown>>;
      readonly identity: string;
      readonly mission: string;
      readonly sequence: number;
    };
    readonly canonical_body: string;
    readonly canonical_result: string;
    readonly hash: string;
    readonly signature: string;
  };
  readonly public_key: string;
}

describe('verifying an export of ours', function () {
  let homes: TemporaryHome;
  let key: string;
  let text: string;
  let child: string;

  before(async () => {
    homes = temporaryHome();
    key = homes.report.public_key;
    const home = homes.open();
    await completed(home, schedule('first'));
    child = (await completed(home, schedule('second'))).id;
    text = exportText(home, child).text;
    home.close();
  });
  after(() => homes.remove());

  const judge = (document: unknown): Promise<true | string> =>
    shortVerdict(homes.root, typeof document === 'string' ? document : JSON.stringify(document), key);
  const parsed = (): Exported => JSON.parse(text) as Exported;

  it('is valid unchanged, with other spacing, and in another order of members', async () => {
    const verdict = await verdictOf(homes.root, text, key);
    assert.ok(typeof verdict === 'object');
    assert.deepEqual([verdict.valid, verdict.mission, verdict.recomputed, verdict.against], [true, child, null, null]);
    assert.equal(verdict.proof?.size, 23);
    assert.equal(await judge(JSON.stringify(parsed(), null, 2)), true);
    const reversed = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([k, v]) => [k, reversed(v)]),
          );
    assert.notEqual(JSON.stringify(reversed(parsed())), JSON.stringify(parsed()));
    assert.equal(await judge(reversed(parsed())), true);
  });

  it('holds by the rules of the reference agent, checked with nothing of ours', () => {
    const { receipt, public_key } = parsed();
    const sha256 = (data: string): string => createHash('sha256').update(data).digest('hex');
    assert.equal(sha256(receipt.canonical_body), receipt.hash);
    const prefix = Buffer.from('302a300506032b6570032100', 'hex');
    const spki = createPublicKey({ key: Buffer.concat([prefix, Buffer.from(public_key, 'hex')]), format: 'der', type: 'spki' });
    assert.ok(verify(null, Buffer.from(receipt.hash, 'hex'), spki, Buffer.from(receipt.signature, 'base64')));
    assert.deepEqual(JSON.parse(receipt.canonical_body), receipt.body);
    const { document, identity } = receipt.body;
    const decision = document['review'] as Readonly<Record<string, unknown>>;
    assert.equal(identity, `urn:agialpha:ed25519:${public_key}`);
    assert.deepEqual([document['state'], decision['approved']], ['completed', true]);
    assert.equal(decision['result_hash'], sha256(receipt.canonical_result));
    assert.deepEqual(JSON.parse(receipt.canonical_result), document['result']);
  });

  it('is canonical JSON and a newline, and holds the warm start in full', () => {
    assert.equal(`${canonicalJson(parsed())}\n`, text);
    assert.deepEqual(Object.keys(parsed()), ['newest', 'proof', 'public_key', 'receipt', 'request', 'schema']);
    assert.notEqual(parsed().receipt.body.document['warm_start'], null);
  });

  it('says that the entry is the newest of its mission, in a note that names the checkpoint of the proof', async () => {
    const verdict = await verdictOf(homes.root, text, key);
    const { newest = '', proof, receipt } = parsed();
    const [use, origin, size, root, stream, sequence, hash, count, ...end] = newest.split('\n');
    const { mission, sequence: own } = receipt.body;
    assert.deepEqual([use, stream, sequence, hash], ['agent-newest/1', mission, String(own), receipt.hash]);
    assert.deepEqual(
      proof
        .slice(proof.indexOf('\n\n') + 2)
        .split('\n')
        .slice(0, 3),
      [origin, size, root],
    );
    assert.equal(end.length, 3);
    homes.with(({ db }) => {
      const rows = db.prepare<[string], number>('SELECT count(*) FROM events WHERE mission = ?').pluck().get(child);
      assert.deepEqual([typeof verdict === 'object' ? verdict.newest : null, Number(count)], [{ count: rows }, rows]);
    });
  });

  it('refutes a note of another entry, checkpoint, key, use or count, and takes an export without one', async () => {
    const { newest, ...without } = parsed();
    assert.equal(await judge(without), true);
    const { signer } = homes.with((home) => home);
    const lines = (newest ?? '').split('\n').slice(0, 8);
    const origin = lines[1] ?? '';
    const signed = (at: number, value: string, by = signer): string =>
      signNote(by, at === 1 ? value : origin, `${lines.with(at, value).join('\n')}\n`);
    const stranger = signerFromSeed(Buffer.alloc(32, 5));
    assert.equal(await judge({ ...without, newest: signed(0, lines[0] ?? '') }), true);
    const others = [
      signed(0, 'agent-newest/2'),
      signed(0, lines[0] ?? '', stranger),
      signed(1, `${origin}/00000000`),
      signed(2, '24'),
      signed(3, toBase64(Buffer.alloc(32))),
      signed(4, uuidOf(7)),
      signed(5, '1'),
      signed(6, 'ab'.repeat(32)),
      ...['0', '-1', '24', '011', '1.0', '1e1', '', '11 '].map((count) => signed(7, count)),
      signed(7, '11\nmore'),
      '',
      'agent-newest/1\n',
    ];
    for (const other of others) {
      const answer = await judge({ ...without, newest: other });
      assert.match(String(answer), /^the note of the newest entry is not one of this entry/, other);
    }
  });

  it('has no note where another entry follows on the mission, or nothing can be signed', () => {
    const copy = homes.copy();
    copy.with((home) => {
      assert.equal(
        'newest' in
          (JSON.parse(exportText({ ...home, unwritable: { code: 'not_writable', detail: 'read-only' } }, child).text) as object),
        false,
      );
      home.writer.transact((tx) => tx.append(child, event('mission.staged')));
      assert.equal('newest' in (JSON.parse(exportText(home, child).text) as object), false);
    });
    copy.remove();
  });

  it('is refused under another key, with a duplicate member, or when it is no JSON', async () => {
    assert.equal(await shortVerdict(homes.root, text, 'ab'.repeat(32)), 'the file names another public key');
    assert.equal(await shortVerdict(homes.root, text, key.toUpperCase()), 'invalid');
    assert.equal(await judge(text.replace('"schema":1}', '"schema":1,"schema":1}')), 'malformed');
    for (const other of ['', '{', `${text}{}`, '[]', `\ufeff${text}`])
      assert.notEqual(await judge(other), true, other.slice(0, 9));
  });

  it('recomputes the same result, and reports a result that the engine does not return', async () => {
    const verdict = await verdictOf(homes.root, text, key, { recompute: true });
    assert.ok(typeof verdict === 'object');
    assert.deepEqual([verdict.valid, verdict.recomputed, verdict.reason], [true, true, null]);
    const home = homes.open();
    const made = await produced(home, schedule('fake', ['x']));
    await review(home, made, { runEngine: fakeEngine() });
    const fake = exportText(home, made.id).text;
    home.close();
    const again = await verdictOf(homes.root, fake, key, { recompute: true });
    assert.ok(typeof again === 'object');
    assert.deepEqual([again.valid, again.recomputed, again.reason], [false, false, 'the engine gives another result']);
  });

  it('is written for completed missions only, to a new file, also while paused, and not after erasure', async () => {
    const home = homes.open();
    const output = join(homes.root, 'out.json');
    const report = exportMission(home, child, output);
    const written = readFileSync(output, 'utf8');
    assert.equal(report.sha256, createHash('sha256').update(written).digest('hex'));
    assert.throws(() => exportMission(home, child, output), /exists/);
    assert.equal(readFileSync(output, 'utf8'), written);
    const made = await produced(home, research(), 'real');
    throwsRefusal(() => exportText(home, made.id), 'wrong_state');
    await review(home, made);
    await pause(home, actor);
    assert.equal(await judge(exportText(home, made.id).text), true);
    await eraseMission(home, made.id, 'asked to', actor);
    throwsRefusal(() => exportText(home, made.id), 'wrong_state');
    home.close();
  });
});

interface Result {
  readonly findings: readonly Readonly<Record<string, unknown>>[];
  readonly inference: Readonly<Record<string, unknown>>;
}

describe('verifying an export of findings that a language model proposed', () => {
  const homes = homeForEach();
  const folder = folderForEach();

  /** Returns the text of an approved export, and its result. */
  const exported = (): Promise<{ readonly text: string; readonly result: Result }> =>
    homes.get().with((home) =>
      withProvider({ chat: answers({ findings: good }) }, async ({ url }) => {
        const { id } = await queuedFor(home, url);
        const { result } = await review(home, await execute(home, id));
        return { text: exportText(home, id).text, result: result as Result };
      }),
    );

  /** Returns the verdict on the same request with another result, which the key of the home signed. */
  async function judged(text: string, result: object): Promise<readonly unknown[]> {
    const { request } = JSON.parse(text) as { readonly request: Readonly<Record<string, unknown>> };
    const document = {
      result,
      kind: 'research',
      goal: request['goal'],
      request_hash: sha256Hex(canonicalJson(request)),
      review: { ...documents['mission.completed'].review, result_hash: sha256Hex(canonicalJson(result)) },
      engine: model_id,
      effort: { max_evaluations: 10_000, iterations: null },
    };
    const forged = JSON.stringify({ ...signedExport({ document }), request });
    const verdict = await verdictOf(folder.get(), forged, signer.publicKey.toString('hex'), { recompute: true });
    assert.ok(typeof verdict !== 'string');
    return [verdict.valid, verdict.recomputed, verdict.reason];
  }

  it('is valid and not recomputed', async () => {
    const { text, result } = await exported();
    const key = homes.get().report.public_key;
    const verdict = await verdictOf(folder.get(), text, key, { recompute: true });
    assert.ok(typeof verdict !== 'string');
    const reason =
      'not recomputed: a language model proposed the findings; their quotes and the hash of its request were checked';
    assert.deepEqual([verdict.valid, verdict.recomputed, verdict.reason], [true, null, reason]);
    assert.deepEqual(await judged(text, result), [true, null, reason]);
  });

  it('is refuted with an altered quote, or the record of another request, whoever signed it', async () => {
    const { text, result } = await exported();
    const [first, ...others] = result.findings;
    const altered = { ...result, findings: [{ ...first, quote: 'High water is at Six.' }, ...others] };
    assert.deepEqual(await judged(text, altered), [
      false,
      false,
      'the result of a language model fails its checks: findings[0].quote is not in its source word for word, at the recorded place',
    ]);
    const other = { ...result, inference: { ...result.inference, model: 'large' } };
    assert.deepEqual(await judged(text, other), [
      false,
      false,
      'the result of a language model fails its checks: inference.request_hash is not that of the request for this mission',
    ]);
  });
});
