/** Exports of the largest missions stay within 2 MiB, or the mission is refused when it is queued. @slow */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { export_bytes_max, result_bytes_max } from '../../src/base/limits.js';
import { missionKind } from '../../src/kinds/table.js';
import { exportBytesBound } from '../../src/app/reference/mission.js';
import { exportText } from '../../src/app/exports/export.js';
import type { Home } from '../../src/app/home/home.js';
import { readSubmission } from '../../src/app/missions/submit.js';
import { apply, produced, refusalOf, review, throwsRefusal } from '../support/app/given-home.js';
import { homeForEach } from '../support/app/temporary-home.js';

type Mission = Readonly<Record<string, unknown>>;
const times = <A>(count: number, make: (i: number) => A): A[] => Array.from({ length: count }, (_, i) => make(i));
/** Distinct ids of one length. */
const idOf = (i: number, length: number): string => i.toString(36).padStart(length, '_');

/** 200 jobs of 20 operations. */
const schedule = (job_id: number, machine_id: number): Mission => ({
  goal: 'plan',
  work: {
    kind: 'schedule',
    unit: '"'.repeat(60),
    jobs: times(200, (j) => ({
      id: idOf(j, job_id),
      operations: times(20, (o) => ({ machine: idOf((j + o) % 40, machine_id), duration: 90_000 + ((j * 7 + o) % 9_000) })),
    })),
  },
});

const forecast = (levels: number): Mission => ({
  goal: 'far ahead',
  work: {
    kind: 'forecast',
    observations: times(20_000, (i) => ((i * 7_919) % 1_000) + 0.123_456_789 + 1e6),
    horizon: 1_000,
    holdout: 1_000,
    levels: times(levels, (i) => 50 + i),
  },
});

const allocation = (id_length: number): Mission => ({
  goal: 'choose',
  work: {
    kind: 'allocation',
    unit: '\u0001'.repeat(60),
    budget: 100_000,
    max_risk: 50_000,
    items: times(2_000, (i) => ({
      id: idOf(i, id_length),
      cost: 1 + ((i * 31) % 97),
      value: 1 + ((i * 17) % 89),
      risk: i % 60,
      ...(i < 200 ? { group: idOf(i % 20, 3) } : {}),
    })),
  },
});

/** 200 sources whose titles, addresses and texts are full of what JSON escapes. */
const research = (title: number, url: number, text: number): Mission => ({
  goal: 'tides moon water \u0001"\\',
  work: {
    kind: 'research',
    sources: times(200, (i) => ({
      id: idOf(i, 64),
      title: '"'.repeat(title),
      url: '\\'.repeat(url),
      text: `Tides, moon and water ${i} ${'"\u0001\\ water '.repeat(Math.ceil(text / 10))}`.slice(0, text),
    })),
  },
});

const bytesOf = (mission: Mission): Buffer => Buffer.from(JSON.stringify(mission));
const isTaken = (mission: Mission): boolean => refusalOf(() => readSubmission(bytesOf(mission))) === null;

/** The largest n in [low, high] whose mission is taken; `low` must be. */
function largest(low: number, high: number, make: (n: number) => Mission): number {
  assert.ok(isTaken(make(low)));
  let [taken, end] = [low, high];
  while (taken < end) {
    const middle = Math.ceil((taken + end) / 2);
    if (isTaken(make(middle))) taken = middle;
    else end = middle - 1;
  }
  return taken;
}

describe('the size of exports', function () {
  const homes = homeForEach();

  /** Executes, approves with the longest note there can be, and measures against every bound. */
  async function measure(home: Home, mission: Mission): Promise<number> {
    const { request, text } = readSubmission(bytesOf(mission));
    const made = await produced(home, mission, 'real');
    const completed = await review(home, made, { note: '\u0001'.repeat(2_000), actor: '\u0001'.repeat(64) });
    const result_bytes = Buffer.byteLength(canonicalJson(completed.result));
    const of_kind = missionKind(request.work.kind).solver.size.result(request.work);
    const result_bound = of_kind.bytes;
    const bytes = Buffer.byteLength(exportText(home, made.id).text);
    assert.ok(result_bytes <= result_bound && result_bound <= result_bytes_max, `result ${result_bytes}, bound ${result_bound}`);
    const bound = exportBytesBound(request, text, { ...of_kind, bytes: result_bytes });
    assert.ok(bytes <= bound, `export ${bytes}, bound for this result ${bound}`);
    assert.ok(bytes <= export_bytes_max, `export ${bytes}`);
    return bytes;
  }

  const refused = (mission: Mission): string => throwsRefusal(() => readSubmission(bytesOf(mission)), 'invalid').detail;

  const withSmallEffort = async (): Promise<Home> => {
    const home = homes.get().open();
    await apply(home, { max_evaluations: 20 });
    return home;
  };

  it('stays within the bound for schedules of 4000 operations, with and without a warm start, and is refused beyond', async () => {
    const home = await withSmallEffort();
    const length = largest(2, 64, (n) => schedule(n, n));
    assert.ok(length >= 20 && length < 64, `ids of ${length}`);
    assert.match(refused(schedule(length + 1, length + 1)), /^work: its (?:result|export) could have \d+ bytes/);
    await measure(home, schedule(length, length));
    const again = await measure(home, { ...schedule(length, length), seed: 7 });
    assert.ok(again > 1_500_000, `${again} bytes come near the limit`);
    home.close();
  });

  it('stays within the bound for forecasts of 20000 observations, 1000 steps ahead', async () => {
    const home = await withSmallEffort();
    const levels = largest(3, 10, forecast);
    assert.ok((await measure(home, forecast(levels))) > 1_000_000);
    home.close();
  });

  it('stays within the bound for allocations of 2000 items', async () => {
    const home = await withSmallEffort();
    const length = largest(4, 64, allocation);
    await measure(home, allocation(length));
    home.close();
  });

  it('stays within the bound for research in 200 sources near 512 KiB, and is refused beyond', async () => {
    const home = await withSmallEffort();
    const text = largest(100, 2_000, (n) => research(1, 0, n));
    assert.ok(bytesOf(research(1, 0, text)).length > 500_000);
    await measure(home, research(1, 0, text));
    const url = largest(0, 1_000, (n) => research(300, n, 8));
    assert.match(refused(research(300, url + 1, 8)), /its export could have \d+ bytes/);
    assert.ok((await measure(home, research(300, url, 8))) > 1_600_000);
    home.close();
  });
});
