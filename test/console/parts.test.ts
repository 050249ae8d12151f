/** The feed's reader, quotes in their sources, scales. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { linear, spanOf, thinned, ticks, widened } from '../../src/console/kit/charts/scale.js';
import { pageStarts, piecesOf, placeOf } from '../../src/console/operator/kinds/research/quotes.js';
import { EventReader } from '../../src/console/kit/api/sse.js';

describe('console: the feed', () => {
  const stream =
    ': hello\r\nretry: 2000\n\nid: 7\nevent: entry\ndata: {"a":1}\n\nevent: progress\rdata: x\rdata:y\r\rdata\n\nid: 8\n\n';
  const expected = [
    { event: 'entry', data: '{"a":1}', id: '7' },
    { event: 'progress', data: 'x\ny', id: '7' },
    { event: 'message', data: '', id: '7' },
  ];
  it('reads events however the stream is cut', () => {
    assert.deepEqual(new EventReader().push(stream), expected);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 12 }), (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
        const reader = new EventReader();
        const read = edges.slice(1).flatMap((edge, i) => reader.push(stream.slice(edges[i], edge)));
        assert.deepEqual(read, expected);
      }),
    );
  });
  it('keeps the id that it began with', () => {
    assert.deepEqual(new EventReader('41').push('data: a\n\n'), [{ event: 'message', data: 'a', id: '41' }]);
  });
});

describe('console: quotes', () => {
  const text = 'Tides follow \u{1f319} the moon. High water is at six.';
  it('are found by code units and by code points, and nowhere else', () => {
    const quote = 'High water is at six.';
    const at = text.indexOf(quote);
    const points = Array.from(text.slice(0, at)).length;
    for (const start of [at, points]) {
      assert.deepEqual(placeOf(text, { number: 1, quote, start, end: start + quote.length }), [at, at + quote.length]);
    }
    assert.equal(placeOf(text, { number: 1, quote, start: 0, end: quote.length }), null);
    assert.equal(placeOf(text, { number: 1, quote: 'x', start: 900, end: 901 }), null);
  });
  it('divide the text into pieces that add up to it, overlaps included', () => {
    const place = fc.tuple(fc.nat(text.length), fc.nat(text.length)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    fc.assert(
      fc.property(fc.array(place, { maxLength: 6 }), (places) => {
        const quotes = places.map(([start, end], i) => ({ number: i + 1, quote: text.slice(start, end), start, end }));
        const pieces = piecesOf(text, quotes);
        assert.equal(pieces.map((piece) => piece.text).join(''), text);
        for (const { number, quote } of quotes) {
          const own = pieces.filter(({ quotes: numbers }) => numbers.includes(number)).map((piece) => piece.text);
          assert.equal(own.join(''), quote);
        }
      }),
    );
  });
  it('have the page that begins with a piece', () => {
    const blocks = [
      { start: 0, end: 5, page: 1 },
      { start: 6, end: 9, page: 1 },
      { start: 13, end: 20, page: 2 },
    ];
    const pieces = piecesOf(text, [{ number: 1, quote: text.slice(6, 15), start: 6, end: 15 }], pageStarts(blocks));
    assert.deepEqual(
      pieces.map(({ page, quotes }) => [page, quotes]),
      [
        [1, []],
        [null, [1]],
        [2, [1]],
        [null, []],
      ],
    );
    assert.deepEqual(pageStarts(undefined), []);
  });
});

describe('console: scales', () => {
  it('have round ticks within their range', () => {
    assert.deepEqual(ticks([0, 640], 7), [0, 100, 200, 300, 400, 500, 600]);
    assert.deepEqual(ticks([0.1, 0.35], 3), [0.1, 0.2, 0.3]);
    assert.deepEqual(ticks([5, 5], 3), [5]);
    fc.assert(
      fc.property(
        fc.double({ min: -1e5, max: 1e5, noNaN: true }),
        fc.double({ min: 1, max: 1e9, noNaN: true }),
        (from, length) => {
          const to = from + length;
          const all = ticks([from, to], 6);
          assert.ok(all.length <= 13);
          for (const each of all) assert.ok(each >= from - length * 1e-6 && each <= to + length * 1e-6);
        },
      ),
    );
  });
  it('scale values, also of empty ranges', () => {
    assert.equal(linear([0, 10], [100, 0])(2.5), 75);
    assert.equal(linear([3, 3], [0, 10])(3), 5);
    const wide = widened([-1e308, 1e308], 0.02);
    assert.deepEqual([linear(wide, [0, 10])(0), ticks(wide, 4)], [5, [-1e308, 0, 1e308]]);
    assert.deepEqual(spanOf([]), [0, 1]);
    assert.deepEqual(spanOf([3, -1, 2]), [-1, 3]);
    assert.deepEqual(widened([5, 5], 0.1), [4.5, 5.5]);
    assert.deepEqual(widened([0, 0], 0.1), [0, 1]);
  });
  it('thin a long series and lose no spike', () => {
    const values = Array.from({ length: 20_000 }, (_, i) => (i === 12_345 ? 999 : Math.sin(i)));
    const kept = thinned(values, 300);
    assert.ok(kept.length <= 600);
    assert.ok(kept.some(([i, value]) => i === 12_345 && value === 999));
    assert.deepEqual(
      kept.map(([i]) => i),
      kept.map(([i]) => i).toSorted((a, b) => a - b),
    );
  });
});
