import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusalError } from '../../src/base/result.js';
import type { Entry } from '../../src/codec/entry.js';
import type { EventType } from '../../src/codec/event.js';
import type { Command } from '../../src/journal/writer.js';
import type { Db } from '../../src/store/database.js';
import { documents, event, hex } from '../support/codec/given-events.js';
import { throwsRefusal } from '../support/app/given-home.js';
import { homeForEach, submit, type TemporaryHome, uuidOf } from '../support/app/temporary-home.js';
import { contents } from './inspect.js';
import { newest, richHome } from './tamper-suite.js';
import { alter, findingOf, flip, forgetWitness, refusalAtOpen } from './tamper.js';

interface Case {
  readonly name: string;
  readonly change: (db: Db) => void;
  /** The first bad sequence; null for what belongs to no entry. */
  readonly sequence: number | null;
  readonly detail: RegExp;
  /** Whether every command finds it. */
  readonly atOpen?: boolean;
}

async function strippedHome(): Promise<TemporaryHome> {
  const home = await richHome();
  forgetWitness(home);
  return home;
}

const exec =
  (sql: string) =>
  (db: Db): void =>
    void db.exec(sql);
/** An entry of a batch in the middle. */
const middle = 330;

function suite(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    for (const { name, change, sequence, detail, atOpen = true } of cases) {
      it(name, async () => {
        const home = await strippedHome();
        try {
          alter(home, change);
          for (const deep of [false, true]) {
            const finding = await findingOf(home, { deep });
            assert.deepEqual([finding?.code, finding?.sequence ?? null], ['integrity', sequence], JSON.stringify(finding));
            assert.match(finding?.detail ?? '', detail);
          }
          assert.equal(refusalAtOpen(home)?.code ?? null, atOpen ? 'integrity' : null);
        } finally {
          home.remove();
        }
      });
    }
  });
}

it('verifies the untouched journal, plain and deep, and opens it', async () => {
  const home = await strippedHome();
  try {
    alter(home, () => undefined);
    assert.equal(await findingOf(home, { deep: false }), null);
    assert.equal(await findingOf(home, { deep: true }), null);
    assert.equal(refusalAtOpen(home), null);
  } finally {
    home.remove();
  }
});

const changed = (seq: number, column: string, at: number, expected: Omit<Case, 'name' | 'change'>): Case => ({
  name: `events.${column}, entry ${seq}, place ${at}`,
  change: (db) => flip(db, 'events', column, `seq = ${seq}`, at),
  ...expected,
});

suite('a changed byte in events', [
  ...[1, 256, middle].flatMap((seq) =>
    [0, 40, -1].map((at) => changed(seq, 'body', at, { sequence: seq, detail: /stored bytes do not match/ })),
  ),
  ...[0, 300, -1].map((at) => changed(newest, 'body', at, { sequence: newest, detail: /stored bytes do not match/ })),
  ...[1, 256, middle].map((seq) => changed(seq, 'hash', 5, { sequence: seq, detail: /do not match their hash/ })),
  changed(newest, 'hash', -1, { sequence: newest, detail: /do not match their hash/ }),
  changed(newest - 100, 'hash', -1, { sequence: newest - 100, detail: /do not match their hash/ }),
  changed(middle, 'mission', 3, { sequence: middle, detail: /stream is not the signed one/ }),
  changed(newest, 'mission', 3, { sequence: newest, detail: /stream is not the signed one/ }),
  changed(newest, 'signature', 7, { sequence: newest, detail: /signature|signs another root/ }),
  changed(newest, 'signature', -1, { sequence: newest, detail: /malformed|signature/ }),
  changed(newest - 60, 'signature', -1, { sequence: newest - 60, detail: /malformed|signature/ }),
  changed(middle, 'signature', -1, { sequence: middle, detail: /malformed|signature/ }),
]);

describe('a changed signature of an older entry', () => {
  it('is reported by the checkpoint that covers it, and by its sequence in deep verification', async () => {
    const home = await strippedHome();
    try {
      alter(home, (db) => flip(db, 'events', 'signature', `seq = ${middle}`, 7));
      const [plain, deep] = [await findingOf(home, { deep: false }), await findingOf(home, { deep: true })];
      // The tile of 256 leaves begins before the checkpoint.
      assert.deepEqual([plain?.code, plain?.sequence], ['integrity', 257]);
      assert.deepEqual([deep?.code, deep?.sequence], ['integrity', middle]);
      assert.match(deep?.detail ?? '', /the signature does not verify/);
      assert.equal(refusalAtOpen(home)?.code, 'integrity');
    } finally {
      home.remove();
    }
  });
});

