import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusalError } from '../../src/base/result.js';
import { restrictToOwner } from '../../src/home/windows-acl.js';

describe('the owner-only ACL of Windows', () => {
  it('drops inherited rights and grants the owner alone, for the files to come too', () => {
    const calls: string[] = [];
    const icacls = (program: string, args: readonly string[]): number => {
      calls.push([program, ...args].join(' '));
      return 0;
    };
    restrictToOwner('C:\\agent', icacls, 'operator');
    assert.deepEqual(calls, ['icacls C:\\agent /inheritance:r /grant:r operator:(OI)(CI)F']);
  });

  it('refuses with an integrity failure when it cannot be applied', () => {
    for (const answer of [5, null]) {
      assert.throws(
        () => restrictToOwner('C:\\agent', () => answer, 'operator'),
        (error) => error instanceof RefusalError && error.refusal.code === 'integrity',
      );
    }
  });
});
