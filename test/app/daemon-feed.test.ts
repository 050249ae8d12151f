/** Following the daemon's feed: backfill, cutover, live; many followers, slow ones, and how it ends. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { feed_page_entries_max } from '../../src/journal/feed.js';
import type { FeedItem } from '../../src/app/daemon/feed.js';
import { showMission } from '../../src/app/missions/missions.js';
import { pause, resume } from '../../src/app/control/control.js';
import { readHead } from '../../src/journal/reader.js';
import {
  daemonScript,
  daemonsForEach,
  entriesOf,
  heldEngine,
  listen,
  until,
  type GivenDaemon,
} from '../support/app/given-daemon.js';
import { actor, forecast, queued } from '../support/app/given-home.js';
import { homeForEach, submit } from '../support/app/temporary-home.js';

const recorded = 1_000;
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Queues missions `from`..`to` in common commits. */
async function record(daemon: GivenDaemon, from: number, to: number): Promise<void> {
  await Promise.all(range(from, to).map(async (n) => await daemon.home.transact(submit(n))));
}

const head = (daemon: GivenDaemon): number => readHead(daemon.home.db).size;
const idle = (): AbortSignal => new AbortController().signal;

describe("the daemon's feed", () => {
  const daemons = daemonsForEach();
  const homes = homeForEach();

  it('gives what was there before, then what comes, to ten followers each from its own place, also of another process', async () => {
    const given = homes.get();
    const daemon = await daemons.start(given);
    await record(daemon, 1, recorded);
    const followers = range(0, 9).map((n) => ({ after: n * 100, listener: listen(daemon, n * 100) }));
    const child = spawn(process.execPath, [daemonScript, 'append', given.directory, '200'], {
      env: { ...process.env, AGENT_WITNESS: given.witness },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    await record(daemon, 5_001, 5_200);
    assert.deepEqual(await closed, [0, null]);
    const last = 1 + recorded + 400;
    for (const { after, listener } of followers) {
      await until(() => entriesOf(listener.items).at(-1) === last, `${entriesOf(listener.items).at(-1)} of ${last}`);
      assert.deepEqual(entriesOf(listener.items), range(after + 1, last));
    }
    assert.equal(head(daemon), last);
    assert.equal(daemon.feed.newest(), last);
  });

  it('spends nothing on a follower that does not read, and later sends it every entry once and in order', async () => {
    const daemon = await daemons.start(homes.get());
    const slow = daemon.feed.follow(0, idle())[Symbol.asyncIterator]();
    assert.equal(((await slow.next()).value as FeedItem).type, 'entry');
    for (const from of [1, 501, 1_001]) await record(daemon, from, from + 499);
    await until(() => daemon.feed.newest() === 1_501);
    let turns = 0;
    const count = (): void => {
      turns++;
      soon = setImmediate(count);
    };
    let soon = setImmediate(count);
    const seen: number[] = [];
    while (seen.at(-1) !== 1_501) {
      const { value } = (await slow.next()) as { readonly value: FeedItem };
      if (value.type === 'entry') seen.push(value.sequence);
    }
    clearImmediate(soon);
    assert.deepEqual(seen, range(2, 1_501));
    const pages = (1_500 - feed_page_entries_max) / feed_page_entries_max;
    assert.ok(turns >= pages, `${turns} turns of the loop for at least ${pages} pages`);
  });

  it('sends a follower that falls behind only the newest progress, and a new follower gets it at once', async () => {
    const held = heldEngine();
    const daemon = await daemons.start(homes.get(), { runEngine: held.engine });
    const { id } = await queued(daemon.home, forecast('first'));
    const slow = daemon.feed.follow(head(daemon), idle())[Symbol.asyncIterator]();
    await daemon.executions.request(id, actor);
    await until(() => showMission(daemon.home, id).stages.length === 2);
    for (const n of range(1, 99)) held.progress('first', n / 100);
    await until(() => daemon.feed.newest() === head(daemon));
    const late = (await daemon.feed.follow(head(daemon), idle())[Symbol.asyncIterator]().next()).value as FeedItem;
    assert.deepEqual(late, { type: 'progress', mission: id, attempt: 1, stage: 'strategy', done: 0.99 });
    const told: string[] = [];
    while (told.at(-1) !== 'strategy 0.99') {
      const { value } = (await slow.next()) as { readonly value: FeedItem };
      told.push(value.type === 'entry' ? value.event : `${value.stage} ${value.done}`);
    }
    assert.deepEqual(told, [
      'mission.execution_requested',
      'mission.leased',
      'mission.staged',
      'mission.staged',
      'strategy 0.99',
    ]);
  });

  it('ends with the signal and with the daemon, also for one that waits, and with return', async () => {
    const daemon = await daemons.start(homes.get());
    const over = { done: true, value: undefined };
    const controller = new AbortController();
    const aborted = daemon.feed.follow(1, controller.signal)[Symbol.asyncIterator]();
    const waiting = [aborted.next(), aborted.next()];
    controller.abort();
    assert.deepEqual(await Promise.all(waiting), [over, over]);
    const left = daemon.feed.follow(0, idle())[Symbol.asyncIterator]();
    await left.next();
    assert.deepEqual([await left.return?.(), await left.next()], [over, over]);
    assert.deepEqual(await daemon.feed.follow(1, AbortSignal.abort())[Symbol.asyncIterator]().next(), over);
    const listener = listen(daemon, 0);
    const stopped = daemon.feed.follow(0, idle())[Symbol.asyncIterator]();
    await pause(daemon.home, actor);
    await daemon.stop();
    await listener.ended;
    assert.deepEqual(entriesOf(listener.items), [1, 2]);
    // The entries that are in memory are given also then; the others cannot be read any more.
    assert.deepEqual(await stopped.next(), over);
  });

  it('treats a position that the journal has not reached as its end', async () => {
    const daemon = await daemons.start(homes.get());
    const { items } = listen(daemon, 1_000_000);
    await pause(daemon.home, actor);
    await resume(daemon.home, actor);
    await until(() => items.length === 2);
    assert.deepEqual(entriesOf(items), [2, 3]);
  });
});