const swap = (a: number, b: number): string =>
  `UPDATE events SET seq = -1 WHERE seq = ${a}; UPDATE events SET seq = ${a} WHERE seq = ${b}; UPDATE events SET seq = ${b} WHERE seq = -1`;

suite('rows of events', [
  { name: 'the first is gone', change: exec('DELETE FROM events WHERE seq = 1'), sequence: 1, detail: /missing/ },
  {
    name: 'one in the middle is gone',
    change: exec(`DELETE FROM events WHERE seq = ${middle}`),
    sequence: middle,
    detail: /missing/,
    atOpen: true,
  },
  {
    name: 'one of the last leaves is gone',
    change: exec(`DELETE FROM events WHERE seq = ${newest - 50}`),
    sequence: newest - 50,
    detail: /missing/,
  },
  {
    name: 'the newest is gone',
    change: exec(`DELETE FROM events WHERE seq = ${newest}`),
    sequence: newest - 1,
    detail: /checkpoint/,
  },
  {
    name: 'two neighbours are swapped',
    change: exec(swap(middle, middle + 1)),
    sequence: middle,
    detail: /signed sequence is 331/,
  },
  {
    name: 'two distant ones are swapped',
    change: exec(swap(2, newest)),
    sequence: 2,
    detail: /signed sequence is 620/,
  },
  {
    name: 'one moved to the end',
    change: exec(`UPDATE events SET seq = ${newest + 1} WHERE seq = ${middle}`),
    sequence: middle,
    detail: /missing/,
  },
  {
    name: 'one is doubled at the end',
    change: exec(
      `INSERT INTO events SELECT ${newest + 1}, mission, body, iif(hash LIKE 'f%', 'e', 'f') || substr(hash, 2), signature
         FROM events WHERE seq = ${newest}`,
    ),
    sequence: newest + 1,
    detail: /do not match their hash/,
  },
]);

const codeOf = (error: unknown): string => (error instanceof RefusalError ? error.refusal.code : String(error));
const long = 'x'.repeat(65);
const cases: readonly (readonly [type: EventType, path: string, wrong: readonly unknown[]])[] = [
  ['control.paused', 'actor', ['', long]],
  ['control.resumed', 'actor', ['', long]],
  ['control.configured', 'actor', ['', long]],
  ['control.rollback_accepted', 'actor', ['', long]],
  ['mission.submitted', 'actor', ['', long]],
  ['mission.leased', 'actor', ['', long]],
  ['mission.cancelled', 'actor', ['', long]],
  ['mission.recovered', 'actor', ['', long]],
  ['mission.erased', 'reason', ['', 'x'.repeat(2_001)]],
  ['mission.completed', 'result', [null]],
  ['mission.failed', 'error.message', [{ ...documents['mission.failed'].error, message: 'x'.repeat(2_001) }]],
  ['simulation.cancelled', 'actor', ['', long]],
  ['tool.status_set', 'note', ['', ' \n', 'x'.repeat(2_001)]],
  ['tool.status_set', 'actor', ['', long]],
  ['token.created', 'actor', ['', long]],
  ['token.created', 'token_sha256', ['no hash', hex('A')]],
  ['token.created', 'role', ['owner']],
  ['worker.added', 'name', ['', 'a b']],
  ['control.witness_added', 'name', ['']],
  ['bus.received', 'peer', ['', 'x'.repeat(101)]],
  ['agent.restarted', 'work', [long]],
];

describe('an event that could not be read back', () => {
  const homes = homeForEach();

  for (const [type, path, wrong] of cases) {
    homes.it(`is refused and leaves nothing: ${type}, ${path}`, (home) => {
      const before = contents(home);
      for (const value of wrong) {
        const unreadable = event(type, { [path.split('.')[0] ?? '']: value });
        const command: Command<Entry> = (tx) => {
          tx.putBlob(Buffer.from('left by nobody'));
          tx.append('@control', event('control.paused'));
          return tx.append('@control', unreadable);
        };
        assert.deepEqual(
          throwsRefusal(() => home.writer.transact(command), 'invalid').errors?.map((fault) => fault.path),
          [path],
        );
      }
      assert.deepEqual(contents(home), before);
    });
  }

  homes.it('does not hinder the commands that commit together with it', (home) => {
    home.writer.begin();
    const outcomes = home.writer.run<unknown>([
      submit(1),
      (tx) => tx.append('@control', event('control.paused', { actor: '' })),
      submit(2),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => ('error' in outcome ? codeOf(outcome.error) : 'recorded')),
      ['recorded', 'invalid', 'recorded'],
    );
    const streams = home.db.prepare('SELECT mission FROM events ORDER BY seq').pluck().all();
    assert.deepEqual(streams, ['@control', uuidOf(1), uuidOf(2)]);
  });
});
