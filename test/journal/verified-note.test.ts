import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { clock_behind_ms_max, full_verification_ms_max } from '../../src/base/limits.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { openCheckpoint, originOf, readCheckpoint, signCheckpoint, signNote } from '../../src/journal/note.js';
import { judgeVerified, openVerified, signVerified, type Present, type Verified } from '../../src/journal/verified-note.js';
import { start_ms } from '../support/temporary-home.js';
import { leavesTo, naiveRoot } from './naive-tree.js';

const signer = signerFromSeed(Buffer.alloc(32, 7));
const stranger = signerFromSeed(Buffer.alloc(32, 8));
const origin = originOf(signer.publicKey, null);
const leaves = leavesTo(12);
const rootAt = (size: number): Buffer => naiveRoot(leaves.slice(0, size));
const verified: Verified = { origin, size: 11, root: rootAt(11), time: start_ms };
const note = signVerified(signer, verified);
const present: Present = { publicKey: signer.publicKey, origin, size: 12, rootAt, now: start_ms };
const judge = (given: string | null, change: Partial<Present> = {}): string => judgeVerified(given, { ...present, ...change });

/** A note that the key signed, with other lines. */
const signed = (edit: (lines: string[]) => string[]): string => {
  const [text = ''] = note.split('\n\n');
  return signNote(signer, origin, `${edit(text.split('\n')).join('\n')}\n`);
};

describe('the note of a full verification', () => {
  it('is a signed note whose first line names its use', () => {
    const [text = ''] = note.split('\n\n');
    assert.deepEqual(text.split('\n'), [
      'agent-cli/full-verification/v1',
      origin,
      '11',
      rootAt(11).toString('base64'),
      '2026-11-20T05:00:00.000000Z',
    ]);
    assert.match(note, /\n\n— agent-journal\/[0-9a-f]{16} [A-Za-z0-9+/]+=*\n$/);
    assert.deepEqual(openVerified(note, signer.publicKey, origin), verified);
  });

  it('is not accepted as a checkpoint, nor a checkpoint as a note', () => {
    assert.equal(readCheckpoint(note), null);
    assert.equal(openCheckpoint(note, signer.publicKey), null);
    assert.equal(judge(signCheckpoint(signer, origin, 11, rootAt(11))), 'unreadable');
  });

  it('counts up to seven days, and up to five minutes before its time', () => {
    for (const now of [-clock_behind_ms_max, 0, full_verification_ms_max])
      assert.equal(judge(note, { now: start_ms + now }), 'fresh', String(now));
    assert.deepEqual([clock_behind_ms_max, full_verification_ms_max], [5 * 60_000, 7 * 86_400_000]);
  });

  it('does not count before or after', () => {
    assert.equal(judge(note, { now: start_ms - clock_behind_ms_max - 1 }), 'future');
    assert.equal(judge(note, { now: start_ms + full_verification_ms_max + 1 }), 'old');
  });

  it('counts for the journal and for one that extends it', () => {
    assert.equal(judge(note, { size: 11 }), 'fresh');
    assert.equal(judge(note, { size: 12 }), 'fresh');
  });

  it('does not count for a shorter journal or one with other entries', () => {
    assert.equal(judge(note, { size: 10, rootAt: () => assert.fail('the journal has no such root') }), 'another_tree');
    assert.equal(judge(note, { rootAt: () => rootAt(12) }), 'another_tree');
  });

  it('does not count for another key or origin', () => {
    const other = originOf(signer.publicKey, 'ab'.repeat(16));
    assert.equal(judge(note, { origin: other }), 'unreadable');
    assert.equal(judge(signNote(signer, other, note.split('\n\n')[0] ?? ''), { origin: other }), 'unreadable');
    assert.equal(judge(note, { publicKey: stranger.publicKey }), 'unreadable');
    assert.equal(judge(signVerified(stranger, verified)), 'unreadable');
  });

  it('does not count when it is missing or anything else', () => {
    assert.equal(judge(null), 'missing');
    for (const text of ['', '\n\n', note.slice(0, -1), `${note}\n`, note.replace('\n11\n', '\n10\n')])
      assert.equal(judge(text), 'unreadable', JSON.stringify(text));
  });

  it('does not count with other lines, although the key signed them', () => {
    const edits: readonly ((lines: string[]) => string[])[] = [
      (lines) => lines.with(0, 'agent-cli/full-verification/v2'),
      (lines) => lines.slice(1),
      (lines) => lines.slice(0, 4),
      (lines) => [...lines, ''],
      (lines) => [...lines, 'more'],
      ...['0', '011', '-1', '1e1', '11.0', '9999999999999999', ''].map((size) => (lines: string[]) => lines.with(2, size)),
      ...['', 'AAAA', `${rootAt(11).toString('base64')} `].map((root) => (lines: string[]) => lines.with(3, root)),
      ...['', '2026-11-20', '2026-11-20T05:00:00Z', '2026-13-20T05:00:00.000000Z'].map(
        (time) => (lines: string[]) => lines.with(4, time),
      ),
    ];
    assert.equal(judge(signed((lines) => lines)), 'fresh');
    for (const edit of edits) assert.equal(judge(signed(edit)), 'unreadable', signed(edit));
  });
});
