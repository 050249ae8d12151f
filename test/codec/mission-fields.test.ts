import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exampleText } from '../../src/app/missions/examples.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { isRefused, type Refusal, unwrap } from '../../src/base/refusal.js';
import { kinds } from '../../src/codec/kinds.js';
import { decode } from '../../src/codec/kit.js';
import { missionRequest } from '../../src/kinds/request.js';
import { fieldCases, levels } from '../support/codec/mission-fields.js';
import { minimal, type Path, shown, without, withValue } from '../support/codec/mission-samples.js';

const sentinel = 'SENTINEL~value';
const ofType = {
  string: sentinel,
  number: 987_654_321.125,
  boolean: true,
  null: null,
  array: [sentinel],
  object: { within: sentinel },
} as const;
const echoed = /SENTINEL|987654321/;

function refusal(document: unknown): Refusal {
  const decoded = decode(missionRequest, document);
  return isRefused(decoded) ? decoded.left : assert.fail('accepted');
}

/** Refused with one fault, at exactly this path, and no word of the input in it. */
function refusedAt(document: unknown, path: string, message?: RegExp): void {
  const { code, errors, detail } = refusal(document);
  assert.equal(code, 'invalid');
  assert.deepEqual(
    errors?.map((e) => e.path),
    [path],
  );
  assert.ok(detail.startsWith(path));
  assert.doesNotMatch(detail, echoed);
  if (message !== undefined) assert.match(errors?.[0]?.message ?? '', message);
}

const valueAt = (document: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], document);

describe('mission: every field', () => {
  for (const { kind, path, type, presence, good, bad } of fieldCases) {
    const at = shown(path);
    const inList = typeof path.at(-1) === 'number';

    describe(`${kind} ${at}`, () => {
      if (!inList) {
        it(presence === 'required' ? 'is required' : 'may be absent', () => {
          const absent = without(minimal(kind), path);
          if (at === 'work.kind') return refusedAt(absent, at, /^must be one of research, /);
          if (presence === 'required') return refusedAt(absent, at, /^required$/);
          const decoded = valueAt(unwrap(decode(missionRequest, absent)), path.slice(0, -1)) as Record<string, unknown>;
          const name = String(path.at(-1));
          if (presence === 'optional') return assert.ok(!Object.hasOwn(decoded, name));
          return assert.deepEqual(decoded[name], presence.fallback);
        });
      }

      for (const [name, value] of Object.entries(ofType)) {
        if (type === 'any' || type.split(' or ').includes(name)) continue;
        it(`refuses to be ${name}`, () => refusedAt(withValue(minimal(kind), path, value), at));
      }

      if (good.length > 0) {
        it('is kept unchanged, at its bounds too', () => {
          for (const value of good) {
            const decoded = unwrap(decode(missionRequest, roomy(withValue(minimal(kind), path, value), path)));
            if (type !== 'array' && type !== 'object') assert.deepEqual(valueAt(decoded, path), value);
            if (type === 'array') assert.equal((valueAt(decoded, path) as unknown[]).length, (value as unknown[]).length);
          }
        });
      }

      if (bad.length > 0) {
        it('is refused outside its bounds', () => {
          for (const value of bad) refusedAt(withValue(minimal(kind), path, value), at === 'work' ? 'work.kind' : at);
        });
      }
    });
  }
});

describe('mission: unknown members', () => {
  for (const [kind, path] of levels) {
    it(`are refused in ${kind} ${shown(path) || 'at the top'}`, () => {
      for (const name of ['surplus', 'Goal', 'id2', '0', 'toString', 'constructor']) {
        refusedAt(withValue(minimal(kind), [...path, name], sentinel), shown([...path, name]), /^unknown member$/);
      }
      const hidden = JSON.parse(`{"__proto__":"${sentinel}"}`) as object;
      const value = Object.defineProperties(
        { ...(valueAt(minimal(kind), path) as object) },
        Object.getOwnPropertyDescriptors(hidden),
      );
      refusedAt(withValue(minimal(kind), path, value), shown([...path, '__proto__']), /^unknown member$/);
    });
  }

  it('include those of another kind', () => {
    refusedAt(withValue(minimal('research'), ['work', 'budget'], 1), 'work.budget', /^unknown member$/);
    refusedAt(withValue(minimal('schedule'), ['work', 'season'], 1), 'work.season', /^unknown member$/);
    refusedAt(withValue(minimal('forecast'), ['work', 'objective'], 'makespan'), 'work.objective', /^unknown member$/);
  });

  it('do not include what an object inherits', () => {
    const inherited = Object.create({ goal: 'inherited' }) as Record<string, unknown>;
    inherited['work'] = minimal('code')['work'];
    refusedAt(inherited, 'goal', /^required$/);
  });
});

/** A season at its bound needs a series of two such seasons beside the holdout. */
function roomy(document: unknown, path: Path): unknown {
  if (path[1] !== 'seasons' && path[1] !== 'season') return document;
  return withValue(
    document,
    ['work', 'observations'],
    Array.from({ length: 24 }, (_, i) => i),
  );
}

describe('mission files: examples', () => {
  for (const kind of kinds) {
    it(`has a valid mission in ${kind}.json that says it is constructed`, () => {
      const mission = unwrap(decode(missionRequest, JSON.parse(exampleText(kind))));
      assert.equal(mission.work.kind, kind);
      assert.match(mission.goal, /constructed for illustration/);
      assert.ok(canonicalJson(mission).length > 800);
      if (mission.work.kind !== 'research') return;
      for (const source of mission.work.sources) assert.match(source.title, /constructed for illustration/);
    });
  }
});
