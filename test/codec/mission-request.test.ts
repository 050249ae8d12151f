import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exampleText } from '../../src/app/missions/examples.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { type FieldError, isRefused, type Refusal, unwrap } from '../../src/base/refusal.js';
import { decode } from '../../src/codec/kit.js';
import { kinds } from '../../src/codec/kinds.js';
import { missionRequest } from '../../src/kinds/request.js';
import { fieldCases, levels } from '../support/codec/mission-fields.js';
import { minimal, type Path, shown, without, withValue } from '../support/codec/mission-samples.js';
import { membersOf } from '../support/lists.js';

const times = <A>(count: number, make: (i: number) => A): A[] => Array.from({ length: count }, (_, i) => make(i));
const mission = (work: Record<string, unknown>): unknown => ({ goal: 'try', work });
const accepted = (document: unknown): void => void unwrap(decode(missionRequest, document));

function refusal(document: unknown): Refusal {
  const decoded = decode(missionRequest, document);
  return isRefused(decoded) ? decoded.left : assert.fail('accepted');
}
const refused = (document: unknown, ...errors: readonly FieldError[]): void => assert.deepEqual(refusal(document).errors, errors);

describe('mission: defaults', () => {
  const filled: Readonly<Record<string, unknown>> = {
    research: { kind: 'research', sources: [{ id: 's1', title: 'Tide tables', text: 'High water is at six.', url: '' }] },
    allocation: {
      kind: 'allocation',
      items: ['a', 'b'].map((id) => ({ id, cost: 1, value: 1, risk: 0 })),
      budget: 1,
      unit: 'planning units',
    },
    schedule: {
      kind: 'schedule',
      jobs: [{ id: 'j1', operations: [{ machine: 'm1', duration: 1 }], release: 0, weight: 1 }],
      objective: 'makespan',
      unit: 'minutes',
    },
    forecast: {
      kind: 'forecast',
      observations: times(12, (i) => i),
      horizon: 3,
      holdout: 4,
      season: 'auto',
      levels: [50, 80, 95],
      unit: 'units',
      start: null,
      step: null,
    },
    code: { kind: 'code', language: 'python', examples: [], heldout: [{ args: [], expected: 0 }], candidate: '' },
  };
  for (const kind of kinds) {
    it(`are filled in for ${kind}, and decoding again changes nothing`, () => {
      const decoded = unwrap(decode(missionRequest, minimal(kind)));
      assert.deepEqual(decoded, { goal: 'try', work: filled[kind], seed: 42, population: 20, generations: 12 });
      assert.deepEqual(unwrap(decode(missionRequest, decoded)), decoded);
    });
  }
});

