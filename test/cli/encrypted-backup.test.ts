/** Encrypted backups at the command line: the passphrase by a file or at the terminal, never shown. */
import { deepStrictEqual, doesNotMatch, match, strictEqual } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPassphrase } from '../../src/app/backup/passphrase.js';
import { homeScratch, lineOnTerminal, type Scratch, talkOnTerminal, whyNoTerminal } from '../support/cli/cli-run.js';
import { real } from '../support/real.js';

const passphrase = 'correct horse battery staple';
const why = whyNoTerminal();
const itOnTerminal = (title: string, test: () => Promise<void>): unknown =>
  why === null ? it(title, test) : it.skip(`${title} [skipped, ${why}]`, test);

describe('backup --encrypt', () => {
  let place: Scratch;
  before(() => {
    place = homeScratch();
    writeFileSync(join(place.directory, 'secret.txt'), `${passphrase}\n`, { mode: 0o600 });
  });
  after(() => place.remove());

  const refused = (detail: RegExp, ...args: readonly string[]): void => {
    const { code, stdout, stderr } = place.run(...args);
    strictEqual(code, 2, stderr);
    strictEqual(stdout, '');
    match(stderr, detail);
    doesNotMatch(stderr, /staple|another secret/);
  };

  it('reads the passphrase from a file, and reports another one in one line', () => {
    const made = place.run('backup', 'a.zip', '--encrypt', '--passphrase-file', 'secret.txt', '--strict-files');
    deepStrictEqual([made.code, made.stderr], [0, '']);
    match(made.stdout, /a\.zip\.age/);
    writeFileSync(join(place.directory, 'other.txt'), 'another secret', { mode: 0o600 });
    refused(
      /^✗ Unauthorized: \S*a\.zip\.age is encrypted with another passphrase\n/,
      '--home',
      'back',
      'restore',
      'a.zip.age',
      '--passphrase-file',
      'other.txt',
    );
    strictEqual(existsSync(join(place.directory, 'back')), false);
  });

  it('warns of a passphrase file that others can read, and refuses it with --strict-files', () => {
    const file = join(place.directory, 'shown.txt');
    writeFileSync(file, `${passphrase}\n`);
    chmodSync(file, 0o640);
    symlinkSync('shown.txt', join(place.directory, 'to-shown.txt'));
    const fault = 'has mode 0640, others could use it';
    const backup = ['backup', 'shown.zip', '--encrypt', '--passphrase-file', 'to-shown.txt'];
    refused(new RegExp(`passphrase-file: to-shown.txt ${fault}`), ...backup, '--strict-files');
    strictEqual(existsSync(join(place.directory, 'shown.zip.age')), false);
    const made = place.run(...backup);
    deepStrictEqual([made.code, made.stderr], [0, `! the passphrase file to-shown.txt ${fault}\n`]);
    const restore = ['--home', 'back', 'restore', 'a.zip.age', '--passphrase-file', 'shown.txt'];
    refused(new RegExp(`shown.txt ${fault}`), ...restore, '--strict-files');
    const { warnings } = JSON.parse(place.run(...restore, '--json').stdout) as { readonly warnings: readonly string[] };
    deepStrictEqual(warnings, [`the passphrase file shown.txt ${fault}`]);
  });

  it('refuses files that are no passphrase, and asks nobody where no terminal is', () => {
    const backup = ['backup', 'b.zip', '--encrypt'];
    for (const [name, text, detail] of [
      ['empty', '\n', /is empty/],
      ['lines', 'one line\nanother secret', /more than one line/],
      ['short', 'seven77', /at least 8 characters/],
      ['long', 'x'.repeat(1_025), /more than 1024 bytes/],
      ['latin1', Buffer.from('another secret \xe9', 'latin1'), /latin1 is not UTF-8/],
    ] as const) {
      writeFileSync(join(place.directory, name), text);
      refused(detail, ...backup, '--passphrase-file', name);
    }
    mkdirSync(join(place.directory, 'folder'));
    refused(/folder cannot be read \(EISDIR\)/, ...backup, '--passphrase-file', 'folder');
    refused(/zero has more than 1024 bytes/, ...backup, '--passphrase-file', '/dev/zero');
    refused(/nowhere cannot be read \(ENOENT\)/, ...backup, '--passphrase-file', 'nowhere');
    refused(/is required when there is no terminal to prompt on/, ...backup);
    refused(/--encrypt/, 'backup', 'b.zip', '--passphrase-file', 'secret.txt');
    refused(/is not encrypted/, '--home', 'back', 'restore', 'secret.txt', '--passphrase-file', 'secret.txt');
    strictEqual(existsSync(join(place.directory, 'b.zip.age')), false);
  });

  it('reads the passphrase from a pipe until it ends', () => {
    const pipe = join(place.directory, 'pipe');
    strictEqual(spawnSync('mkfifo', [pipe]).status, 0);
    spawn('/bin/sh', ['-c', '{ printf "%s" "$1"; printf "%s\\n" "$2"; } > "$0"', pipe, 'correct horse ', 'battery staple']);
    strictEqual(readPassphrase(pipe), passphrase);
  });

  itOnTerminal('asks twice at the terminal and shows nothing', async () => {
    const talk = (...lines: readonly string[]) => [
      ['Passphrase of the backup: ', `${lines[0]}\r`] as const,
      ...lines.slice(1).map((line) => ['Repeat the passphrase: ', `${line}\r`] as const),
    ];
    const run = (args: readonly string[], ...lines: readonly string[]) =>
      talkOnTerminal(args, place.env, place.directory, talk(...lines));
    const differs = await run(['backup', 'c.zip', '--encrypt'], passphrase, 'correct horse battery');
    strictEqual(differs.code, 2, differs.stdout);
    match(differs.stdout, /the two passphrases differ/);
    const made = await run(['backup', 'c.zip', '--encrypt'], passphrase, passphrase);
    strictEqual(made.code, 0, made.stdout);
    const back = await run(['--home', 'again', 'restore', 'c.zip.age', '--no-supersede'], passphrase);
    strictEqual(back.code, 0, back.stdout);
    const other = await run(['--home', 'other', 'restore', 'c.zip.age'], 'another secret');
    match(other.stdout, /is encrypted with another passphrase/);
    for (const { stdout } of [differs, made, back, other]) doesNotMatch(stdout, /horse|another secret|replace the one/);
  });

  real('age', 'and the tool age', () => {
    it('exchange archives: each opens what the other encrypted', () => {
      const typing = (line: string): void => {
        const { code, stdout } = lineOnTerminal(line, place.env, place.directory, `${passphrase}\r${passphrase}\r`);
        strictEqual(code, 0, stdout);
      };
      typing('age --decrypt --output d.zip a.zip.age');
      const opened = place.run('--home', 'opened', 'restore', 'd.zip', '--no-supersede', '--json');
      strictEqual(opened.code, 0, opened.stderr);
      typing('age --passphrase --output e.zip.age d.zip');
      const passphraseFile = ['--passphrase-file', 'secret.txt'];
      const back = place.run('--home', 'by-age', 'restore', 'e.zip.age', '--no-supersede', ...passphraseFile, '--json');
      strictEqual(back.code, 0, back.stderr);
    });
  });

  itOnTerminal('says that Ctrl-C or Ctrl-D at a question interrupted it, and does nothing', async () => {
    strictEqual(place.run('backup', 'plain.zip').code, 0);
    const backup = ['backup', 'd.zip', '--encrypt'];
    const asked = ['Passphrase of the backup: ', `${passphrase}\r`] as const;
    const talks = ['\u0003', '\u0004'].flatMap((key) => [
      talkOnTerminal(backup, place.env, place.directory, [[asked[0], key]]),
      talkOnTerminal(backup, place.env, place.directory, [asked, ['Repeat the passphrase: ', key]]),
      talkOnTerminal(['--home', 'none', 'restore', 'plain.zip'], place.env, place.directory, [['[y/N] ', key]]),
    ]);
    for (const { code, stdout } of await Promise.all(talks)) {
      strictEqual(code, 130, stdout);
      match(stdout, /no reply to the question; nothing was done/);
    }
    for (const name of ['d.zip.age', 'none']) strictEqual(existsSync(join(place.directory, name)), false, name);
  });
});
