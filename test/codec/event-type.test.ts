/** Declarations of event types: versions that are read by upcasters, and the blobs that documents name. */
import assert from 'node:assert/strict';
import { isRefused } from '../../src/base/refusal.js';
import { blobRef, erasedBlobs } from '../../src/codec/blobs.js';
import { blobFinders, blobUsesOf } from '../../src/codec/event.js';
import { declare } from '../../src/codec/event-type.js';
import { choice, integer, list, mapOf, nullable, object, optional, required, tagged, text } from '../../src/codec/kit.js';
import { event, hex } from '../support/codec/given-events.js';

const count = integer(0, 9);
const noted = declare('test.noted', { note: required(text()) })
  .next({ notes: required(list(text(), 0, 9)) }, ({ note }) => ({ notes: [note] }))
  .next({ notes: required(list(text(), 0, 9)), count: required(count) }, ({ notes }) => ({ notes, count: notes.length }));

const read = (version: number, document: unknown): unknown => {
  const reading = noted.read(version, document);
  return reading === null ? null : isRefused(reading) ? reading.left.code : reading.right;
};

describe('a declared event type', () => {
  it('is written in its newest version', () => {
    assert.equal(noted.version, 3);
  });

  it('reads every older version by its upcasters', () => {
    const newest = { notes: ['a'], count: 1 };
    const versions: readonly unknown[] = [{ note: 'a' }, { notes: ['a'] }, newest];
    versions.forEach((document, i) => {
      const decoded = noted.decode(i + 1, document);
      assert.deepEqual(isRefused(decoded) ? null : decoded.right, newest);
      assert.deepEqual(read(i + 1, document), { value: newest, unknown: null });
    });
  });

  it('knows no versions outside its own', () => {
    for (const version of [0, -1, 4, 1.5, Number.NaN]) assert.equal(read(version, { note: 'a' }), null, String(version));
  });

  it('refuses a document of another version', () => {
    assert.equal(read(1, { notes: ['a'], note: 5 }), 'invalid');
    assert.equal(read(3, { notes: [] }), 'invalid');
  });

  it('reads past unknown members, and names them', () => {
    assert.deepEqual(read(1, { note: 'a', more: { x: 1 } }), {
      value: { notes: ['a'], count: 1 },
      unknown: 'more: unknown member',
    });
  });
});

describe('reading past unknown members', () => {
  const shape = declare('test.shape', {
    inner: required(nullable(object('Inner', { kind: required(choice('a', 'b')) }))),
    items: required(list(object('Item', { id: required(text()) }), 0, 9)),
    by: required(mapOf(object('By', { id: required(text()) }))),
    work: required(tagged('Work', 'kind', { x: object('X', { kind: required(choice('x')), n: optional(count) }) })),
  });
  const whole = { inner: { kind: 'a' }, items: [{ id: '1' }], by: { one: { id: '2' } }, work: { kind: 'x', n: 1 } };
  const reading = (document: unknown): unknown => {
    const result = shape.read(1, document);
    return result === null || isRefused(result) ? null : result.right;
  };

  it('leaves out unknown members at every depth', () => {
    const more = {
      inner: { kind: 'a', more: 1 },
      items: [{ id: '1', more: 1 }],
      by: { one: { id: '2', more: 1 } },
      work: { kind: 'x', n: 1, more: 1 },
    };
    for (const key of ['inner', 'items', 'by', 'work'] as const) {
      const { value, unknown } = reading({ ...whole, [key]: more[key] }) as { value: unknown; unknown: string };
      assert.deepEqual(value, whole, key);
      assert.match(unknown, new RegExp(`^${key}.*more: unknown member$`));
    }
  });

  it('gives no document where a choice is unknown', () => {
    for (const document of [
      { ...whole, inner: { kind: 'c' } },
      { ...whole, work: { kind: 'y', n: 1 } },
    ])
      assert.equal((reading(document) as { value: unknown }).value, null);
  });

  it('refuses what is wrong beside what is unknown', () => {
    assert.equal(reading({ ...whole, items: [{ id: 1 }], more: 1 }), null);
    assert.equal(reading({ ...whole, inner: { kind: 1 } }), null);
  });
});

describe('blobs that a document names', () => {
  const files = declare('test.files', {
    plain: optional(blobRef),
    maybe: optional(nullable(blobRef)),
    many: optional(list(blobRef, 0, 9)),
    inside: optional(object('Inside', { attachment: required(blobRef) })),
    named: optional(mapOf(blobRef)),
    work: optional(tagged('Work', 'kind', { a: object('A', { kind: required(choice('a')), file: required(blobRef) }) })),
    gone: optional(erasedBlobs(0, 9)),
    digest: optional(text()),
  });

  it('are found wherever their codec is used, under any name', () => {
    const uses = files.blobFinders.at(-1)?.usesOf({
      plain: hex('1'),
      maybe: hex('2'),
      many: [hex('3'), hex('4')],
      inside: { attachment: hex('5') },
      named: { x: hex('6') },
      work: { kind: 'a', file: hex('7') },
      gone: [hex('8')],
      digest: hex('9'),
    });
    assert.deepEqual(uses, { refers: ['1', '2', '3', '4', '5', '6', '7'].map(hex), erases: [hex('8')] });
    assert.deepEqual(files.blobFinders.at(-1)?.usesOf({ maybe: null }), { refers: [], erases: [] });
  });

  it('names the members that a document must have to name one', () => {
    assert.deepEqual(files.blobFinders[0]?.members, ['plain', 'maybe', 'many', 'inside', 'named', 'work', 'gone']);
    assert.deepEqual(declare('test.none', { digest: optional(text()) }).blobFinders, [null]);
  });

  it('are those of the events that this program records', () => {
    const declared = [...blobFinders].flatMap(([type, finders]) =>
      finders.map((finder) => [type, finder?.members ?? []] as const),
    );
    assert.deepEqual(Object.fromEntries(declared.filter(([, members]) => members.length > 0)), {
      'bus.received': ['envelope_blob'],
      'control.initialised': ['config_blob'],
      'control.configured': ['config_blob', 'erased'],
      'journal.restored': ['config_blob'],
      'mission.submitted': ['request_blob'],
      'mission.produced': ['result_blob'],
      'mission.erased': ['blobs'],
      'simulation.requested': ['request_blob'],
      'simulation.completed': ['result_blob'],
    });
    assert.deepEqual(blobUsesOf(event('control.configured')), { refers: [hex('d')], erases: [hex('b')] });
  });
});
