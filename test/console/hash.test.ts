/** What the page computes itself: the hash of a result, inclusion proofs, UUIDs. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '@noble/hashes/sha256';
import fc from 'fast-check';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex as hexOf } from '../../src/base/hash.js';
import { isIncluded, checkResultHash } from '../../src/console/kit/hash.js';
import { uuid } from '../../src/console/kit/api/uuid.js';
import { packageRoot } from '../support/package-root.js';

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

interface Example {
  readonly entries?: readonly { readonly hash: string; readonly signature: string }[];
}

describe('console: inclusion proofs', () => {
  const vectors = JSON.parse(
    readFileSync(join(packageRoot(import.meta.url), 'test', 'vectors', 'journal', 'example.json'), 'utf8'),
  ) as Example & Record<string, unknown>;
  const root = (hashes: readonly Uint8Array[]): Uint8Array => {
    if (hashes.length === 1) return hashes[0] ?? new Uint8Array();
    let split = 1;
    while (split * 2 < hashes.length) split *= 2;
    return sha256(Buffer.concat([Buffer.of(1), root(hashes.slice(0, split)), root(hashes.slice(split))]));
  };
  const path = (hashes: readonly Uint8Array[], index: number): Uint8Array[] => {
    if (hashes.length === 1) return [];
    let split = 1;
    while (split * 2 < hashes.length) split *= 2;
    return index < split
      ? [...path(hashes.slice(0, split), index), root(hashes.slice(split))]
      : [...path(hashes.slice(split), index - split), root(hashes.slice(0, split))];
  };
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

  it('lead from every entry of every tree to its root, and from no other entry', () => {
    assert.ok(Object.keys(vectors).length > 0);
    for (let size = 1; size <= 20; size++) {
      const entries = Array.from({ length: size }, (_, i) => ({
        hash: hexOf(`entry ${i}`),
        signature: base64(Buffer.alloc(64, i + 1)),
      }));
      const leaves = entries.map(({ hash, signature }) =>
        sha256(
          Buffer.concat([Buffer.of(0), sha256(Buffer.concat([Buffer.from(hash, 'hex'), Buffer.from(signature, 'base64')]))]),
        ),
      );
      entries.forEach((entry, i) => {
        const note = `origin\n${size}\n${base64(root(leaves))}\n\n\u2014 origin AAAA\n`;
        const proof = ['c2sp.org/tlog-proof@v1', `index ${i}`, ...path(leaves, i).map(base64), '', note].join('\n');
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
