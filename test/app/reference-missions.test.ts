/** Missions that the reference agent left behind, in a home of ours: executed by our engines, seeding later ones. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exportText, isPythonDivergent } from '../../src/app/exports/export.js';
import type { Home } from '../../src/app/home/home.js';
import { cancelMission, listPage, recoverMission, showMission } from '../../src/app/missions/missions.js';
import { requireMission, requireRequest } from '../../src/app/missions/record.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { type JsonNode, parseJsonNode } from '../../src/base/json.js';
import { unwrap } from '../../src/base/refusal.js';
import { canonicalText } from '../../src/codec/canonical.js';
import { cut } from '../../src/codec/entry.js';
import { decode } from '../../src/codec/kit.js';
import { entriesOfStream, readRow } from '../../src/journal/reader.js';
import { helpAfter } from '../../src/domain/mission.js';
import { verifyReference } from '../../src/kinds/reference.js';
import { missionRequest } from '../../src/kinds/request.js';
import type { Work } from '../../src/kinds/works.js';
import { allocation, forecasts } from '../engines/reference-cases.js';
import { adoptedHomes, completion, given, id, isWhole } from '../support/app/adopted-homes.js';
import { shortVerdict, verdictOf } from '../support/app/given-export.js';
import {
  actor,
  answered,
  execute,
  fakeEngine,
  produced,
  queued,
  rejectsRefusal,
  review,
  run,
  throwsRefusal,
} from '../support/app/given-home.js';
import { adopt, forecastWork, type GivenMission, goal, requestText, states } from '../support/app/given-reference.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { homeForEach, uuidOf } from '../support/app/temporary-home.js';
import { refused } from '../support/refused.js';

describe('continuing missions of the reference agent', () => {
  const { homeWith, clock } = adoptedHomes();
  const approve = async (home: Home): Promise<void> => {
    const made = await execute(home, id);
    assert.deepEqual([made.state, made.engine?.name === 'reference'], ['review', false]);
    await review(home, made);
    const signed = completion(home);
    assert.equal(signed.source_result_hash, undefined);
    assert.equal(
      signed.request_hash,
      sha256Hex(canonicalText(missionRequest, requireRequest(home.db, requireMission(home.db, id)))),
    );
    await isWhole(home);
  };

  it('executes a queued one with our engine', async () => {
    await approve(homeWith(states(given.forecast, 'queued')));
  });

  it('recovers a failed one, and one that was left running, before it is executed', async () => {
    for (const last of ['failed', 'running'] as const) {
      const home = homeWith(states(given.allocation, 'queued', 'running', last));
      clock().now = Date.parse('2027-01-01T00:00:00Z');
      await rejectsRefusal(execute(home, id), 'wrong_state');
      assert.deepEqual([(await recoverMission(home, id, actor)).attempt, showMission(home, id).state], [2, 'queued']);
      await approve(home);
    }
  });

  it('shows stages with the times of their entries, attempts, and what failed', () => {
    const home = homeWith(states(given.forecast, 'queued', 'running', 'failed', 'queued again', 'running', 'review'));
    const entries = entriesOfStream(home.db, id);
    const seen = showMission(home, id);
    assert.equal(seen.attempt, 2);
    assert.deepEqual(
      seen.stages.map(({ role, at }) => [role, at]),
      [
        ['planning', entries[4]?.time],
        ['safety', entries[5]?.time],
      ],
    );
    assert.deepEqual(seen.verification, { passed: true, checks: ['seen'], failure: null });
    const failed = showMission(homeWith(states(given.forecast, 'queued', 'running', 'failed')), id);
    assert.deepEqual(failed.error, { code: 'reference_failed', message: 'no answer', stage: 'strategy' });
    assert.equal(helpAfter(failed), `agent-cli recover ${id}`);
  });

  it('refuses an input that is not valid here before a lease, and still shows, lists and cancels it', async () => {
    const home = homeWith(
      states({ ...given.forecast, work: given.forecast.work.replace('"season":4', '"season":"x"') }, 'queued'),
    );
    const { revision } = showMission(home, id);
    await assert.rejects(() => execute(home, id), refused('wrong_state', /input of mission \S+ is not valid in this version/));
    assert.equal(showMission(home, id).revision, revision, 'no lease was taken');
    assert.deepEqual(
      listPage(home, {}).items.map((item) => [item.id, item.goal]),
      [[id, goal]],
    );
    assert.equal((await cancelMission(home, id, actor)).state, 'failed');
  });

  it('does not execute an altered request', async () => {
    const home = homeWith(states({ ...given.forecast, request_hash: 'a'.repeat(64) }, 'queued'));
    await assert.rejects(() => execute(home, id), refused('integrity'));
  });

  it('returns the same mission for the same input under its id, with or without defaults, and refuses another input', async () => {
    const home = homeWith(states(given.forecast, 'queued'));
    const input = JSON.parse(requestText(given.forecast.work)) as { work: Record<string, unknown> };
    const { revision } = showMission(home, id);
    assert.equal((await queued(home, input, id)).revision, revision);
    const { goal: asked, work } = input as { goal?: string; work: unknown };
    assert.equal((await queued(home, { goal: asked, work }, id)).revision, revision);
    await rejectsRefusal(run(home, { ...input, seed: 43 }, id), 'request_id_reused');
    await rejectsRefusal(run(home, { ...input, work: { ...input.work, horizon: 9 } }, id), 'request_id_reused');
  });

  it('reads a forecast without season as that agent did, also where a repeat is read with the default of this program', async () => {
    const work = given.forecast.work.replace(/,"season":4/, '');
    assert.ok(!work.includes('season'));
    const home = homeWith(states({ ...given.forecast, work }, 'queued'));
    const input = JSON.parse(requestText(work)) as { work: Record<string, unknown> };
    const seasonOf = (mission: string): unknown =>
      (requireRequest(home.db, requireMission(home.db, mission)).work as { season: unknown }).season;
    assert.equal(seasonOf(id), 1);
    const { revision } = showMission(home, id);
    for (const repeat of [input, { ...input, work: { ...input.work, season: 1 } }])
      assert.equal((await queued(home, repeat, id)).revision, revision);
    await rejectsRefusal(run(home, { ...input, work: { ...input.work, season: 2 } }, id), 'request_id_reused');
    assert.equal(seasonOf((await queued(home, input)).id), 'auto');
    await approve(home);
  });

  it('seeds a later search with an approved one that has the same ids, approved there or here', async () => {
    const sequence = [0, 2, 0, 1, 2];
    for (const [mission, warm_start] of [
      [given.allocation, { selected: ['roof', 'door'] }],
      [given.schedule, { sequence }],
    ] as const) {
      for (const last of ['completed', 'review'] as const) {
        const home = homeWith(states(mission, 'queued', 'running', 'review', ...(last === 'review' ? [] : [last])));
        if (last === 'review') await review(home, showMission(home, id));
        const made = await execute(home, (await queued(home, JSON.parse(requestText(mission.work)))).id);
        assert.deepEqual([made.state, made.parent, made.parent_digest], ['review', id, showMission(home, id).result_hash]);
        const entry = entriesOfStream(home.db, made.id).at(-1)?.event;
        assert.deepEqual(entry?.type === 'mission.produced' && entry.document.warm_start, warm_start);
        assert.equal((await review(home, made)).state, 'completed');
      }
    }
  });

  it('seeds no search with a result that breaks the rules, whoever approved it', async () => {
    const text = given.allocation.result?.replace('"value":13', '"value":14') ?? '';
    const home = homeWith(states({ ...given.allocation, result: text }, 'queued', 'running', 'review', 'completed'));
    const made = await execute(home, (await queued(home, JSON.parse(requestText(given.allocation.work)))).id);
    const entry = entriesOfStream(home.db, made.id).at(-1)?.event;
    assert.equal(entry?.type === 'mission.produced' && entry.document.warm_start, null);
  });
});

const exported = uuidOf(7);
const [seasonal] = forecasts;
const forecast: GivenMission = { id: exported, work: forecastWork(seasonal?.work ?? ''), result: seasonal?.plain ?? '' };

describe('exporting what the reference agent approved', () => {
  const homes = homeForEach();
  let home: Home;
  let key: string;
  const open = (mission: GivenMission, last: 'completed' | 'review' | 'queued' = 'completed'): void => {
    const names = last === 'queued' ? (['queued'] as const) : (['queued', 'running', 'review', last] as const);
    adopt(homes.get(), states(mission, ...names));
    home = homes.get().open();
    key = home.signer.publicKey.toString('hex');
  };
  afterEach(() => home.close());
  const textOf = (): string => exportText(home, exported).text;

  it('holds the signed texts unchanged, and a proof', async () => {
    open(forecast);
    const text = textOf();
    const body = readRow(home.db, 5)?.body ?? '';
    assert.ok(text.includes(`"receipt":{"body":${body},"canonical_body":${JSON.stringify(body)},`));
    assert.ok(text.includes(`"canonical_result":${JSON.stringify(forecast.result)}`));
    assert.ok(text.endsWith(`,"request":${requestText(forecast.work)},"schema":1}\n`));
    assert.ok(body.includes('16.0') && cut(text, ['receipt', 'body']) === body);
    const verdict = await verdictOf(homes.get().root, text, key, { recompute: undefined });
    assert.ok(typeof verdict === 'object');
    assert.deepEqual([verdict.valid, verdict.mission, verdict.proof?.size, verdict.recomputed], [true, exported, 6, null]);
    assert.equal(verdict.reason, 'not recomputed: the result was made by the reference agent');
  });

  it('is valid without its canonical texts, its request and its proof, and not with one character changed', async () => {
    open(forecast);
    const text = textOf();
    const document = JSON.parse(text) as { proof: string; newest: string; receipt: Record<string, string> };
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
    assert.equal(await shortVerdict(homes.get().root, bare, key), true);
    // The note of the newest entry is of the proof's checkpoint.
    const unproven = drop(drop(bare, 'proof', JSON.stringify(document.proof)), 'newest', JSON.stringify(document.newest));
    assert.equal(await shortVerdict(homes.get().root, unproven, key), true);
    for (const whole of [text, bare]) {
      for (let at = 0; at < whole.length - 1; at += 11) {
        const changed = `${whole.slice(0, at)}${whole[at] === '1' ? '2' : '1'}${whole.slice(at + 1)}`;
        assert.notEqual(
          await shortVerdict(homes.get().root, changed, key),
          true,
          `character ${at}: ${whole.slice(at - 20, at + 20)}`,
        );
      }
    }
  });

  it('leaves the canonical texts out where they would make it too large', async () => {
    const result = `${(forecast.result ?? '').slice(0, -1)},"zone":"${'é"'.replace('"', '\\"').repeat(300_000)}"}`;
    open({ ...forecast, result });
    const { receipt, request, proof } = JSON.parse(textOf()) as Record<string, Record<string, unknown>>;
    assert.deepEqual([receipt?.['canonical_body'], receipt?.['canonical_result'], request], [undefined, undefined, undefined]);
    assert.equal(typeof proof, 'string');
    assert.equal(await shortVerdict(homes.get().root, textOf(), key), true);
  });

  it('is refused when even that is too large, and before an approval', () => {
    const result = `${(forecast.result ?? '').slice(0, -1)},"zone":"${'x'.repeat(2_100_000)}"}`;
    open({ ...forecast, result });
    throwsRefusal(() => exportText(home, exported), 'too_large');
    home.close();
    open(forecast, 'review');
    throwsRefusal(() => exportText(home, exported), 'wrong_state');
  });

  it('returns an export of ours when it was approved here, with the request as this program reads it', async () => {
    open(forecast, 'review');
    await review(home, showMission(home, exported));
    const verdict = await verdictOf(homes.get().root, textOf(), key, { recompute: undefined });
    assert.ok(typeof verdict === 'object');
    assert.deepEqual([verdict.valid, verdict.recomputed], [true, null]);
    assert.match(verdict.reason ?? '', /made by reference schema-1/);
    const { request } = JSON.parse(textOf()) as { request: { work: Record<string, unknown> } };
    assert.deepEqual(request.work['levels'], [50, 80, 95]);
  });

  it('returns an export that is recomputed when it was executed here', async () => {
    open({ id: exported, work: canonicalJson(allocation.work) }, 'queued');
    await review(home, await execute(home, exported));
    const verdict = await verdictOf(homes.get().root, textOf(), key, { recompute: true });
    assert.ok(typeof verdict === 'object');
    assert.deepEqual([verdict.valid, verdict.recomputed, verdict.reason], [true, true, null]);
  });
});

const folder = resolve(
  packageRoot(import.meta.url),
  process.env['AGENT_TEST_DATA'] ?? join('..', 'shared', 'data'),
  'reference',
  'exports',
);

const parse = (text: string): JsonNode => unwrap(parseJsonNode(text, { bigIntegers: 'round' }));
const faultOf = (work: Work, text: string): string | null => verifyReference(work, { node: parse(text), text }).failure;

/** Members that no rule looks at. */
const uncovered: Readonly<Record<string, readonly string[]>> = {
  allocation: ['pareto', 'baseline_value', 'improvement', 'optimal_value', 'evaluations'],
  schedule: ['baseline_makespan', 'improvement', 'evaluations'],
  forecast: [],
};

