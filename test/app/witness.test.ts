/** `witness add`, cosigned checkpoints and cosigned publishing, against a witness that keeps to the protocol. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/store/sqlite.js';
import { pause, resume } from '../../src/app/control/control.js';
import type { Home } from '../../src/app/home/home.js';
import {
  addWitness,
  checkpoint,
  cosignedCheckpoint,
  listWitnesses,
  newestCheckpoint,
  prove,
} from '../../src/app/log/checkpoint.js';
import { publish } from '../../src/app/log/publish.js';
import { noteText, openCosignature } from '../../src/journal/cosignature.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { cosignature_type, keyIdOf, type NamedKey, readVerifierKey, verifierKeyText } from '../../src/journal/note.js';
import { latestNote, readEntry } from '../../src/journal/reader.js';
import { findingOf, forgetVerified } from '../journal/tamper.js';
import { rejectsRefusal } from '../support/app/given-home.js';
import { readPublished } from '../support/app/published.js';
import { homeForEach, submit } from '../support/app/temporary-home.js';
import { type Behaviour, cosigner, witnessServer, type WitnessServer } from '../support/witness/witness-server.js';
import { keptForEach, membersOf } from '../support/lists.js';

const homes = homeForEach();
const kept = keptForEach<WitnessServer>((server) => server.close());

const vkeyOf = (home: Home): string => checkpoint(home, undefined).vkey;
const witness = async (home: Home, name?: string): Promise<WitnessServer> => kept(await witnessServer([vkeyOf(home)], name));
const add = (home: Home, { url, vkey }: { url: string; vkey: string }): ReturnType<typeof addWitness> =>
  addWitness(home, { url, vkey, actor: 'me' });
const out = (): string => join(homes.get().root, 'public');
const keyOf = ({ vkey }: WitnessServer): NamedKey => readVerifierKey(vkey, cosignature_type) as NamedKey;

describe('a witness', () => {
  homes.it('is registered by an event and sent a request at once', async (home) => {
    const server = await witness(home);
    const added = await add(home, server);
    assert.deepEqual(
      { ...added, added_at: '' },
      { name: server.name, url: server.url, vkey: server.vkey, added_at: '', cosigned: 2, warnings: [] },
    );
    const { event, stream } = readEntry(home.db, 2)!;
    assert.deepEqual([event?.type, stream], ['control.witness_added', '@control']);
    assert.deepEqual(event?.document, { name: server.name, url: server.url, vkey: server.vkey, actor: 'me' });
    const [request] = server.requests;
    assert.deepEqual([server.requests.length, request?.method, request?.path], [1, 'POST', '/add-checkpoint']);
    assert.equal(request?.body, `old 0\n\n${newestCheckpoint(home).note}`);
    const [item] = listWitnesses(home).items;
    assert.deepEqual({ ...item, warnings: [] }, added);
  });

  it('records no event when it is added again, and records a new address', () =>
    homes
      .get()
      .with(async (home) => {
        const server = await witness(home);
        const wrong = { url: 'http://127.0.0.1:1', vkey: server.vkey };
        assert.match((await add(home, wrong)).warnings[0] ?? '', /no response/);
        const moved = await add(home, server);
        assert.deepEqual([moved.url, moved.cosigned, moved.warnings], [server.url, 3, []]);
        assert.deepEqual(await add(home, server), moved);
        assert.deepEqual([home.writer.head.size, server.requests.length, listWitnesses(home).items.length], [3, 1, 1]);
        const other = await witness(home, 'w2');
        assert.match((await rejectsRefusal(add(home, { ...other, url: server.url }), 'exists')).detail, /this url/);
        await add(home, other);
        assert.match((await rejectsRefusal(add(home, { url: other.url, vkey: server.vkey }), 'exists')).detail, /this url/);
      })
      .then(async () => assert.equal(await findingOf(homes.get(), { deep: true }), null)));

  homes.it('is refused when its name, address or key is already registered, and nothing is recorded or sent', async (home) => {
    const server = await witness(home);
    await add(home, server);
    const stranger = cosigner(server.name).vkey;
    const renamed = await witness(home, 'witness.example/w2');
    assert.match((await rejectsRefusal(add(home, { url: 'https://a.example', vkey: stranger }), 'exists')).detail, /this name/);
    assert.match((await rejectsRefusal(add(home, { url: `${server.url}/`, vkey: renamed.vkey }), 'exists')).detail, /this url/);
    assert.deepEqual([home.writer.head.size, server.requests.length, renamed.requests.length], [2, 1, 0]);
    await add(home, renamed);
    assert.deepEqual(membersOf(listWitnesses(home).items, 'name'), [server.name, renamed.name]);
  });

  homes.it("is refused with a wrong address, a log's key or this home's own key, with the path", async (home) => {
    const { vkey } = cosigner('w');
    const own = home.signer.publicKey;
    for (const [url, key, path, message] of [
      ['http://witness.example', vkey, 'url', /must use https/],
      ['https://w.example', vkeyOf(home), 'vkey', /key of a witness \(cosignature\/v1, type 4\); this one has type 1/],
      ['https://w.example', 'w', 'vkey', /must be a verifier key/],
      ['https://w.example', vkeyFor('w', own), 'vkey', /this home's own key/],
    ] as const) {
      const { errors } = await rejectsRefusal(add(home, { url, vkey: key }), 'invalid');
      assert.equal(errors?.[0]?.path, path);
      assert.match(errors?.[0]?.message ?? '', message);
    }
    assert.equal(home.writer.head.size, 1);
  });

  homes.it('is registered while the home is paused', async (home) => {
    await pause(home, 'me');
    assert.equal((await add(home, await witness(home))).cosigned, 3);
  });
});

describe('cosignatures', () => {
  homes.it('are in the published checkpoint, as far as they were received, and readers accept it', async (home) => {
    const [one, two] = [await witness(home), await witness(home, 'w2')];
    for (const server of [one, two]) await add(home, server);
    home.writer.transact(submit(7));
    two.behaviour = 'error';
    const report = await publish(home, { directory: out() });
    assert.deepEqual([report.cosignatures, report.warnings], [[one.name], ['witness w2: it responded with status 500']]);
    const note = readFileSync(join(out(), 'checkpoint'), 'utf8');
    assert.equal(readPublished(out(), home.signer.publicKey)?.size, 4);
    const [, , line = ''] = note.slice(note.lastIndexOf('\n\n') + 1).split('\n');
    assert.equal(openCosignature(line, keyOf(one), noteText(note) ?? ''), one.time);
    // The other one is sent another request, and only the checkpoint is written again.
    two.behaviour = 'honest';
    const [asked, next] = [one.requests.length, await publish(home, { directory: out() })];
    assert.deepEqual([next.cosignatures, next.warnings, next.written], [[one.name, 'w2'], [], 1]);
    assert.equal(one.requests.length, asked);
    assert.equal((await publish(home, { directory: out() })).written, 0);
  });

  homes.it('follow the log: each request begins at the size that the witness has', async (home) => {
    const server = await witness(home);
    await add(home, server);
    for (let n = 0; n < 5; n++) {
      home.writer.transact(submit(n));
      assert.equal((await publish(home, { directory: out() })).cosignatures.length, 1);
    }
    const old = server.requests.map(({ body }) => body.split('\n')[0]);
    assert.deepEqual(old, ['old 0', 'old 2', 'old 3', 'old 4', 'old 5', 'old 6']);
  });

  it('are printed by checkpoint --cosign, kept, and no longer requested; proofs carry them', async () => {
    const file = join(homes.get().root, 'cosigned.txt');
    await homes.get().with(async (home) => {
      const server = await witness(home);
      await add(home, server);
      home.writer.transact(submit(1));
      const before = server.requests.length;
      const report = await cosignedCheckpoint(home, file);
      assert.deepEqual([report.cosignatures, report.warnings, report.output], [[server.name], [], file]);
      assert.equal(readFileSync(file, 'utf8'), report.note);
      assert.equal((await cosignedCheckpoint(home, undefined)).note, report.note);
      assert.equal(server.requests.length, before + 1);
      assert.ok(prove(home, { sequence: 1 }).proof.endsWith(report.note));
      assert.ok(checkpoint(home, undefined).note.length < report.note.length);
      await resume(home, 'me');
      home.writer.transact(submit(2));
    });
    // Whoever knows only the log's key passes over the lines of others.
    assert.equal(await findingOf(homes.get(), { deep: true, against: file }), null);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/\n3\n/, '\n4\n'));
    assert.equal((await findingOf(homes.get(), { deep: false, against: file }))?.code, 'verification_failed');
  });

  it('are not published when they were altered, and verify names them', async () => {
    const server = await homes.get().with(async (home) => {
      const server = await witness(home);
      await add(home, server);
      return server;
    });
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
    const db = new Database(join(homes.get().directory, 'journal.sqlite3'));
    assert.throws(() => db.exec("UPDATE cosignature SET line = ''"), /append-only/);
    assert.throws(() => db.exec('DELETE FROM cosignature'), /append-only/);
    const { sql } = db.prepare<[], { sql: string }>("SELECT sql FROM sqlite_master WHERE name = 'cosignature_update'").get()!;
    db.exec('DROP TRIGGER cosignature_update');
    db.exec(`UPDATE cosignature SET line = replace(line, '${server.name}', 'other')`);
    db.exec(sql);
    db.close();
    const finding = await findingOf(homes.get(), { deep: false });
    assert.deepEqual([finding?.code, finding?.sequence], ['integrity', 2]);
    assert.match(finding?.detail ?? '', /cosignature of witness.example\/w1 on the checkpoint of size 2 does not verify/);
    server.behaviour = 'error';
    forgetVerified(homes.get());
    await homes.get().with(async (home) => {
      assert.deepEqual((await publish(home, { directory: out() })).cosignatures, []);
    });
  });
});

/** A verifier key of a witness for a key that is not one's own. */
function vkeyFor(name: string, publicKey: Buffer): string {
  const bytes = Buffer.concat([Buffer.of(cosignature_type), publicKey]);
  return `${name}+${keyIdOf(name, cosignature_type, publicKey).toString('hex')}+${bytes.toString('base64')}`;
}

