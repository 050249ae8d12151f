/** `publish`: directories that hold something else, and journals that are not what they were. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { acceptRollback } from '../../src/app/control/control.js';
import { publish } from '../../src/app/log/publish.js';
import type { Refusal } from '../../src/base/refusal.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { signCheckpoint } from '../../src/journal/note.js';
import { alter, findingOf, flip, forgetWitness } from '../journal/tamper.js';
import { laterRefusalOf } from '../support/app/given-home.js';
import { copyTree, homeForEach, submit, temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';
import { filesIn, grow, publishTo, readPublished } from '../support/app/published.js';

const homes = homeForEach();
const out = (): string => join(homes.get().root, 'public');

/** Refusals of publish, which leave existing files unchanged. */
async function refusal(home: TemporaryHome = homes.get(), directory = out()): Promise<Refusal> {
  const before = filesIn(directory);
  const refused = await refusedAt(home, directory);
  const after = filesIn(directory);
  for (const [name, content] of before) assert.equal(after.get(name), content, name);
  return refused;
}

/** The same with links in the directory, which are not followed. */
const refusedAt = (home: TemporaryHome = homes.get(), directory = out()): Promise<Refusal> =>
  home.with(
    async (opened) => (await laterRefusalOf(() => publish(opened, { directory }))) ?? assert.fail(`not refused: ${directory}`),
  );

describe('publish into a directory that is not ours', () => {
  it('refuses the log of another home with a conflict, and the hint names another directory', async () => {
    const other = temporaryHome();
    try {
      await publishTo(other, out());
      const { code, detail, hint } = await refusal();
      assert.equal(code, 'conflict');
      assert.match(
        detail,
        /public\/checkpoint belongs to another log, agent-journal\/[0-9a-f]{16}; it was not changed\. Publish into another directory$/,
      );
      assert.equal(hint, 'agent-cli publish ANOTHER-DIRECTORY');
    } finally {
      other.remove();
    }
  });

  for (const [name, content] of [
    ['a text', 'hello\n'],
    ['nothing', ''],
    ['bytes', Buffer.of(0xff, 0xfe, 0)],
    ['too much', Buffer.alloc(70_000, 0x61)],
  ] as const) {
    it(`refuses a checkpoint that is ${name} with a conflict`, async () => {
      mkdirSync(out());
      writeFileSync(join(out(), 'checkpoint'), content);
      const { code, detail } = await refusal();
      assert.deepEqual([code, detail.includes('checkpoint is not a checkpoint;')], ['conflict', true], detail);
    });
  }

  it('refuses our own origin under another signature with a conflict', async () => {
    mkdirSync(out());
    const { origin } = homes.get().with(({ writer }) => writer);
    const stranger = signerFromSeed(Buffer.alloc(32, 9));
    writeFileSync(join(out(), 'checkpoint'), signCheckpoint(stranger, origin, 1, Buffer.alloc(32)));
    const { code, detail } = await refusal();
    assert.deepEqual([code, detail.includes("is not signed by this home's key;")], ['conflict', true]);
  });

  for (const [what, make] of [
    ['a file where a directory belongs', () => writeFileSync(join(out(), 'tile'), 'mine')],
    ['a directory where a file belongs', () => mkdirSync(join(out(), 'checkpoint'))],
    ['a link where a file belongs', () => symlinkSync(join(homes.get().directory, 'config.json'), join(out(), 'checkpoint'))],
  ] as const) {
    it(`refuses ${what} with a conflict`, async () => {
      mkdirSync(out());
      make();
      const { code, detail } = await refusal();
      assert.deepEqual([code, /is in the way and is left unchanged/.test(detail)], ['conflict', true], detail);
    });
  }

  it('refuses a link at any level of the path with a conflict, and writes nothing through it', async () => {
    const elsewhere = join(homes.get().root, 'elsewhere');
    grow(homes.get(), 300);
    for (const level of ['tile', 'tile/0', 'tile/entries', 'tile/0/001.p']) {
      rmSync(out(), { recursive: true, force: true });
      mkdirSync(elsewhere, { recursive: true });
      mkdirSync(join(out(), dirname(level)), { recursive: true });
      symlinkSync(elsewhere, join(out(), level));
      const { code, detail } = await refusedAt();
      assert.deepEqual([code, detail.startsWith(`${join(out(), level)} is in the way`)], ['conflict', true], detail);
      assert.deepEqual(readdirSync(elsewhere), [], level);
    }
    rmSync(out(), { recursive: true, force: true });
    symlinkSync(elsewhere, out());
    assert.equal((await publishTo(homes.get(), out())).size, 300, 'the directory itself may be one');
  });

  it('refuses an empty name and the witness directory as invalid', async () => {
    const witness = homes.get().with(({ world }) => world.env['AGENT_WITNESS'] ?? '');
    for (const place of ['', ' ', witness, join(witness, 'public')]) {
      const { code, errors } = await refusedAt(homes.get(), place);
      assert.deepEqual([code, errors?.[0]?.path], ['invalid', 'directory'], place);
    }
  });

  it('refuses the home itself and any directory in it or above it as invalid', async () => {
    const { directory, root } = homes.get();
    symlinkSync(directory, join(root, 'link'));
    for (const place of [directory, join(directory, 'x', 'y'), join(root, 'link', 'x'), root, '/']) {
      assert.equal((await refusedAt(homes.get(), place)).code, 'invalid', place);
    }
  });
});

