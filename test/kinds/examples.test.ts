/** The example missions: their bytes change on purpose alone, because people keep them and the results that they gave. */
import assert from 'node:assert/strict';
import { sha256Hex } from '../../src/base/hash.js';
import { kinds, type Kind } from '../../src/codec/kinds.js';
import { exampleText } from '../../src/app/missions/examples.js';

const hashes: Readonly<Record<Kind, string>> = {
  research: 'c874a61a4d8957279ecb373b8b2c6655962fd478fb8a99230ca14fca27081d47',
  allocation: 'a6170a30cc4b28743515c80e31424b05b462ae1e140a8f15aeae3b0e4e40b3b9',
  schedule: 'ee304e6aaeb7b6bf036e0b44f09e3c820db279bdc5a9651f6ad0c02cefc89ab3',
  forecast: 'bf8577ff818640889b2048482f9d3567bf7d897fd134d24d92a50fe40b240cba',
  code: '03683eb04208fded44d7d62abe61a0f0bf3db7b36778fc2d46a4c1690c2bc9df',
};

describe('examples', () => {
  for (const kind of kinds) {
    it(`are written with known bytes: ${kind}.json`, () => {
      assert.equal(sha256Hex(exampleText(kind)), hashes[kind]);
    });
  }
});