interface Outcome {
  readonly warnings: readonly string[];
  readonly cosignatures: readonly string[];
  readonly requests: number;
}

/** Registers an honest witness, which then behaves otherwise while the next checkpoint is published. */
async function publishWith(prepare: (server: WitnessServer) => void, logs?: (vkey: string) => string[]): Promise<Outcome> {
  const home = homes.get().open();
  const { vkey } = checkpoint(home, undefined);
  const server = await witnessServer(logs?.(vkey) ?? [vkey]);
  try {
    await addWitness(home, { url: server.url, vkey: server.vkey, actor: 'me' });
    home.writer.transact(submit(1));
    prepare(server);
    const before = server.requests.length;
    const { warnings, cosignatures, size } = await publish(home, { directory: out() });
    assert.equal(size, 3);
    const kept = home.db.prepare('SELECT count(*) FROM cosignature WHERE size = 3').pluck().get();
    assert.equal(kept, cosignatures.length);
    const published = readFileSync(join(out(), 'checkpoint'), 'utf8');
    assert.equal(published.startsWith(latestNote(home.db)?.note ?? '-'), true);
    assert.equal(published.trimEnd().split('\n').length, 5 + cosignatures.length);
    return { warnings, cosignatures, requests: server.requests.length - before };
  } finally {
    await server.close();
    home.close();
  }
}

