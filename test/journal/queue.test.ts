import assert from 'node:assert/strict';
import { Fault, RefusalError } from '../../src/base/refusal.js';
import { batch_commands_max, AppendQueue } from '../../src/journal/queue.js';
import type { Home } from '../../src/app/home/home.js';
import type { JournalWriter } from '../../src/journal/writer.js';
import { openDatabase } from '../../src/store/database.js';
import { withFastClock } from '../support/app/fast-clock.js';
import { until } from '../support/app/given-daemon.js';
import { homeForEach, submit } from '../support/app/temporary-home.js';
import { rejectsRefusal } from '../support/app/given-home.js';
import { refusing, sound, watchCommits } from './inspect.js';
import { refused } from '../support/refused.js';

const homes = homeForEach();
const numbers = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

async function inHome(work: (home: Home, queue: AppendQueue) => Promise<void>): Promise<void> {
  await homes.get().with(async (home) => {
    await work(home, new AppendQueue(home.writer));
    await sound(home);
  });
}

describe('the append queue', () => {
  it('commits commands that arrive together in few transactions and keeps their order', () =>
    inHome(async (home, queue) => {
      const commits = watchCommits(home);
      const results = await Promise.all(numbers(300).map((i) => queue.submit(submit(i))));
      assert.deepEqual(
        results,
        numbers(300).map((i) => i + 2),
      );
      const transactions = commits().length;
      assert.ok(transactions >= 300 / batch_commands_max, `${transactions} transactions`);
      assert.ok(transactions <= 100, `${transactions} transactions for 300 commands`);
    }));

  it('gives commands of later turns of the loop their own transactions', () =>
    inHome(async (home, queue) => {
      const commits = watchCommits(home);
      for (const i of numbers(3)) assert.deepEqual(await queue.submit(submit(i)), i + 2);
      assert.deepEqual(commits(), [2, 3, 4]);
    }));

  it('returns a refusal and a throw to their own callers alone', () =>
    inHome(async (_, queue) => {
      const bug = new RangeError('a bug');
      const throwing = (): never => {
        throw bug;
      };
      const settled = await Promise.allSettled([
        queue.submit(submit(1)),
        queue.submit(refusing),
        queue.submit(throwing),
        queue.submit(submit(2)),
      ]);
      assert.deepEqual(settled, [
        { status: 'fulfilled', value: 2 },
        { status: 'rejected', reason: new RefusalError('conflict', 'no') },
        { status: 'rejected', reason: bug },
        { status: 'fulfilled', value: 3 },
      ]);
    }));

  it('leaves the loop a turn between two commits', () =>
    inHome(async (home, queue) => {
      const committed = watchCommits(home);
      let turns = 0;
      const count = (): void => {
        turns++;
        soon = setImmediate(count);
      };
      let soon = setImmediate(count);
      await Promise.all(numbers(5 * batch_commands_max).map((i) => queue.submit(submit(i))));
      clearImmediate(soon);
      const commits = committed().length;
      assert.ok(commits >= 5 && turns >= commits, `${turns} turns, ${commits} commits`);
    }));

  it('reports a fault of the journal itself, not of a command', () =>
    inHome(async (home) => {
      const heard: unknown[] = [];
      const broken = Object.create(home.writer) as JournalWriter;
      const fault = new Fault('the commit failed');
      let isBroken = false;
      broken.begin = () => {
        if (isBroken) throw fault;
        home.writer.begin();
      };
      broken.run = (commands, goOn) => home.writer.run(commands, goOn);
      const queue = new AppendQueue(broken, (error) => heard.push(error));
      const bug = new Fault("a command's own");
      const throwing = (): never => {
        throw bug;
      };
      await assert.rejects(queue.submit(throwing), bug);
      await rejectsRefusal(queue.submit(refusing), 'conflict');
      assert.deepEqual(heard, []);
      isBroken = true;
      await assert.rejects(queue.submit(submit(1)), fault);
      assert.deepEqual(heard, [fault]);
    }));

  it('returns after the commit, not before', () =>
    inHome(async (home, queue) => {
      const other = openDatabase(home.paths.journal, { readonly: true });
      try {
        await Promise.all(
          numbers(20).map(async (i) => {
            const result = await queue.submit(submit(i));
            const stored = other.prepare('SELECT count(*) FROM events WHERE seq = ?').pluck();
            assert.equal(stored.get(result), 1);
          }),
        );
      } finally {
        other.close();
      }
    }));

  it("waits for another connection's lock without blocking the loop", () =>
    inHome(async (home, queue) => {
      const other = openDatabase(home.paths.journal);
      other.exec('BEGIN IMMEDIATE');
      let ticks = 0;
      const ticking = setInterval(() => ticks++, 5);
      const submitted = queue.submit(submit(1));
      let isAnswered = false;
      void submitted.then(() => (isAnswered = true));
      // A loop that waits for the lock itself gets no turn before it is refused.
      await until(() => ticks >= 10, 'ten turns of the loop');
      clearInterval(ticking);
      assert.equal(isAnswered, false);
      other.exec('ROLLBACK');
      other.close();
      assert.deepEqual(await submitted, 2);
    }));

  it('refuses with in_use when a lock is held too long, here and in a single command', () =>
    inHome(async (home, queue) => {
      const other = openDatabase(home.paths.journal);
      other.exec('BEGIN IMMEDIATE');
      await withFastClock(() => assert.rejects(queue.submit(submit(1)), refused('in_use')));
      other.exec('ROLLBACK');
      other.close();
      assert.deepEqual(await queue.submit(submit(1)), 2);
    }));
});
