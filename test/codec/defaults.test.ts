import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { unwrap } from '../../src/base/result.js';
import { canonicalOf } from '../../src/codec/canonical.js';
import { defaultOf, defaultsVersion, DraftType, withDefaults } from '../../src/codec/defaults.js';
import { added, choice, decode, integer, object, required, tagged, withDefault } from '../../src/codec/kit.js';

const lamp = object('Lamp', {
  kind: required(choice('lamp')),
  watts: withDefaults(integer(1, 100), 60, { 2: 8 }),
  switches: withDefault(integer(0, 9), 1),
});
const chair = object('Chair', { kind: required(choice('chair')), legs: withDefault(integer(3, 5), 4) });
const order = object('Order', {
  item: required(tagged('Item', 'kind', { lamp, chair })),
  defaults: added('2.1.0', defaultsVersion, 1),
});
const draft = new DraftType(order);
const read = (value: unknown): ReturnType<typeof draft.encode> => unwrap(decode(draft, value));

describe('codec/defaults', () => {
  it('fills in the newest defaults of a new document, and names their version', () => {
    const { latest, first } = read({ item: { kind: 'lamp' } }) as { latest: unknown; first: unknown };
    assert.deepEqual(latest, { item: { kind: 'lamp', watts: 8, switches: 1 }, defaults: 2 });
    assert.deepEqual(first, { item: { kind: 'lamp', watts: 60, switches: 1 }, defaults: 1 });
    assert.deepEqual(canonicalOf(order, unwrap(decode(order, { item: { kind: 'lamp' } }))), {
      item: { kind: 'lamp', watts: 60, switches: 1 },
    });
  });

  it('names no version where no default changed, and keeps the one that is named', () => {
    const chairs = read({ item: { kind: 'chair' } }) as { latest: { defaults: number }; first: unknown };
    assert.equal(chairs.latest, chairs.first);
    assert.equal(chairs.latest.defaults, 1);
    for (const [defaults, watts] of [
      [1, 60],
      [2, 8],
    ] as const) {
      const given = read({ item: { kind: 'lamp' }, defaults }) as { latest: unknown; first: unknown };
      assert.deepEqual(given.latest, { item: { kind: 'lamp', watts, switches: 1 }, defaults });
      assert.equal(given.latest, given.first);
    }
  });

  it('keeps what is given', () => {
    const { latest, first } = read({ item: { kind: 'lamp', watts: 40 } }) as { latest: object; first: object };
    assert.deepEqual(latest, { ...first, defaults: 2 });
  });

  it('refuses what the codec refuses, with its paths', () => {
    for (const [value, path] of [
      [null, ''],
      [{}, 'item'],
      [{ item: { kind: 'sofa' } }, 'item.kind'],
      [{ item: { kind: 'lamp', watts: 0 } }, 'item.watts'],
      [{ item: { kind: 'lamp', bulbs: 2 } }, 'item.bulbs'],
      [{ item: { kind: 'lamp' }, defaults: 3 }, 'defaults'],
      [{ item: { kind: 'lamp' }, defaults: 'new' }, 'defaults'],
    ] as const) {
      const refused = decode(draft, value);
      assert.ok(refused._tag === 'Left');
      assert.deepEqual(
        refused.left.errors?.map((error) => error.path),
        [path],
      );
    }
  });

  it('returns the default of each version', () => {
    const field = withDefaults(integer(1, 9), 1, { 2: 5 });
    assert.deepEqual([defaultOf(field, 1), defaultOf(field, 2), defaultOf(field)], [1, 5, 5]);
    assert.equal(defaultOf(withDefault(integer(1, 9), 3)), 3);
  });
});