function* numbers(node: JsonNode): Generator<JsonNode> {
  if (typeof node.value === 'number') yield node;
  for (const inner of node.members?.values() ?? node.items ?? []) yield* numbers(inner);
}

real('test-data', 'results of the reference agent', () => {
  it('keeps the rules of the reference agent, and breaks them when any number is changed', () => {
    const names = readdirSync(folder);
    assert.ok(names.length >= 3);
    for (const name of names) {
      const text = readFileSync(join(folder, name), 'utf8');
      const [request, result] = ['request', 'result'].map((member) => cut(text, ['receipt', 'body', 'document', member]) ?? '');
      const { work } = unwrap(decode(missionRequest, parse(request ?? '').value));
      assert.equal(faultOf(work, result ?? ''), null, name);
      let changes = 0;
      for (const [member, node] of parse(result ?? '').members ?? []) {
        if (uncovered[work.kind]?.includes(member)) continue;
        for (const { value, start, end } of numbers(node)) {
          const changed = `${result?.slice(0, start)}${Number(value) + 1}${result?.slice(end)}`;
          assert.notEqual(faultOf(work, changed), null, `${name}: ${member} at ${start}`);
          changes++;
        }
      }
      assert.ok(changes >= 3, `${name}: ${changes} numbers`);
    }
  });
});

