/** Homes of ours that hold missions of the reference agent, one of each kind. */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import type { Home } from '../../../src/app/home/home.js';
import { verifyHome } from '../../../src/app/log/verify-home.js';
import type { Documents } from '../../../src/codec/event.js';
import { entriesOfStream } from '../../../src/journal/reader.js';
import { allocation, forecasts, research, schedule } from '../../engines/reference-cases.js';
import { adopt, forecastWork, states, type Document, type GivenMission } from './given-reference.js';
import { homeForEach, uuidOf, type TestClock } from './temporary-home.js';

export const id = uuidOf(7);

export const missionOf = (given: { readonly work: unknown; readonly result: unknown }): GivenMission => ({
  id,
  work: canonicalJson(given.work),
  result: canonicalJson(given.result),
});

const [seasonal] = forecasts;
export const given = {
  forecast: { id, work: forecastWork(seasonal?.work ?? ''), result: seasonal?.compensated ?? '' },
  allocation: missionOf(allocation),
  schedule: missionOf(schedule),
  research: missionOf(research),
  code: { id, work: '{"heldout":[{"args":[1],"expected":1}],"kind":"code"}', result: '{"passed":1}' },
} satisfies Record<string, GivenMission>;

export interface AdoptedHomes {
  /** Closes the one before. */
  readonly homeWith: (documents: readonly Document[]) => Home;
  readonly inReview: (mission: GivenMission) => Home;
  readonly clock: () => TestClock;
}

/** To be called where tests are described; the last home is closed after each test. */
export function adoptedHomes(): AdoptedHomes {
  const homes = homeForEach();
  let opened: Home | null = null;
  const close = (): void => {
    opened?.close();
    opened = null;
  };
  afterEach(close);
  const homeWith = (documents: readonly Document[]): Home => {
    close();
    adopt(homes.get(), documents);
    opened = homes.get().open();
    return opened;
  };
  return {
    homeWith,
    inReview: (mission) => homeWith(states(mission, 'queued', 'running', 'review')),
    clock: () => homes.get().clock,
  };
}

/** The document of the mission's newest entry, which completed it. */
export function completion(home: Home): Documents['mission.completed'] {
  const event = entriesOfStream(home.db, id).at(-1)?.event;
  assert.ok(event?.type === 'mission.completed');
  return event.document;
}

export async function isWhole(home: Home): Promise<void> {
  assert.equal((await verifyHome(home, { deep: true })).failure, null);
}
