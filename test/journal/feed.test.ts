import assert from 'node:assert/strict';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { feed_page_entries_max } from '../../src/base/limits.js';
import { followFeed } from '../../src/journal/feed.js';
import { until } from '../support/given-daemon.js';
import { homeForEach, submit } from '../support/temporary-home.js';

const homes = homeForEach();

const sequences = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

describe('the feed', () => {
  it('gives what is there, then what comes, each entry once and in order, also those of another process', async () => {
    const [home, other] = [homes.get().open(), homes.get().open()];
    home.writer.begin();
    home.writer.run(sequences(1_200).map((n) => submit(n)));
    const seen: number[] = [];
    const feed = followFeed(home.writer, 0, (entry) => seen.push(entry.sequence), assert.ifError);
    try {
      await until(() => seen.length >= 1_201);
      other.writer.transact(submit(2_000));
      home.writer.transact(submit(2_001));
      other.writer.transact(submit(2_002));
      await until(() => seen.length >= 1_204);
      home.writer.transact(submit(2_003));
      await until(() => seen.length >= 1_205);
      await sleep(250);
      assert.deepEqual(seen, sequences(1_205));
    } finally {
      feed.stop();
      other.close();
      home.close();
    }
  });

  it('sends nothing of a command that was undone, and all of the entries around it', async () => {
    const home = homes.get().open();
    home.writer.begin();
    const outcomes = home.writer.run<unknown>([
      submit(1),
      (tx) => {
        submit(2)(tx);
        throw new Error('no');
      },
      submit(3),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => 'error' in outcome),
      [false, true, false],
    );
    assert.throws(() =>
      home.writer.transact((tx) => {
        submit(4)(tx);
        throw new Error('no');
      }),
    );
    home.writer.transact(submit(5));
    const told: string[] = [];
    const feed = followFeed(home.writer, 1, (entry) => told.push(`${entry.sequence} ${entry.stream}`), assert.ifError);
    feed.finish();
    const stored = home.db
      .prepare<[], string>("SELECT seq || ' ' || mission FROM events WHERE seq > 1 ORDER BY seq")
      .pluck()
      .all();
    assert.deepEqual(told, stored);
    assert.equal(told.length, 3);
    home.close();
  });

  it('begins after a sequence, and is silent once stopped', async () => {
    const home = homes.get().open();
    home.writer.begin();
    home.writer.run([submit(1), submit(2), submit(3)]);
    const seen: string[] = [];
    const feed = followFeed(home.writer, 2, (entry) => seen.push(`${entry.sequence} ${entry.type}`), assert.ifError);
    try {
      await until(() => seen.length === 2);
      feed.stop();
      home.writer.transact(submit(4));
      await sleep(250);
      assert.deepEqual(seen, ['3 mission.submitted', '4 mission.submitted']);
    } finally {
      feed.stop();
      home.close();
    }
  });

  it('reads at once when poked, and sends what is left when it is finished', async () => {
    const home = homes.get().open();
    const seen: number[] = [];
    const feed = followFeed(home.writer, 1, (entry) => seen.push(entry.sequence), assert.ifError);
    try {
      home.writer.transact(submit(1));
      feed.poke();
      feed.poke();
      await nextTurn();
      await nextTurn();
      assert.deepEqual(seen, [2]);
      home.writer.begin();
      home.writer.run(sequences(feed_page_entries_max + 50).map((n) => submit(n + 1)));
      feed.finish();
      assert.equal(seen.at(-1), feed_page_entries_max + 52);
      home.writer.transact(submit(2_000));
      feed.poke();
      feed.finish();
      await sleep(150);
      assert.equal(seen.length, feed_page_entries_max + 51);
    } finally {
      feed.stop();
      home.close();
    }
  });

  it('ends with what a poll threw, once', async () => {
    const home = homes.get().open();
    const errors: unknown[] = [];
    followFeed(
      home.writer,
      home.writer.head.size,
      () => assert.fail('there is no entry'),
      (error) => errors.push(error),
    );
    home.close();
    await until(() => errors.length > 0);
    await sleep(250);
    assert.equal(errors.length, 1);
    assert.match(String(errors[0]), /not open/);
  });
});