describe('mission: the document', () => {
  it('has all its faults named at once, in order', () => {
    const document = { work: { kind: 'allocation', items: [{ id: 'a', cost: '1', value: 1 }], surplus: 1 }, seed: -1, other: 1 };
    const { errors, detail } = refusal(document);
    assert.deepEqual(
      errors?.map((e) => e.path),
      ['other', 'goal', 'work.surplus', 'work.items[0].cost', 'work.budget', 'seed'],
    );
    assert.equal(detail, 'other: unknown member (and 5 more)');
  });

  it('has at most twenty faults listed, and all counted', () => {
    const { errors, detail } = refusal(withValue(minimal('forecast'), ['work', 'observations'], Array<string>(30).fill('1')));
    assert.equal(errors?.length, 20);
    assert.match(detail, / \(and 29 more\)$/);
  });

  it('may be as wrong as a body can be: a quarter of a million faults are a refusal', () => {
    const items = times(125, (i) => ({ id: `i${i}`, cost: 1, value: 1, requires: Array<number>(2000).fill(0) }));
    assert.match(refusal(mission({ kind: 'allocation', budget: 1, items })).detail, /\(and 249999 more\)$/);
    const surplus = Object.fromEntries(times(150_000, (i) => [`m${i}`, 0]));
    assert.match(refusal(mission({ ...surplus, kind: 'code' })).detail, /\(and 150000 more\)$/);
  });

  it('never throws and never repeats a value, whatever a field contains', () => {
    const marked = fc.string().map((text) => `SENTINEL${text}`);
    const anything = fc.oneof(
      marked,
      fc.jsonValue(),
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...fieldCases), anything, ({ kind, path }, value) => {
        const decoded = decode(missionRequest, withValue(minimal(kind), path, value));
        if (isRefused(decoded)) assert.doesNotMatch(JSON.stringify(decoded.left), /SENTINEL/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('mission: ids', () => {
  const documents = {
    sources: (ids: readonly string[]) => mission({ kind: 'research', sources: ids.map((id) => ({ id, title: 't', text: 't' })) }),
    items: (ids: readonly string[]) =>
      mission({ kind: 'allocation', budget: 1, items: ids.map((id) => ({ id, cost: 1, value: 1 })) }),
    jobs: (ids: readonly string[]) =>
      mission({ kind: 'schedule', jobs: ids.map((id) => ({ id, operations: [{ machine: 'm', duration: 1 }] })) }),
  };
  for (const [member, make] of Object.entries(documents)) {
    it(`are unique for ${member}, and every repetition is reported`, () => {
      const message = 'is used twice in this mission';
      refused(
        make(['x', 'y', 'x', 'z', 'x']),
        { path: `work.${member}[2].id`, message },
        { path: `work.${member}[4].id`, message },
      );
    });
    it(`are distinct for ${member} when they differ by case or are names of prototypes`, () => {
      accepted(make(['ab', 'Ab', 'aB', 'AB', 'constructor', '__proto__', 'toString']));
    });
  }

  it('may repeat for machines and groups', () => {
    const operations = times(3, () => ({ machine: 'm', duration: 1 }));
    accepted(mission({ kind: 'schedule', jobs: [{ id: 'm', operations }] }));
    accepted(mission({ kind: 'allocation', budget: 1, items: ['a', 'b'].map((id) => ({ id, cost: 1, value: 1, group: 'a' })) }));
  });
});

describe('mission: allocation links', () => {
  const linked = (links: Record<string, unknown>): unknown =>
    mission({
      kind: 'allocation',
      budget: 1,
      items: [
        { id: 'a', cost: 1, value: 1 },
        { id: 'b', cost: 1, value: 1, ...links },
      ],
    });
  for (const member of ['requires', 'excludes']) {
    const path = `work.items[1].${member}`;
    it(`accept in ${member} items of the mission, before or after`, () => {
      accepted(linked({ [member]: ['a'] }));
      accepted(withValue(linked({}), ['work', 'items', 0, member], ['b']));
    });
    it(`refuse in ${member} an unknown item, one of another case, and the item itself`, () => {
      const unknown = 'names no item of this mission';
      refused(linked({ [member]: ['a', 'c'] }), { path: `${path}[1]`, message: unknown });
      refused(linked({ [member]: ['A'] }), { path: `${path}[0]`, message: unknown });
      refused(linked({ [member]: ['b'] }), { path: `${path}[0]`, message: 'names the item itself' });
      refused(linked({ [member]: ['constructor'] }), { path: `${path}[0]`, message: unknown });
    });
  }
});

describe('mission: schedule rules', () => {
  const jobs = (counts: readonly number[]): unknown =>
    mission({
      kind: 'schedule',
      jobs: counts.map((count, i) => ({ id: `j${i}`, operations: times(count, () => ({ machine: 'm', duration: 1 })) })),
    });

  it('accept 4000 operations in all and refuse 4001', () => {
    const full = Array<number>(80).fill(50);
    accepted(jobs(full));
    const [error, ...rest] = refusal(jobs([...full, 1])).errors ?? [];
    assert.equal(rest.length, 0);
    assert.equal(error?.path, 'work.jobs');
    assert.match(error?.message ?? '', /4001 operations/);
  });

  it('require a due date for weighted tardiness', () => {
    const objective = 'weighted_tardiness';
    const document = withValue(jobs([1, 2]), ['work', 'objective'], objective);
    assert.deepEqual(membersOf(refusal(document).errors ?? [], 'path'), ['work.objective']);
    accepted(withValue(document, ['work', 'jobs', 1, 'due'], 0));
  });
});

describe('mission: forecast rules', () => {
  const series = (count: number, more: Record<string, unknown>): unknown =>
    mission({ kind: 'forecast', observations: times(count, (i) => i), ...more });
  const path = (document: unknown): (string | undefined)[] => (refusal(document).errors ?? []).map((e) => e.path);

  it('hold out at most a third', () => {
    accepted(series(12, { holdout: 4 }));
    accepted(series(14, { holdout: 4 }));
    accepted(series(3000, { holdout: 1000 }));
    assert.deepEqual(path(series(12, { holdout: 5 })), ['work.holdout']);
    assert.deepEqual(path(series(14, { holdout: 5 })), ['work.holdout']);
    assert.deepEqual(path(series(2999, { holdout: 1000 })), ['work.holdout']);
    assert.deepEqual(path(series(4000, { holdout: 1001 })), ['work.holdout']);
  });

  it('require two full seasons, the holdout among them', () => {
    accepted(series(24, { holdout: 8, season: 12 }));
    assert.deepEqual(path(series(23, { holdout: 4, season: 12 })), ['work.season']);
    accepted(series(2000, { season: 1000 }));
    assert.deepEqual(path(series(1999, { season: 1000 })), ['work.season']);
    assert.deepEqual(path(series(4000, { season: 1001 })), ['work.season']);
    assert.deepEqual(path(series(25, { season: 12, seasons: [4, 13, 12, 14] })), ['work.seasons[1]', 'work.seasons[3]']);
  });

  it('accept "auto" for season and no other word', () => {
    accepted(series(12, { season: 'auto' }));
    for (const season of ['Auto', '', '7', ['auto']]) assert.deepEqual(path(series(12, { season })), ['work.season']);
    assert.deepEqual(path(series(12, { seasons: ['auto'] })), ['work.seasons[0]']);
  });

  it('require distinct levels', () => {
    accepted(series(12, { levels: [95, 50] }));
    assert.deepEqual(path(series(12, { levels: [50, 80, 50] })), ['work.levels']);
  });
});

describe('mission: code cases', () => {
  it('keep arguments and expectations of every JSON type unchanged', () => {
    const args = [null, true, 0, -1.5, '', [[]], { b: { a: [1] } }];
    const cases = [...args, args].map((expected) => ({ args, expected }));
    const decoded = unwrap(decode(missionRequest, mission({ kind: 'code', examples: cases, heldout: cases })));
    assert.deepEqual(decoded.work, { kind: 'code', language: 'python', examples: cases, heldout: cases, candidate: '' });
  });

  it('refuse unknown members, and report faults in examples as in heldout', () => {
    const { errors } = refusal(
      mission({ kind: 'code', examples: [{ args: 1, expected: 1, note: '' }], heldout: [{ args: [] }] }),
    );
    assert.deepEqual(
      errors?.map((e) => e.path),
      ['work.examples[0].note', 'work.examples[0].args', 'work.heldout[0].expected'],
    );
  });
});

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

/** Refused with one fault, at exactly this path, and no word of the input in it. */
function refusedAt(document: unknown, path: string, message?: RegExp): void {
  const { code, errors, detail } = refusal(document);
  assert.equal(code, 'invalid');
  assert.deepEqual(membersOf(errors ?? [], 'path'), [path]);
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
