/** The file api.token is read again when it changed, and as long as a change could not be seen. */
import assert from 'node:assert/strict';
import fs, { chmodSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { authenticator } from '../../src/app/tokens/authenticate.js';
import { tokenFileReader } from '../../src/app/tokens/token-file.js';
import { sha256Hex } from '../../src/base/hash.js';
import { created, fileToken, rotated, working } from '../support/given-tokens.js';
import { folderForEach, homeForEach } from '../support/temporary-home.js';

const folders = folderForEach();
const homes = homeForEach();
const admin = { name: 'api', role: 'admin' };
const letters = (letter: string): string => letter.repeat(43);

type Look = Record<'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs', bigint>;

/** Runs `work` while every look at a file says that it is the same one, last changed `age_ms` ago; answers how often it was read. */
function whileLooksStay(file: string, age_ms: number, work: (stat: Look) => void): number {
  const { lstatSync, fstatSync, readFileSync } = fs;
  const stat = Object.assign(lstatSync(file, { bigint: true }), { ctimeMs: BigInt(Date.now() - age_ms) });
  let reads = 0;
  const reading = ((...args: Parameters<typeof readFileSync>) => {
    reads++;
    return readFileSync(...args);
  }) as typeof readFileSync;
  Object.assign(fs, { lstatSync: () => stat, fstatSync: () => stat, readFileSync: reading });
  syncBuiltinESMExports();
  try {
    work(stat);
  } finally {
    Object.assign(fs, { lstatSync, fstatSync, readFileSync });
    syncBuiltinESMExports();
  }
  return reads;
}

describe('the reader of api.token', () => {
  const given = (): { readonly file: string; readonly hex: () => string | null; readonly write: (letter: string) => void } => {
    const file = join(folders.get(), 'api.token');
    const write = (letter: string): void => fs.writeFileSync(file, letters(letter));
    write('a');
    const read = tokenFileReader(file);
    return { file, hex: () => read()?.toString('hex') ?? null, write };
  };

  it('reads a file again that changed a moment ago, whatever it looks like', () => {
    const { file, hex, write } = given();
    const reads = whileLooksStay(file, 0, () => {
      for (const letter of ['a', 'b', 'c']) {
        write(letter);
        assert.equal(hex(), sha256Hex(letters(letter)));
      }
    });
    assert.equal(reads, 3);
  });

  it('reads a file once that did not change for long', () => {
    const { file, hex } = given();
    const reads = whileLooksStay(file, 3_600_000, () => {
      for (let n = 0; n < 100; n++) assert.equal(hex(), sha256Hex(letters('a')));
    });
    assert.equal(reads, 1);
  });

  it('reads a file again whose look changed in any way, and no huge one', () => {
    const { file, hex, write } = given();
    const reads = whileLooksStay(file, 3_600_000, (stat) => {
      for (const [i, member] of (['dev', 'ino', 'mtimeNs', 'ctimeNs', 'size'] as const).entries()) {
        hex();
        write('bcdef'.charAt(i));
        stat[member] += 1n;
        assert.equal(hex(), sha256Hex(letters('bcdef'.charAt(i))), member);
      }
      stat.size = 1_025n;
      assert.equal(hex(), null);
    });
    assert.equal(reads, 6);
  });

  it('reads a file again whose time is ahead of the clock', () => {
    const { file, hex } = given();
    const reads = whileLooksStay(file, -3_600_000, () => {
      for (let n = 0; n < 5; n++) hex();
    });
    assert.equal(reads, 5);
  });

  it('finds none in what is no file', () => {
    const { file, hex } = given();
    fs.rmSync(file);
    assert.equal(hex(), null);
    fs.mkdirSync(file);
    assert.equal(hex(), null);
    fs.rmdirSync(file);
    fs.writeFileSync(file, letters('b'));
    assert.equal(hex(), sha256Hex(letters('b')));
  });
});

describe('authenticate and the file api.token', () => {
  it('takes what it holds, not what the newest rotation recorded', async () => {
    await working(homes.get(), async (home) => {
      const token = await rotated(home, 'api');
      writeFileSync(home.paths.apiToken, letters('a'));
      assert.deepEqual([authenticator(home)(token), authenticator(home)(letters('a'))], [null, admin]);
    });
  });

  it('takes what it holds now, however it was changed', async () => {
    await working(homes.get(), async (home) => {
      const { apiToken } = home.paths;
      const authenticate = authenticator(home);
      const first = fileToken(home);
      for (const letter of ['a', 'b', 'c', 'd']) {
        writeFileSync(apiToken, letters(letter));
        assert.deepEqual(authenticate(letters(letter)), admin);
        assert.equal(authenticate(first), null);
      }
      assert.equal(authenticate(letters('c')), null);
      writeFileSync(`${apiToken}.new`, `${letters('e')}\n`);
      renameSync(`${apiToken}.new`, apiToken);
      assert.deepEqual([authenticate(letters('d')), authenticate(letters('e'))], [null, admin]);
    });
  });

  it('lets nobody in where there is no token', async () => {
    await working(homes.get(), async (home) => {
      const { apiToken } = home.paths;
      const authenticate = authenticator(home);
      const token = fileToken(home);
      const named = await created(home, 'ci', 'viewer');
      const attempts: readonly (readonly [string, () => void])[] = [
        ['empty', () => truncateSync(apiToken)],
        ['short', () => writeFileSync(apiToken, token.slice(1))],
        ['a space', () => writeFileSync(apiToken, `${token} `)],
        ['an empty line', () => writeFileSync(apiToken, `${token}\n\n`)],
        ['two lines', () => writeFileSync(apiToken, `${token}\n${token}\n`)],
        ['huge', () => writeFileSync(apiToken, token.repeat(100_000))],
        ['gone', () => rmSync(apiToken)],
        [
          'a link',
          () => {
            writeFileSync(`${apiToken}.other`, token);
            symlinkSync(`${apiToken}.other`, apiToken);
          },
        ],
      ];
      for (const [title, change] of attempts) {
        change();
        for (const bearer of [token, '', token.slice(1), `${token}\n${token}`]) assert.equal(authenticate(bearer), null, title);
        assert.equal(authenticate(named)?.name, 'ci', title);
      }
      rmSync(apiToken);
      writeFileSync(apiToken, token);
      assert.deepEqual(authenticate(token), admin);
      if (process.platform === 'win32' || process.getuid?.() === 0) return;
      chmodSync(apiToken, 0o000);
      assert.equal(authenticate(token), null);
      chmodSync(apiToken, 0o600);
      assert.deepEqual(authenticate(token), admin);
    });
  });
});
