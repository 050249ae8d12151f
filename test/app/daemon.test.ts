/** The daemon: one to a home, what it leaves when it stops or cannot go on, and its feed: backfill, cutover, live, and slow followers. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Raise } from '../../src/app/alerts/alerts.js';
import { startDaemon } from '../../src/app/daemon/daemon.js';
import { pause, resume } from '../../src/app/control/control.js';
import { listPage, showMission } from '../../src/app/missions/missions.js';
import { Fault } from '../../src/base/refusal.js';
import { latestNote, readHead } from '../../src/journal/reader.js';
import { readControl } from '../../src/tables/control.js';
import { countByState } from '../../src/tables/missions.js';
import { sound, watchCommits } from '../journal/inspect.js';
import {
  daemonScript,
  daemonsForEach,
  endless,
  entriesOf,
  type GivenDaemon,
  heldEngine,
  listen,
  longWork,
  until,
} from '../support/app/given-daemon.js';
import { actor, apply, forecast, queued, rejectsRefusal, stateOf } from '../support/app/given-home.js';
import { homeForEach, submit } from '../support/app/temporary-home.js';
import { refused } from '../support/refused.js';
import type { FeedItem } from '../../src/app/daemon/feed.js';
import { feed_page_entries_max } from '../../src/journal/feed.js';

describe('the daemon', () => {
  const daemons = daemonsForEach();
  const homes = homeForEach();

  it('runs once per home: a second is refused with the pid of the first, and commands still run', async () => {
    const given = homes.get();
    const daemon = await daemons.start(given);
    const held = JSON.parse(readFileSync(daemon.home.paths.daemon, 'utf8')) as unknown;
    assert.deepEqual(held, { pid: process.pid, started_at: '2026-11-20T05:00:00.000000Z', runs_code: false });
    await assert.rejects(
      startDaemon(given.world, { onWarning: assert.fail }),
      refused('in_use', new RegExp(`\\(pid ${process.pid}, since `)),
    );
    assert.ok(existsSync(daemon.home.paths.daemon), "the second did not take the first one's file away");
    await given.with(async (home) => await pause(home, actor));
    await daemon.stop();
    assert.equal(existsSync(daemon.home.paths.daemon), false);
    await (await daemons.start(given)).stop();
  });

  it('starts where daemon.json cannot be written, and warns', async () => {
    const given = homes.get();
    mkdirSync(join(given.directory, 'daemon.json'));
    const daemon = await daemons.start(given);
    assert.match(daemon.warnings.join(), /^daemon\.json could not be written \(.+\): other commands cannot name this process$/);
    const second = () =>
      assert.rejects(startDaemon(given.world, { onWarning: assert.fail }), refused('in_use', /already serves this home$/));
    await second();
    rmSync(join(given.directory, 'daemon.json'), { recursive: true });
    writeFileSync(join(given.directory, 'daemon.json'), JSON.stringify({ pid: 4_194_305, started_at: 'before its kill' }));
    await second();
    await daemon.stop();
    await (await daemons.start(given)).stop();
  });

  it('ends running missions as recorded failures when it stops, sends them to followers and to the witness, and begins no more', async () => {
    const given = homes.get();
    const interrupted: string[] = [];
    const raise: Raise = (raised) => void (raised.type === 'mission_interrupted' && interrupted.push(raised.id));
    const daemon = await daemons.start(given, { executing_max: 2, raise });
    await apply(daemon.home, endless);
    const [a, b, c] = [
      await queued(daemon.home, longWork('one')),
      await queued(daemon.home, longWork('two')),
      await queued(daemon.home, forecast()),
    ];
    for (const { id } of [a, b]) await daemon.executions.request(id, 'ada');
    const listener = listen(daemon, daemon.feed.newest());
    const outcomes = [a, b].map(({ id }) => daemon.executions.outcome(id));
    const stopped = daemon.stop();
    await rejectsRefusal(daemon.executions.request(c.id, 'ada'), 'interrupted');
    await stopped;
    await daemon.ended;
    for (const outcome of outcomes) await rejectsRefusal(outcome ?? assert.fail('it did not run'), 'interrupted');
    await listener.ended;
    const told = listener.items.flatMap((item) =>
      item.type === 'entry' && item.event === 'mission.failed' ? [item.mission] : [],
    );
    assert.deepEqual(new Set(told), new Set([a.id, b.id]));
    assert.equal(told.length, 2);
    given.with((home) => {
      for (const { id } of [a, b]) {
        const { state, error } = showMission(home, id);
        assert.deepEqual([state, error?.code, error?.message], ['failed', 'interrupted', 'the daemon stopped']);
      }
      assert.equal(stateOf(home, c.id), 'queued');
      assert.equal(home.witness.status === 'read' && home.witness.note, latestNote(home.db)?.note);
    });
    assert.deepEqual(
      daemon.warnings.toSorted(),
      [a, b].map(({ id }) => `mission ${id} failed: the daemon stopped; queue it again with: agent-cli recover ${id}`).toSorted(),
    );
    assert.deepEqual(interrupted.toSorted(), [a.id, b.id].toSorted());
    assert.equal(daemon.stop(), daemon.stop());
  });

  it('ends when an entry cannot be read, with that refusal, and tidies up', async () => {
    const given = homes.get();
    const held = heldEngine();
    const daemon = await daemons.start(given, { runEngine: held.engine });
    const { id } = await queued(daemon.home);
    await daemon.executions.request(id, actor);
    await until(() => held.working.length === 1);
    const listener = listen(daemon, daemon.feed.newest());
    const next = daemon.home.writer.head.size + 1;
    daemon.home.db.prepare("INSERT INTO events(seq, mission, body, hash, signature) VALUES (?, 'x', '{', '', '')").run(next);
    await assert.rejects(daemon.ended, refused('integrity', new RegExp(`entry ${next}`)));
    await assert.rejects(listener.ended, refused('integrity', new RegExp(`entry ${next}`)));
    // Requests in progress need it until the servers have stopped.
    assert.equal(daemon.home.db.open, true);
    await daemon.stop();
    assert.equal(existsSync(daemon.home.paths.daemon), false);
    assert.equal(daemon.home.db.open, false);
    assert.deepEqual(held.working, []);
  });

  it('ends when another home is in the place of the one that it serves', async () => {
    const { directory } = homes.get();
    const daemon = await daemons.start(homes.get());
    renameSync(directory, `${directory}-moved`);
    cpSync(`${directory}-moved`, directory, { recursive: true });
    await assert.rejects(daemon.ended, refused('conflict', /was replaced/));
  });

  it('ends when the journal no longer accepts entries', async () => {
    const given = homes.get();
    const daemon = await daemons.start(given);
    const fault = new Fault('the commit failed');
    daemon.home.writer.run = () => {
      throw fault;
    };
    await assert.rejects(pause(daemon.home, actor), fault);
    await assert.rejects(daemon.ended, fault);
    await daemon.stop();
    assert.equal(existsSync(daemon.home.paths.daemon), false);
    given.with((home) => assert.equal(home.writer.head.size, 1));
  });
});

/** Reads what a status page reads so often, each time after a turn of the loop. */
async function readOften({ home, feed, executions, verification }: GivenDaemon, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await nextTurn();
    void [readControl(home.db), countByState(home.db), listPage(home, {}), latestNote(home.db)];
    void [feed.newest(), executions.running(), verification()];
    await sleep(2);
  }
}

