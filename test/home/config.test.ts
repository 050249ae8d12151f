import assert from 'node:assert/strict';
import fs, { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { configure, pause, restoreSignedConfig, resume } from '../../src/app/control/control.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { RefusalError, unwrap } from '../../src/base/refusal.js';
import { configCodec, configText } from '../../src/codec/config.js';
import { decode } from '../../src/codec/kit.js';
import type { Home } from '../../src/app/home/home.js';
import { readBlob, readEntry } from '../../src/journal/reader.js';
import { readControl } from '../../src/tables/control.js';
import { sound } from '../journal/inspect.js';
import { laterRefusalOf } from '../support/app/given-home.js';
import { homeForEach } from '../support/app/temporary-home.js';

const homes = homeForEach();
const stored = (): string => join(homes.get().directory, 'config.json');

/** A file with these members, beside the home. */
function candidate(content: unknown): string {
  const file = join(homes.get().root, 'candidate.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}
/** Runs `work`, and `act` just before config.json is read a second time; returns how often it was read. */
function beforeSecondLook(act: () => void, work: () => void): number {
  const open = fs.openSync;
  let looks = 0;
  const opening = ((...args: Parameters<typeof open>) => {
    if (args[0] === stored() && ++looks === 2) act();
    return open(...args);
  }) as typeof open;
  Object.assign(fs, { openSync: opening });
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    Object.assign(fs, { openSync: open });
    syncBuiltinESMExports();
  }
  return looks;
}
const codeOf = async (outcome: Promise<unknown>): Promise<string | null> => (await laterRefusalOf(() => outcome))?.code ?? null;

/** The configuration as it was before an interrupted or edited replacement is back in force. */
const inPausedHome = (work: (home: Home) => void | Promise<void>): Promise<void> =>
  homes.get().with(async (home) => {
    await pause(home, 'me');
    await work(home);
    await sound(home);
  });

describe('the configuration', () => {
  it('is the default in a new home, in canonical form, signed by the first entry', () => {
    const text = readFileSync(stored(), 'utf8');
    assert.equal(text, configText(unwrap(decode(configCodec, {}))));
    assert.equal(
      text,
      '{"allow_code_execution":false,"allow_remote_llm":false,"chain":null,"llm_key_env":"AGENT_LLM_KEY","llm_model":"","llm_timeout":120,"llm_url":"","max_evaluations":10000,"max_output_tokens":1200,"max_source_chars":60000,"name":"alpha-agent"}',
    );
    homes.get().with((home) => {
      const { event } = readEntry(home.db, 1)!;
      assert.equal(event?.type, 'control.initialised');
      assert.equal(event.document.config_hash, sha256Hex(text));
      assert.equal(readBlob(home.db, event.document.config_blob ?? '')?.toString(), text);
    });
  });

  homes.it('is read again while another process may be replacing it', async (home) => {
    await pause(home, 'me');
    const before = readFileSync(stored());
    await configure(home, candidate({ name: 'other' }), 'me');
    const after = readFileSync(stored());
    writeFileSync(stored(), before);
    const looks = beforeSecondLook(
      () => writeFileSync(stored(), after),
      () =>
        assert.equal(
          homes.get().with((other) => other.config().name),
          'other',
        ),
    );
    assert.ok(looks > 1, 'it is looked at once only');
  });

  it('is replaced as a whole, only while paused, and the previous text is erased', () =>
    inPausedHome(async (home) => {
      const first = readControl(home.db).config_blob ?? '';
      await resume(home, 'me');
      assert.equal(await codeOf(configure(home, candidate({ name: 'two' }), 'me')), 'not_paused');
      await pause(home, 'me');
      const report = await configure(home, candidate({ name: 'two', llm_timeout: 30 }), 'alice');
      assert.deepEqual(report.changed, ['llm_timeout', 'name']);
      assert.equal(report.config_hash, sha256Hex(readFileSync(stored(), 'utf8')));
      assert.deepEqual(home.config(), unwrap(decode(configCodec, { name: 'two', llm_timeout: 30 })));
      const { event } = readEntry(home.db, home.writer.head.size)!;
      assert.equal(event?.type, 'control.configured');
      assert.deepEqual([event.document.actor, event.document.erased, event.document.state], ['alice', [first], 'paused']);
      assert.equal(readBlob(home.db, first), null);
      assert.deepEqual((await configure(home, candidate({ name: 'two' }), 'me')).changed, ['llm_timeout']);
    }));

  it('is not replaced when another one came into force while the file was read', () =>
    inPausedHome((home) =>
      homes.get().with(async (other) => {
        const overtaken: Home = {
          ...home,
          transact: async (command) => {
            await configure(other, candidate({ name: 'theirs' }), 'they');
            return home.transact(command);
          },
        };
        assert.equal(await codeOf(configure(overtaken, candidate({ name: 'mine' }), 'me')), 'conflict');
        assert.equal(home.config().name, 'theirs');
      }),
    ));

  it('keeps the last one signed when two are replaced at once', () =>
    inPausedHome((home) =>
      homes.get().with(async (other) => {
        // Another process restores the signed text and replaces it before this one has written its file.
        const transact: Home['transact'] = async (command) => {
          const done = await home.transact(command);
          restoreSignedConfig(other);
          await configure(other, candidate({ name: 'last' }), 'they');
          return done;
        };
        await configure({ ...home, transact }, candidate({ name: 'first' }), 'me');
        assert.equal(home.config().name, 'last');
      }),
    ));

  it('is in no file of the home after it was erased, also while another process has it open', () =>
    inPausedHome((home) =>
      homes.get().with(async () => {
        await configure(home, candidate({ llm_key_env: 'SECRET_MARK' }), 'me');
        await configure(home, candidate({}), 'me');
        for (const name of readdirSync(homes.get().directory))
          assert.equal(readFileSync(join(homes.get().directory, name)).includes('SECRET_MARK'), false, name);
      }),
    ));

  const refused: readonly (readonly [string, unknown, string])[] = [
    ['an unknown member', { name: 'x', nmae: 'y' }, 'invalid'],
    ['an array', [], 'invalid'],
    ['a member twice', '{"name":"a","name":"b"}', 'malformed'],
    ['no JSON', '{"name":', 'malformed'],
  ];
  for (const [name, content, code] of refused) {
    it(`is refused and changes nothing: ${name}`, () =>
      inPausedHome(async (home) => {
        const [size, text] = [home.writer.head.size, readFileSync(stored(), 'utf8')];
        assert.equal(await codeOf(configure(home, candidate(content), 'me')), code);
        assert.equal(home.writer.head.size, size);
        assert.equal(readFileSync(stored(), 'utf8'), text);
      }));
  }

  it('is written back from the signed text after an edit, or a kill between the entry and the file', async () => {
    const before = readFileSync(stored(), 'utf8');
    await homes.get().with(async (home) => {
      await pause(home, 'me');
      await configure(home, candidate({ name: 'two' }), 'me');
    });
    const after = readFileSync(stored(), 'utf8');
    for (const broken of [before, '', after.replace('two', 'six'), `${after}\n`]) {
      writeFileSync(stored(), broken);
      assert.throws(
        () => homes.get().open(),
        (error) => error instanceof RefusalError && error.refusal.hint === 'agent-cli configure --restore-signed',
      );
      assert.equal(readFileSync(stored(), 'utf8'), broken);
      homes.get().with(
        (home) => {
          assert.throws(() => home.config(), RefusalError);
          restoreSignedConfig(home);
        },
        { tolerate: ['config'] },
      );
      assert.equal(readFileSync(stored(), 'utf8'), after);
      homes.get().with((home) => assert.equal(home.config().name, 'two'));
    }
  });
});
