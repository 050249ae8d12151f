import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Fault, RecordedFault } from '../../src/base/fault.js';
import { reportFailure } from '../../src/cli/failure.js';

/** What is printed of an error, and the exit code. */
function reported(error: Error, json: boolean): { readonly text: string; readonly exit: typeof process.exitCode } {
  const [before, write] = [process.exitCode, process.stderr.write];
  let text = '';
  process.stderr.write = (chunk: string | Uint8Array): boolean => {
    text += String(chunk);
    return true;
  };
  try {
    reportFailure(error, { json, bin: 'agent-cli', help: '' });
    return { text, exit: process.exitCode };
  } finally {
    process.stderr.write = write;
    process.exitCode = before;
  }
}

/** As an error of SQLite arrives from another thread. */
function bare(code?: string): Error {
  const error = new Error();
  Reflect.deleteProperty(error, 'message');
  Object.defineProperty(error, 'message', { value: undefined });
  return code === undefined ? error : Object.assign(error, { code });
}

describe('a failure without a message', () => {
  for (const [name, error, said] of [
    ['has its code', bare('SQLITE_IOERR'), 'SQLITE_IOERR'],
    ['has its name', bare(), 'Error'],
    ['is told as a cause', new Fault('it broke', bare('EIO')), 'it broke (EIO)'],
  ] as const) {
    it(name, () => {
      assert.match(reported(error, false).text, new RegExp(said.replaceAll(/[()]/g, '\\$&')));
      const { text, exit } = reported(error, true);
      assert.equal(exit, 1);
      assert.deepEqual(JSON.parse(text), { code: 'fault', title: 'Internal fault', detail: said, errors: [] });
    });
  }
});

describe('a failure after something was recorded', () => {
  const cause = Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' });

  it('reports it, and names the command that completes it', () => {
    const { text, exit } = reported(new RecordedFault('it is recorded, but the file is not', 'agent-cli again', cause), false);
    assert.deepEqual(
      [text.split('\n'), exit],
      [
        [
          '✗ it is recorded, but the file is not (EIO: i/o error, write)',
          '  → agent-cli again',
          '  This is a fault of the program or the machine. DEBUG=1 shows its cause.',
          '',
        ],
        1,
      ],
    );
  });

  it('is a JSON document with the same facts', () => {
    const { text } = reported(new RecordedFault('it is recorded', 'agent-cli again', cause), true);
    assert.deepEqual(JSON.parse(text), {
      code: 'fault',
      title: 'Internal fault',
      detail: 'it is recorded (EIO: i/o error, write)',
      errors: [],
      facts: { recorded: true },
      hint: 'agent-cli again',
    });
  });

  it('has no hint when nothing completes it', () => {
    assert.doesNotMatch(reported(new RecordedFault('it is recorded', null, cause), false).text, /→/);
    assert.equal('hint' in (JSON.parse(reported(new RecordedFault('it is recorded', null, cause), true).text) as object), false);
  });
});
