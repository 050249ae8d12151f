/** `verify --deep`: the home's key signs whatever it is given, also what the rules of missions would never record. */
import assert from 'node:assert/strict';
import { unruledEntry } from '../../src/app/missions/life.js';
import { cancelMission, recoverMission } from '../../src/app/missions/missions.js';
import type { EventType } from '../../src/codec/event.js';
import { actor, execute, forecast, queued, review } from '../support/app/given-home.js';
import { homeForEach, submit, uuidOf } from '../support/app/temporary-home.js';
import { event } from '../support/codec/given-events.js';

const homes = homeForEach();

describe('the life of missions', () => {
  homes.it('is kept by what commands record, and the first entry that breaks it is named', async (home) => {
    for (const approve of [true, false]) {
      const made = await execute(home, (await queued(home, forecast())).id);
      await review(home, made, { approve });
    }
    const { id } = await queued(home, forecast());
    await cancelMission(home, id, actor);
    await recoverMission(home, id, actor);
    assert.equal(unruledEntry(home), null);
    const last = home.writer.head.size;
    home.writer.transact(submit(9));
    const broken: readonly (readonly [number, EventType, string])[] = [
      [9, 'mission.completed', 'queued'],
      [9, 'mission.submitted', 'completed'],
      [8, 'mission.produced', 'not submitted'],
    ];
    for (const [n, type] of broken) home.writer.transact((tx) => tx.append(uuidOf(n), event(type)));
    const { detail } = unruledEntry(home) ?? assert.fail('accepted');
    assert.equal(detail, `entry ${last + 2}: the rules never record mission.completed of a mission that is queued`);
  });
});
