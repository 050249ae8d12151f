/** Signs an approval with ssh-keygen: keys with a passphrase, in an agent or on hardware work, and the private key stays with it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approval_namespace, readSubject } from '../base/approval.js';
import { errorCode } from '../base/fault.js';
import { RefusalError } from '../base/result.js';
import { printable } from '../base/text.js';
import type { OwnKey } from './own-keys.js';
import { pairs } from './table.js';

const output_bytes_max = 65_536;

/** Runs a program of OpenSSH, which may ask at the terminal. @throws RefusalError `engine_unavailable` without it, `invalid` when it fails */
function run(args: readonly string[], input = ''): string {
  const { status, stdout, error } = spawnSync('ssh-keygen', args, {
    encoding: 'utf8',
    input,
    maxBuffer: output_bytes_max,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (error !== undefined) {
    const detail = `ssh-keygen cannot be started (${errorCode(error)}); signing needs OpenSSH 8.9 or later`;
    throw new RefusalError({ code: 'engine_unavailable', detail, hint: 'agent-cli review --help' });
  }
  if (status === 0) return stdout;
  throw new RefusalError({ code: 'invalid', detail: `ssh-keygen ${args.slice(0, 2).join(' ')} failed; nothing was recorded` });
}

/** Returns the fingerprint of a key by its file, public or private. */
export const keyFingerprint = (file: string): string => run(['-l', '-E', 'sha256', '-f', file]).split(' ')[1] ?? '';

/** Returns the signature of a key over a subject, as ssh-keygen prints it. A key without a file is in ssh-agent. */
export function signWith({ key, file }: Pick<OwnKey, 'key' | 'file'>, subject: string): string {
  if (file !== null) return signSubject(file, subject);
  const directory = mkdtempSync(join(tmpdir(), 'agent-cli-key-'));
  try {
    const named = join(directory, 'key.pub');
    writeFileSync(named, `${key}\n`);
    return signSubject(named, subject);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns the signature of a key by its file, public or private. */
export const signSubject = (file: string, subject: string): string =>
  run(['-q', '-Y', 'sign', '-f', file, '-n', approval_namespace, '-O', 'hashalg=sha512'], subject);

/** Returns what a person sees before signing, made of the bytes that are signed. */
export function subjectLines(text: string): string[] {
  const { approver, key, mission, kind, result_hash, revision, note, at } = readSubject(text);
  return [
    'You sign that you approve this result:',
    ...pairs([
      ['mission', printable(mission)],
      ['kind', printable(kind)],
      ['revision', String(revision)],
      ['result hash', printable(result_hash)],
      ['reason', printable(note)],
      ['approver', printable(approver)],
      ['key', printable(key)],
      ['time', `${printable(at)}; the signature counts for 15 minutes`],
    ]),
  ];
}
