/** What the page computes itself: the hash of a result, inclusion proofs, UUIDs. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex as hexOf } from '../../src/base/hash.js';
import { isIncluded, checkResultHash } from '../../src/console/kit/hash.js';
import { uuid } from '../../src/console/kit/api/uuid.js';
import { inclusionPath, leafHash, logData, type NodeReader, rangeRoot, rootOfLeaves } from '../../src/journal/merkle.js';

describe('console: the hash of a result', () => {
  it('is the one that the agent records', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as unknown;
        const recorded = hexOf(canonicalJson(json));
        assert.deepEqual(checkResultHash(json, recorded), { computed: recorded, recorded, equal: true });
      }),
    );
  });

  it('differs for another result, a missing hash, and what has no canonical form', () => {
    const recorded = hexOf(canonicalJson({ makespan: 640 }));
    assert.equal(checkResultHash({ makespan: 639 }, recorded).equal, false);
    assert.equal(checkResultHash({ makespan: 640 }, null).equal, false);
    assert.deepEqual(checkResultHash('\ud800', recorded), { computed: null, recorded, equal: false });
  });
});

describe('console: inclusion proofs', () => {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

  it('lead from every entry of every tree to its root, and from no other entry', () => {
    for (let size = 1; size <= 20; size++) {
      const entries = Array.from({ length: size }, (_, i) => ({
        hash: hexOf(`entry ${i}`),
        signature: base64(Buffer.alloc(64, i + 1)),
      }));
      const leaves = entries.map(({ hash, signature }) =>
        leafHash(logData(Buffer.from(hash, 'hex'), Buffer.from(signature, 'base64'))),
      );
      const read: NodeReader = (height, index) =>
        rootOfLeaves(Buffer.concat(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height)));
      entries.forEach((entry, i) => {
        const note = `origin\n${size}\n${base64(rangeRoot(read, 0, size))}\n\n\u2014 origin AAAA\n`;
        const proof = ['c2sp.org/tlog-proof@v1', `index ${i}`, ...inclusionPath(read, i, size).map(base64), '', note].join('\n');
        assert.equal(isIncluded({ sequence: i + 1, ...entry, proof }), true, `${i} of ${size}`);
        assert.equal(isIncluded({ sequence: i + 1, ...entry, hash: hexOf('another'), proof }), false);
        assert.equal(isIncluded({ sequence: i + 2, ...entry, proof }), false);
        assert.equal(isIncluded({ sequence: i + 1, ...entry, proof: proof.replace('tlog-proof@v1', 'tlog-proof@v2') }), false);
      });
    }
  });

  it('are no proof when they are anything else', () => {
    fc.assert(
      fc.property(fc.string(), (proof) => assert.equal(isIncluded({ sequence: 1, hash: '00', signature: '', proof }), false)),
    );
  });
});

describe('console: request ids', () => {
  it('are version 4 UUIDs, each another one', () => {
    const all = Array.from({ length: 100 }, uuid);
    for (const each of all) assert.match(each, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(new Set(all).size, 100);
  });
});
