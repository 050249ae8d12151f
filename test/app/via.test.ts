/** The channel through which somebody acts, beside the actor of each event. */
import assert from 'node:assert/strict';
import { pause, resume } from '../../src/app/control/control.js';
import { homeVia } from '../../src/app/home/via.js';
import { entryPage } from '../../src/app/operator/entries.js';
import { blobFinders, withVia, type Event } from '../../src/codec/event.js';
import { homeForEach } from '../support/app/temporary-home.js';

/** What the program records by itself, and what nobody but the reference agent recorded. */
const own =
  /^(?:agent|reference)\.|^control\.(?:initialised|notice_failed)$|^mission\.(?:staged|produced|failed)$|^simulation\.(?:started|completed)$/;

describe('the channel of an event', () => {
  const homes = homeForEach();

  it('is recorded in every event that somebody causes, beside the actor', () => {
    for (const type of blobFinders.keys()) {
      const given = { type, document: { actor: 'alice', review: { actor: 'alice' } } } as unknown as Event;
      const { document } = withVia(given, 'session') as unknown as { readonly document: Record<string, unknown> };
      const isOfReview = type === 'mission.completed' || type === 'mission.rejected';
      const expected = own.test(type)
        ? given.document
        : isOfReview
          ? { ...given.document, review: { actor: 'alice', via: 'session' } }
          : { ...given.document, via: 'session' };
      assert.deepEqual(document, expected, type);
    }
  });

  homes.it('is that of the home through which a command acts, and absent for the program itself', async (home) => {
    await pause(homeVia(home, 'session'), 'alice');
    await resume(homeVia(home, 'cli'), 'bob');
    await pause(home, 'operator');
    const shown = entryPage(home).items.map(({ type, actor, via }) => [type, actor, via]);
    assert.deepEqual(shown, [
      ['control.paused', 'operator', null],
      ['control.resumed', 'bob', 'cli'],
      ['control.paused', 'alice', 'session'],
      ['control.initialised', null, null],
    ]);
  });
});