describe('a faulty witness', () => {
  const cases: readonly (readonly [Behaviour, RegExp, number])[] = [
    ['always-409', /it responds with status 409 for every old size/, 2],
    ['odd-409', /its 409 names no size$/, 1],
    ['ahead', /has cosigned 1000000 entries of this log, which has 3: this home may have been put back/, 1],
    ['garbage', /holds no valid cosignature of its key/, 1],
    ['empty', /holds no valid cosignature of its key/, 1],
    ['huge', /no response \(a response of more than 65536 bytes\)/, 1],
    ['bad-signature', /holds no valid cosignature of its key/, 1],
    ['wrong-key', /holds no valid cosignature of its key/, 1],
    ['wrong-text', /holds no valid cosignature of its key/, 1],
    ['not-utf8', /no response \(a response that is not UTF-8\)/, 1],
    ['redirect', /it responded with status 307/, 1],
    ['hangs-up', /no response \(ECONNRESET\)/, 1],
    ['error', /it responded with status 500/, 1],
  ];
  for (const [behaviour, warning, requests] of cases) {
    it(behaviour, async () => {
      const outcome = await publishWith((server) => void (server.behaviour = behaviour));
      assert.equal(outcome.warnings.length, 1);
      assert.match(outcome.warnings[0] ?? '', /^witness witness\.example\/w1: /);
      assert.match(outcome.warnings[0] ?? '', warning);
      assert.deepEqual([outcome.cosignatures, outcome.requests], [[], requests]);
    });
  }

  for (const [what, time] of [
    ['at no time', () => 0n],
    ['in two days', () => BigInt(homes.get().clock.now / 1_000) + 2n * 86_400n],
  ] as const) {
    it(`gives a warning when its cosignature is dated ${what}`, async () => {
      const { warnings, cosignatures } = await publishWith((server) => void (server.time = time()));
      assert.match(warnings[0] ?? '', /its cosignature is dated \d+ s since 1970, which is not the current time$/);
      assert.deepEqual([warnings.length, cosignatures], [1, []]);
    });
  }

  it('gives a warning when it is gone', async () => {
    const { warnings } = await publishWith((server) => void server.close());
    assert.match(warnings[0] ?? '', /^witness witness\.example\/w1: no response \(ECONN(?:REFUSED|RESET)\)$/);
  });

  it('gives a warning when it has another root of the same size, or of an older one', async () => {
    const forge =
      (size: number) =>
      (server: WitnessServer): void => {
        for (const origin of server.state.keys()) server.state.set(origin, { size, root: Buffer.alloc(32, 1) });
      };
    assert.match(
      (await publishWith(forge(3))).warnings[0] ?? '',
      /another checkpoint of this size: this log may have been forked/,
    );
  });

  it('gives a warning when it finds the log inconsistent', async () => {
    const { warnings, requests } = await publishWith((server) => {
      for (const origin of server.state.keys()) server.state.set(origin, { size: 2, root: Buffer.alloc(32, 1) });
    });
    assert.match(warnings[0] ?? '', /inconsistent with what it has cosigned before/);
    assert.equal(requests, 1);
  });

  it('is sent one more request, from the beginning, when it has lost its state', async () => {
    const { warnings, cosignatures, requests } = await publishWith((server) => void (server.behaviour = 'forgetful'));
    assert.deepEqual([warnings, cosignatures, requests], [[], ['witness.example/w1'], 2]);
  });

  it('adds lines of unknown keys, which are ignored', async () => {
    const { warnings, cosignatures } = await publishWith((server) => void (server.behaviour = 'with-others'));
    assert.deepEqual([warnings, cosignatures], [[], ['witness.example/w1']]);
  });
});

describe('a witness that does not know the log', () => {
  homes.it('is registered with a warning that names what its operator needs', async (home) => {
    const stranger = signerFromSeed(Buffer.alloc(32, 5));
    const { origin } = checkpoint(home, undefined);
    for (const [i, [logs, why]] of (
      [
        [[], /does not know this log; give its operator the verifier key that agent-cli checkpoint prints/],
        [[verifierKeyText({ name: origin, publicKey: stranger.publicKey })], /does not accept this log's signature/],
      ] as const
    ).entries()) {
      const server = await witnessServer(logs, `w${i}`);
      const { cosigned, warnings } = await addWitness(home, { url: server.url, vkey: server.vkey, actor: 'me' });
      await server.close();
      assert.deepEqual([cosigned, warnings.length], [null, 1]);
      assert.match(warnings[0] ?? '', why);
    }
    assert.equal(home.writer.head.size, 3);
  });
});