describe('publish from an altered or older journal', () => {
  /** Publishes newer entries, and puts the home back to a copy that lacks them. */
  async function publishAndGoBack(): Promise<void> {
    const old = join(homes.get().root, 'old');
    copyTree(homes.get().directory, old);
    grow(homes.get(), 5);
    await publishTo(homes.get(), out());
    rmSync(homes.get().directory, { recursive: true });
    copyTree(old, homes.get().directory);
  }

  it('refuses an older copy of the home as a rollback, also without any witness', async () => {
    await publishAndGoBack();
    forgetWitness(homes.get());
    const first = await refusal();
    assert.deepEqual([first.code, first.facts?.['checkpoint_size'], first.facts?.['journal_size']], ['rollback', 5, 1]);
    homes.get().with(({ writer }) => Array.from({ length: 9 }, (_, i) => writer.transact(submit(70 + i))));
    const second = await refusal();
    assert.equal(second.code, 'fork');
    assert.match(second.hint ?? '', /put the newest copy of the home back/);
  });

  it('refuses the old directory with a hint after an accepted rollback, and begins another one', async () => {
    await publishAndGoBack();
    const { origin } = await homes
      .get()
      .with(async (home) => await acceptRollback(home, 'me', 'lost'), { tolerate: ['witness'] });
    const { code, detail, hint } = await refusal();
    assert.equal(code, 'conflict');
    assert.ok(detail.includes(`since its restore or rollback this journal is ${origin};`), detail);
    assert.equal(hint, 'agent-cli publish ANOTHER-DIRECTORY');
    const other = join(homes.get().root, 'public-2');
    assert.equal((await publishTo(homes.get(), other)).origin, origin);
    assert.equal(
      readPublished(
        other,
        homes.get().with(({ signer }) => signer.publicKey),
      )?.size,
      2,
    );
  });

  for (const [name, at] of [
    ['tile/0/000', 0],
    ['tile/0/000', 8_191],
    ['tile/entries/000', 1],
    ['tile/entries/000', 8_703],
    ['tile/0/001.p/44', 7],
    ['tile/entries/001.p/44', 40],
    ['tile/1/000.p/1', 31],
  ] as const) {
    it(`refuses an altered byte ${at} of the published ${name} with integrity, and leaves the file unchanged`, async () => {
      grow(homes.get(), 300);
      await publishTo(homes.get(), out());
      const bytes = readFileSync(join(out(), name));
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(join(out(), name), bytes);
      grow(homes.get(), 301);
      // An older partial tile is no longer checked.
      if (name.includes('001.p')) return void (await publishTo(homes.get(), out()));
      const { code, detail } = await refusal();
      assert.deepEqual([code, detail.startsWith(join(out(), name))], ['integrity', true], detail);
    });
  }

  for (const cut of [0, 100, 9_000]) {
    it(`refuses a published tile of ${cut} bytes with integrity`, async () => {
      grow(homes.get(), 256);
      await publishTo(homes.get(), out());
      writeFileSync(join(out(), 'tile/0/000'), Buffer.alloc(cut));
      assert.equal((await refusal()).code, 'integrity');
    });
  }

  it('does not publish a stored tile that does not match the entries', async () => {
    grow(homes.get(), 600);
    mkdirSync(out());
    const opened = homes.get().open();
    alter(homes.get(), (db) => flip(db, 'tile', 'hashes', 'level = 0 AND n = 0', 70));
    await assert.rejects(() => publish(opened, { directory: out() }), /tile 0\/0 of the journal does not match its entries/);
    opened.close();
    assert.equal((await findingOf(homes.get(), { deep: false }))?.code, 'integrity');
    assert.deepEqual([...filesIn(out()).keys()], []);
  });
});
