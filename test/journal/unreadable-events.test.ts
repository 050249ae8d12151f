/** An event that could not be read back is refused before it is recorded: no command would open the journal again. */
import assert from 'node:assert/strict';
import { RefusalError } from '../../src/base/result.js';
import type { Entry } from '../../src/codec/entry.js';
import type { Command } from '../../src/journal/writer.js';
import type { EventType } from '../../src/codec/event.js';
import { documents, event, hex } from '../support/given-events.js';
import { throwsRefusal } from '../support/given-home.js';
import { homeForEach, submit, uuidOf } from '../support/temporary-home.js';
import { contents } from './inspect.js';

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
    it(`is refused and leaves nothing: ${type}, ${path}`, () =>
      homes.get().with((home) => {
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
      }));
  }

  it('does not hinder the commands that commit together with it', () =>
    homes.get().with((home) => {
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
    }));
});