/** As ECMAScript prints them (RFC 8785) and as `json.dumps` of Python 3 prints the value that it reads from that text. */
const pairs: readonly (readonly [string, string])[] = [
  ['0.0001', '0.0001'],
  ['0.000099', '9.9e-05'],
  ['0.00001', '1e-05'],
  ['0.000001', '1e-06'],
  ['1e-7', '1e-07'],
  ['1.5e-9', '1.5e-09'],
  ['1e-9', '1e-09'],
  ['9.5e-10', '9.5e-10'],
  ['1e-10', '1e-10'],
  ['5e-324', '5e-324'],
  ['0', '0'],
  ['0.1', '0.1'],
  ['10000000000000000', '10000000000000000'],
  ['123456789012345680000', '123456789012345680000'],
  ['1e+21', '1e+21'],
  ['1.7976931348623157e+308', '1.7976931348623157e+308'],
];

describe('numbers that Python prints otherwise', () => {
  const homes = homeForEach();

  it('are found by their size alone', () => {
    for (const [ours, python] of pairs) {
      assert.equal(String(Number(ours)), ours);
      for (const sign of [1, -1]) assert.equal(isPythonDivergent(sign * Number(ours)), ours !== python, ours);
    }
  });

  homes.it('are named at export, which still holds', async (home) => {
    for (const [value, warnings] of [
      [0.000_05, 1],
      [0.5, 0],
    ] as const) {
      const engine = fakeEngine(() => answered({ value }));
      const made = await produced(home, undefined, engine);
      await review(home, made, { runEngine: engine });
      assert.equal(exportText(home, made.id).warnings.length, warnings);
    }
  });
});
