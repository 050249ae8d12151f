/** Witnesses that misbehave: each is a warning that names it, nothing of theirs is kept, and publishing goes on. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkpoint } from '../../src/app/log/checkpoint.js';
import { publish } from '../../src/app/log/publish/publish.js';
import { addWitness } from '../../src/app/log/witness.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { verifierKeyText } from '../../src/journal/note.js';
import { latestNote } from '../../src/journal/reader.js';
import { homeForEach, submit } from '../support/temporary-home.js';
import { witnessServer, type Behaviour, type WitnessServer } from '../support/witness-server.js';

const homes = homeForEach();
const out = (): string => join(homes.get().root, 'public');

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
  it('is registered with a warning that names what its operator needs', async () => {
    const home = homes.get().open();
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
    home.close();
  });
});
