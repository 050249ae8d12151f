/** Exports of results that the reference agent approved: its own text, under our checkpoint, for anyone with the key. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportText } from '../../src/app/exports/export.js';
import { showMission } from '../../src/app/missions/missions.js';
import type { Home } from '../../src/app/home/home.js';
import { cut } from '../../src/codec/entry.js';
import { readRow } from '../../src/journal/reader.js';
import { allocation, forecasts } from '../engines/reference-cases.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { shortVerdict, verdictOf } from '../support/given-export.js';
import { execute, review, throwsRefusal } from '../support/given-home.js';
import { adopt, forecastWork, requestText, states, type GivenMission } from '../support/given-reference.js';
import { homeForEach, uuidOf } from '../support/temporary-home.js';

const id = uuidOf(7);
const [seasonal] = forecasts;
const forecast: GivenMission = { id, work: forecastWork(seasonal?.work ?? ''), result: seasonal?.plain ?? '' };

describe('exporting what the reference agent approved', () => {
  const homes = homeForEach();
  let home: Home;
  let root: string;
  let key: string;
  const open = (mission: GivenMission, last: 'completed' | 'review' | 'queued' = 'completed'): void => {
    const names = last === 'queued' ? (['queued'] as const) : (['queued', 'running', 'review', last] as const);
    adopt(homes.get(), states(mission, ...names));
    home = homes.get().open();
    key = home.signer.publicKey.toString('hex');
  };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'agent-reference-'));
  });
  afterEach(() => {
    home.close();
    rmSync(root, { recursive: true, force: true });
  });
  const textOf = (): string => exportText(home, id).text;

  it('holds the signed texts unchanged, and a proof', async () => {
    open(forecast);
    const text = textOf();
    const body = readRow(home.db, 5)?.body ?? '';
    assert.ok(text.includes(`"receipt":{"body":${body},"canonical_body":${JSON.stringify(body)},`));
    assert.ok(text.includes(`"canonical_result":${JSON.stringify(forecast.result)}`));
    assert.ok(text.endsWith(`,"request":${requestText(forecast.work)},"schema":1}\n`));
    assert.ok(body.includes('16.0') && cut(text, ['receipt', 'body']) === body);
    const verdict = await verdictOf(root, text, key, { recompute: true });
    assert.ok(typeof verdict === 'object');
    assert.deepEqual([verdict.valid, verdict.mission, verdict.proof?.size, verdict.recomputed], [true, id, 6, null]);
    assert.equal(verdict.reason, 'the result was made by the reference agent');
  });

  it('is valid without its canonical texts, its request and its proof, and not with one character changed', async () => {
    open(forecast);
    const text = textOf();
    const document = JSON.parse(text) as { proof: string; receipt: Record<string, string> };
    const drop = (from: string, name: string, value: string): string => {
      const without = from.replace(`"${name}":${value},`, '');
      assert.notEqual(without, from, name);
      return without;
    };
    const { canonical_body, canonical_result } = document.receipt;
    let bare = drop(text, 'canonical_body', JSON.stringify(canonical_body));
    bare = drop(bare, 'canonical_result', JSON.stringify(canonical_result));
    bare = bare.replace(`,"request":${requestText(forecast.work)},"schema":1}\n`, ',"schema":1}\n');
    assert.equal(bare.split('"request"').length, 2);
    assert.equal(await shortVerdict(root, bare, key), true);
    assert.equal(await shortVerdict(root, drop(bare, 'proof', JSON.stringify(document.proof)), key), true);
    for (const whole of [text, bare]) {
      for (let at = 0; at < whole.length - 1; at += 11) {
        const changed = `${whole.slice(0, at)}${whole[at] === '1' ? '2' : '1'}${whole.slice(at + 1)}`;
        assert.notEqual(await shortVerdict(root, changed, key), true, `character ${at}: ${whole.slice(at - 20, at + 20)}`);
      }
    }
  });

  it('leaves the canonical texts out where they would make it too large', async () => {
    const result = `${(forecast.result ?? '').slice(0, -1)},"zone":"${'é"'.replace('"', '\\"').repeat(300_000)}"}`;
    open({ ...forecast, result });
    const { receipt, request, proof } = JSON.parse(textOf()) as Record<string, Record<string, unknown>>;
    assert.deepEqual([receipt?.['canonical_body'], receipt?.['canonical_result'], request], [undefined, undefined, undefined]);
    assert.equal(typeof proof, 'string');
    assert.equal(await shortVerdict(root, textOf(), key), true);
  });

  it('is refused when even that is too large, and before an approval', () => {
    const result = `${(forecast.result ?? '').slice(0, -1)},"zone":"${'x'.repeat(2_100_000)}"}`;
    open({ ...forecast, result });
    throwsRefusal(() => exportText(home, id), 'too_large');
    home.close();
    open(forecast, 'review');
    throwsRefusal(() => exportText(home, id), 'wrong_state');
  });

  it('returns an export of ours when it was approved here, with the request as this program reads it', async () => {
    open(forecast, 'review');
    await review(home, showMission(home, id));
    const verdict = await verdictOf(root, textOf(), key, { recompute: true });
    assert.ok(typeof verdict === 'object');
    assert.deepEqual([verdict.valid, verdict.recomputed], [true, null]);
    assert.match(verdict.reason ?? '', /made by reference schema-1/);
    const { request } = JSON.parse(textOf()) as { request: { work: Record<string, unknown> } };
    assert.deepEqual(request.work['levels'], [50, 80, 95]);
  });

  it('returns an export that is recomputed when it was executed here', async () => {
    open({ id, work: canonicalJson(allocation.work) }, 'queued');
    await review(home, await execute(home, id));
    const verdict = await verdictOf(root, textOf(), key, { recompute: true });
    assert.ok(typeof verdict === 'object');
    assert.deepEqual([verdict.valid, verdict.recomputed, verdict.reason], [true, true, null]);
  });
});
