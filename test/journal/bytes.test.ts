import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/store/sqlite.js';
import { openAsIs } from '../../src/app/home/read-only.js';
import { damageFaults } from '../../src/app/home/home.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { RefusalError, unwrap } from '../../src/base/refusal.js';
import { decodeBody, decodeEntry } from '../../src/codec/entry.js';
import { identityOf, publicKeyOf, signerFromSeed } from '../../src/journal/keys.js';
import { consistencyPath, inclusionPath, isConsistent, leafHash, logData, rangeRoot } from '../../src/journal/merkle.js';
import { openCheckpoint, originOf, signCheckpoint, verifierKeyText } from '../../src/journal/note.js';
import { formatProof, openProof, readProof } from '../../src/journal/proof.js';
import { genesis } from '../../src/journal/reader.js';
import { leafOf, Tree } from '../../src/journal/tree.js';
import type { Db } from '../../src/store/database.js';
import { packageRoot } from '../support/package-root.js';
import { homeForEach, submit } from '../support/app/temporary-home.js';
import { readerOf } from './naive-tree.js';
import { alter, findingOf, forgetWitness, refusalAtOpen } from './tamper.js';

interface Example {
  readonly seed: string;
  readonly public_key: string;
  readonly origin: string;
  readonly vkey: string;
  readonly entries: readonly {
    readonly body: string;
    readonly hash: string;
    readonly signature: string;
    readonly log_data: string;
    readonly leaf: string;
  }[];
  readonly roots: readonly string[];
  readonly checkpoints: Readonly<Record<string, string>>;
  readonly proofs: Readonly<Record<string, string>>;
}

const file = join(packageRoot(import.meta.url), 'test', 'vectors', 'journal', 'example.json');
const example = JSON.parse(readFileSync(file, 'utf8')) as Example;
const signer = signerFromSeed(Buffer.from(example.seed, 'hex'));
const leaves = example.entries.map((entry) => Buffer.from(entry.leaf, 'hex'));

describe('the worked example of the journal format', () => {
  it('has its key, identity, origin and verifier key', () => {
    assert.equal(signer.publicKey.toString('hex'), example.public_key);
    assert.equal(signer.identity, identityOf(signer.publicKey));
    assert.deepEqual(publicKeyOf(signer.identity), signer.publicKey);
    assert.equal(originOf(signer.publicKey, null), example.origin);
    assert.equal(verifierKeyText({ name: example.origin, publicKey: signer.publicKey }), example.vkey);
  });

  example.entries.forEach((entry, i) => {
    it(`has the canonical body, hash, signature, log data and leaf of entry ${i + 1}`, () => {
      const parsed: unknown = JSON.parse(entry.body);
      assert.equal(canonicalJson(parsed), entry.body);
      assert.equal(sha256Hex(entry.body), entry.hash);
      assert.equal(signer.sign(Buffer.from(entry.hash, 'hex')).toString('base64'), entry.signature);
      const data = logData(Buffer.from(entry.hash, 'hex'), Buffer.from(entry.signature, 'base64'));
      assert.equal(data.toString('hex'), entry.log_data);
      assert.equal(leafHash(data).toString('hex'), entry.leaf);
      assert.equal(leafOf(entry.hash, entry.signature).toString('hex'), entry.leaf);
    });

    it(`decodes entry ${i + 1}`, () => {
      const body = unwrap(decodeBody(entry.body));
      const row = { seq: i + 1, mission: body.mission, body: entry.body, hash: entry.hash, signature: entry.signature };
      const decoded = unwrap(decodeEntry(row));
      assert.equal(decoded.sequence, i + 1);
      assert.equal(decoded.previous, example.entries[i - 1]?.hash ?? genesis);
      assert.equal(decoded.time, `2026-11-20T05:00:0${i}.000000Z`);
      assert.equal(decoded.incarnation, '0123456789abcdef0123456789abcdef');
      const types = ['control.initialised', 'mission.submitted', 'mission.completed', 'control.paused', 'control.resumed'];
      assert.equal(decoded.event?.type, types[i]);
      assert.deepEqual(decoded.event?.document, (JSON.parse(entry.body) as { document: unknown }).document);
    });
  });

  it('has the roots of every prefix', () => {
    const tree = new Tree();
    leaves.forEach((leaf, i) => {
      tree.append(leaf);
      assert.equal(tree.root().toString('hex'), example.roots[i]);
      assert.equal(rangeRoot(readerOf(leaves), 0, i + 1).toString('hex'), example.roots[i]);
    });
  });

  for (const [size, note] of Object.entries(example.checkpoints)) {
    it(`has the checkpoint of size ${size}`, () => {
      const root = Buffer.from(example.roots[Number(size) - 1] ?? '', 'hex');
      assert.equal(signCheckpoint(signer, example.origin, Number(size), root), note);
      const opened = openCheckpoint(note, signer.publicKey);
      assert.deepEqual(opened, { origin: example.origin, size: Number(size), root, note });
    });
  }

  for (const [name, text] of Object.entries(example.proofs)) {
    const [index = 0, size = 0] = name.split(' of ').map(Number);
    it(`has the proof of index ${name}`, () => {
      const path = inclusionPath(readerOf(leaves), index, size);
      assert.equal(formatProof(index, path, example.checkpoints[size] ?? ''), text);
      const proof = readProof(text);
      assert.ok(proof !== null);
      assert.deepEqual(proof.path, path);
      assert.equal(openProof(proof, leaves[index]!, signer.publicKey)?.size, size);
      assert.equal(openProof(proof, leaves[(index + 1) % 5]!, signer.publicKey), null);
    });
  }

  it('has two consistent checkpoints', () => {
    const root = (size: number): Buffer => Buffer.from(example.roots[size - 1] ?? '', 'hex');
    const path = consistencyPath(readerOf(leaves), 3, 5);
    assert.equal(isConsistent(3, 5, path, root(3), root(5)), true);
    assert.equal(isConsistent(3, 5, path, root(2), root(5)), false);
  });
});