describe('commands of the daemon', () => {
  const daemons = daemonsForEach();
  const homes = homeForEach();

  it('share commits when fifty pauses, resumes and missions arrive together', async () => {
    const daemon = await daemons.start(homes.get());
    const { home } = daemon;
    const committed = watchCommits(home);
    const missions = Array.from({ length: 20 }, (_, n) => home.transact(submit(n)));
    const controls = Array.from({ length: 30 }, (_, n) => (n % 2 === 0 ? pause(home, actor) : resume(home, actor)));
    await Promise.all(missions);
    for (const [n, result] of (await Promise.all(controls)).entries()) {
      assert.deepEqual(result, { state: n % 2 === 0 ? 'paused' : 'ready' });
    }
    const commits = committed().length;
    // A batch ends after some milliseconds, of which a busy machine leaves it few.
    assert.ok(commits >= 1 && commits <= 25, `${commits} commits for 50 commands`);
    assert.equal(home.writer.head.size, 51);
    await sound(home);
  });

  it('wait for the long transaction of another process while reads are served', async () => {
    const given = homes.get();
    const daemon = await daemons.start(given);
    const child = spawn(process.execPath, [daemonScript, 'writing', given.directory], { stdio: ['pipe', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    await Promise.race([once(child.stdout, 'data'), closed]);
    let isDone = false;
    const paused = pause(daemon.home, actor).finally(() => (isDone = true));
    // A loop that waits for the lock itself reads once, if at all.
    await readOften(daemon, 20);
    assert.equal(isDone, false, 'the other process holds the lock');
    child.stdin.end();
    assert.deepEqual(await paused, { state: 'paused' });
    await closed;
  });
});

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
    await Promise.race([once(child.stdout, 'data'), closed]);
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
