/** What the sweep counts as a miss. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Ran } from '../support/cli/cli-run.js';
import type { Change } from './change.js';
import { groupNames, groupOf, type GroupName } from './groups.js';
import { finderOf, type Judged, missesOf, type Said } from './judge.js';
import { probeNames, usualProbes, type ProbeName } from './probes.js';

const fine: Ran = { code: 0, stdout: '{"a": 1}', stderr: '' };
const forged: Ran = { code: 0, stdout: '{"a": 2}', stderr: '' };
const found: Ran = { code: 3, stdout: '', stderr: 'damaged' };
const newer: Ran = { code: 4, stdout: '', stderr: 'newer' };
const fault: Ran = { code: 1, stdout: '', stderr: 'fault' };
const warned: Ran = { code: 3, stdout: '{"a": 2}', stderr: 'this home is damaged' };
const warning: Ran = { code: 0, stdout: '{"a": 2, "warnings": ["this home is damaged: x"]}', stderr: '' };
const silent: Ran = { code: 3, stdout: '{"a": 2}', stderr: '' };

const all = (ran: Ran, ...others: readonly (readonly [ProbeName, Ran])[]): Said =>
  new Map([...probeNames.map((name) => [name, ran] as const), ...others]);

interface Given {
  readonly shownBy?: readonly ProbeName[];
  readonly isVoid?: boolean;
}

function judged(group: GroupName, said: Said, { shownBy = [], isVoid = false }: Given = {}): Judged {
  const change: Change = { name: 'a change', group, kind: 'a kind', shownBy, apply: () => undefined };
  return { change, said, usual: all(fine), isVoid };
}

const misses = (group: GroupName, said: Said, given: Given = {}): string[] =>
  missesOf(judged(group, said, given)).map((miss) => miss.split(':')[0]!);

const working = ['cancel', 'pause', 'token revoke'] as const;

describe('the judge of the sweep', () => {
  it('requires damage to be found by every command but those that repair it', () => {
    assert.deepEqual(misses('newest checkpoint', all(found)), []);
    assert.deepEqual(misses('newest checkpoint', all(fine)), probeNames);
    const worked = (ran: Ran): Said => all(found, ...working.map((name) => [name, ran] as const));
    assert.deepEqual(misses('newest checkpoint', worked(warning)), []);
    for (const ran of [fine, fault]) assert.deepEqual(misses('newest checkpoint', worked(ran)), [...working]);
  });

  it('requires a warning before anything of a damaged home is printed', () => {
    assert.deepEqual(misses('newest checkpoint', all(found, ['list', warned], ['verify', silent], ['doctor', silent])), []);
    assert.deepEqual(misses('newest checkpoint', all(found, ['list', { ...warning, code: 3 }])), []);
    assert.deepEqual(misses('newest checkpoint', all(found, ['list', silent])), ['list']);
  });

  it('never accepts forged output or a fault', () => {
    for (const group of groupNames.filter((name) => groupOf(name).differs !== 'any'))
      assert.ok(misses(group, all(forged)).length > 0, group);
    for (const group of groupNames) assert.ok(misses(group, all(fault)).length >= probeNames.length - 1, group);
    assert.deepEqual(
      misses('blob added', all(fine, ['verify', found], ['verify --deep', found], ['verify --against', found], ['list', forged])),
      ['list'],
    );
  });

  it('requires a row to be found by the command that shows it, and by verify', () => {
    const shownBy: ProbeName[] = ['token list'];
    assert.deepEqual(misses('row altered', all(fine), { shownBy }), [
      'verify',
      'verify --deep',
      'verify --against',
      'token list',
    ]);
    const verified = (['verify', 'verify --deep', 'verify --against'] as const).map((name) => [name, found] as const);
    assert.deepEqual(misses('row altered', all(fine, ...verified, ['token list', found]), { shownBy }), []);
  });

  it('requires data of a newer version to be refused as such, and read with a warning by what reads it', () => {
    const readOnly: Ran = { ...fine, stderr: 'this home is only read' };
    const reading = probeNames.filter((name) => /^(?:verify|list|show|export|worker-key list|approver list)/.test(name));
    const read = all(newer, ...reading.map((name) => [name, readOnly] as const));
    assert.deepEqual(misses('newer migration', read), []);
    assert.deepEqual(misses('newer migration', new Map([...read, ['list', fine], ['run', found]])), ['list', 'run']);
  });

  it('requires nothing different where nothing is found', () => {
    assert.deepEqual(misses('migration time', all(fine)), []);
    assert.deepEqual(misses('migration time', all(fine, ['list', found], ['run', forged])), ['list', 'run']);
    assert.deepEqual(misses('byte of the database file', all(fine), { isVoid: true }), []);
    assert.deepEqual(misses('byte of the database file', all(fine)), ['verify', 'verify --deep', 'verify --against']);
  });

  it('names what finds a change at the latest, and nothing where a command shows what was altered', () => {
    const finding = (...names: ProbeName[]): Said => all(fine, ...names.map((name) => [name, found] as const));
    const verified = finding('verify', 'verify --deep', 'verify --against');
    const finder = (said: Said, shownBy: ProbeName[] = []) => finderOf(judged('blob altered', said, { shownBy }));
    assert.equal(finder(all(found)), 'every command');
    assert.equal(finder(verified), 'the command that shows it');
    assert.equal(finder(verified, ['token list']), null);
    assert.equal(finder(new Map([...verified, ['token list', found] as const]), ['token list']), 'the command that shows it');
    assert.equal(finder(finding('verify --deep')), 'verify --deep');
    assert.equal(finder(finding('verify --against')), 'verify --against');
    assert.equal(finder(all(fine)), 'nothing');
    for (const ran of [forged, fault]) assert.equal(finder(new Map([...verified, ['list', ran] as const])), null);
  });

  it('always tries commands that read, decide, export and sign', () => {
    for (const name of ['list', 'show review', 'run', 'review', 'export', 'checkpoint'] as const)
      assert.ok(usualProbes.includes(name));
  });
});