const homes = homeForEach();
const goal = 'a \ufffd b';

/** EF BF BD becomes F0 BF BD, which is decoded to the same character. */
function spoil(db: Db, seq: number): void {
  const bytes = db.prepare<[number], Buffer>('SELECT CAST(body AS BLOB) FROM events WHERE seq = ?').pluck().get(seq);
  assert.ok(bytes !== undefined);
  const before = bytes.toString();
  const at = bytes.indexOf(Buffer.from('\ufffd'));
  bytes[at] = 0xf0;
  assert.equal(bytes.toString(), before);
  db.prepare('UPDATE events SET body = CAST(? AS TEXT) WHERE seq = ?').run(bytes, seq);
}

describe('stored bytes that are no UTF-8', () => {
  it('are not confused with an entry that holds U+FFFD itself', async () => {
    const home = homes.get();
    home.with(({ writer }) => writer.transact(submit(1, goal)));
    for (const deep of [false, true]) assert.equal(await findingOf(home, { deep }), null);
  });

  it('are found when they decode to the same text', async () => {
    const home = homes.get();
    home.with(({ writer }) => [1, 2].map((n) => writer.transact(submit(n, goal))));
    forgetWitness(home);
    alter(home, (db) => spoil(db, 2));
    for (const deep of [false, true]) {
      const finding = await findingOf(home, { deep });
      assert.deepEqual([finding?.code, finding?.sequence], ['integrity', 2]);
      assert.match(finding?.detail ?? '', /stored bytes do not match/);
    }
    assert.deepEqual(refusalAtOpen(home)?.facts, { sequence: 2 });
  });

  it('are found in the newest entry at open', () => {
    const home = homes.get();
    home.with(({ writer }) => writer.transact(submit(1, goal)));
    alter(home, (db) => spoil(db, 2));
    assert.match(refusalAtOpen(home)?.detail ?? '', /entry 2 does not match its hash/);
  });

  it('are not taken over from another process', () => {
    const home = homes.get();
    const [behind, other] = [home.open(), home.open()];
    try {
      other.writer.transact(submit(1, goal));
      const triggers = other.db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'trigger'").pluck().all();
      for (const name of triggers) other.db.exec(`DROP TRIGGER ${name}`);
      spoil(other.db, 2);
      assert.throws(() => behind.writer.transact(submit(3)), /entry 2 does not match its hash/);
    } finally {
      other.close();
      behind.close();
    }
  });
});

/** Overwrites the page of the table `events` that holds a middle entry. */
function spoilPage(file: string): void {
  const db = new Database(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const size = Number(db.pragma('page_size', { simple: true }));
  const pages = db
    .prepare<[], number>("SELECT pageno FROM dbstat WHERE name = 'events' AND pagetype = 'leaf' ORDER BY path")
    .pluck()
    .all();
  db.close();
  const page = pages[Math.floor(pages.length / 2)] ?? 0;
  assert.ok(page > 0);
  const fd = openSync(file, 'r+');
  writeSync(fd, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  closeSync(fd);
}

describe('a page that cannot be read', () => {
  for (const count of [2_000, 5_000]) {
    it(`is a refusal with its reason, in a journal of ${count} entries`, async () => {
      const home = homes.get();
      home.with(({ writer, db }) => {
        db.pragma('synchronous = OFF');
        writer.begin();
        writer.run(Array.from({ length: count }, (_, n) => submit(n + 1)));
      });
      spoilPage(join(home.directory, 'journal.sqlite3'));
      assert.match(refusalAtOpen(home)?.detail ?? '', /journal.sqlite3 is damaged: .*malformed/);
      const opened = openAsIs(home.world, { tolerate: ['config', 'witness', ...damageFaults] });
      try {
        await assert.rejects(verifyHome(opened, { deep: false }), (error) => {
          assert.ok(error instanceof RefusalError, String(error));
          assert.equal(error.refusal.code, 'integrity');
          assert.match(error.refusal.detail, /journal.sqlite3 is damaged: .*malformed/);
          return true;
        });
      } finally {
        opened.close();
      }
    });
  }
});
