import { strictEqual } from 'node:assert';
import { shortageOf } from '../../src/base/fault.js';

describe('a shortage', () => {
  const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

  for (const [name, error, said] of [
    [
      'of file descriptors',
      coded('EMFILE', 'EMFILE: too many open files, open …'),
      ': EMFILE, too many open files in this process',
    ],
    [
      'of file descriptors, for a thread that did not start',
      coded('ERR_WORKER_INIT_FAILED', 'Worker initialization failure: EMFILE'),
      ': EMFILE, too many open files in this process',
    ],
    ['of memory', coded('ENOMEM', 'spawn'), ': ENOMEM, not enough memory'],
    ['is not every error', coded('ENOENT', 'no such file'), ''],
    ['is not what is no error', null, ''],
  ] as const) {
    it(`is named: ${name}`, () => strictEqual(shortageOf(error), said));
  }
});
