/** A row that was compared is not compared again until something changed; then nothing that was known is taken for granted. */
import assert from 'node:assert/strict';
import { cancelMission, listPage, showMission } from '../../src/app/missions/missions.js';
import { rebuildAll } from '../../src/app/home/upgrade.js';
import { RefusalError } from '../../src/base/result.js';
import type { Command } from '../../src/journal/writer.js';
import { readMission } from '../../src/rows/missions.js';
import { event } from '../support/given-events.js';
import { actor, throwsRefusal } from '../support/given-home.js';
import { sharedMixedHome, tamper } from '../support/mixed-home.js';

type Row = Readonly<Record<string, unknown>>;

describe('a connection that read a row before', () => {
  const template = sharedMixedHome();

  it('reads it again after another connection changed the file, and after its own commits', async () => {
    const given = await template.get();
    const home = given.home.copy();
    const { queued: id } = given.missions;
    await home.with(async (opened) => {
      showMission(opened, id);
      tamper(home, `UPDATE mission SET goal = 'other' WHERE id = '${id}'`);
      throwsRefusal(() => showMission(opened, id), 'integrity');
      throwsRefusal(() => listPage(opened, {}), 'integrity');
      rebuildAll(opened.db, () => undefined);
      const before = opened.db.prepare<[string], Row>('SELECT * FROM mission WHERE id = ?').get(id);
      assert.equal(showMission(opened, id).state, 'queued');
      await cancelMission(opened, id, actor);
      assert.equal(showMission(opened, id).state, 'failed');
      assert.equal(listPage(opened, {}).items[0]?.state, 'failed');
      // The row as it was before the mission was cancelled, put back by the same connection.
      opened.db.prepare('DELETE FROM mission WHERE id = ?').run(id);
      const names = Object.keys(before ?? {});
      opened.db.prepare(`INSERT INTO mission(${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`).run(before);
      throwsRefusal(() => showMission(opened, id), 'integrity');
    });
    home.remove();
  });

  it('forgets what an undone transaction recorded', async () => {
    const given = await template.get();
    const home = given.home.copy();
    const { queued: id } = given.missions;
    home.with((opened) => {
      const { writer, db } = opened;
      const refused = new RefusalError({ code: 'conflict', detail: 'refused on purpose' });
      const undone =
        (goal: string): Command<null> =>
        (tx) => {
          tx.append(id, event('mission.submitted', { goal }));
          assert.equal(readMission(tx.db, id)?.goal, goal);
          throw refused;
        };
      writer.begin();
      writer.run([undone('first'), undone('second')]);
      assert.equal(readMission(db, id)?.goal, 'repeat');
      writer.begin();
      writer.run([undone('third'), (tx) => void tx.append('@tool:export', event('tool.status_set'))]);
      assert.equal(readMission(db, id)?.goal, 'repeat');
    });
    home.remove();
  });
});
