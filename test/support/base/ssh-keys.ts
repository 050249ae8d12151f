/** Keys and signatures of OpenSSH's own ssh-keygen, which tests compare with the program's checker. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SshKeyFile {
  /** The private key; the public one is beside it, with `.pub`. */
  readonly file: string;
  /** The line of the file .pub. */
  readonly line: string;
  readonly fingerprint: string;
}

const started = (
  args: readonly string[],
  input: string,
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } =>
  spawnSync('ssh-keygen', [...args], { encoding: 'utf8', input });

function run(args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = started(args, input);
  if (status !== 0) throw new Error(`ssh-keygen ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Runs ssh-keygen, such as to give a key a passphrase. */
export const keygen = (...args: readonly string[]): string => run(args);

/** Makes a key of a type, such as `ed25519`, `ecdsa` or `rsa`. */
export function sshKey(directory: string, name: string, type = 'ed25519', bits?: number): SshKeyFile {
  const file = join(directory, name);
  run(['-q', '-t', type, ...(bits === undefined ? [] : ['-b', String(bits)]), '-N', '', '-C', `${name}@example`, '-f', file]);
  const fingerprint = run(['-l', '-f', `${file}.pub`]).split(' ')[1] ?? '';
  return { file, line: readFileSync(`${file}.pub`, 'utf8'), fingerprint };
}

export const sshSign = (
  { file }: Pick<SshKeyFile, 'file'>,
  text: string,
  namespace = 'agent-cli-review',
  hash = 'sha512',
): string => run(['-q', '-Y', 'sign', '-f', file, '-n', namespace, '-O', `hashalg=${hash}`], text);

/** Whether `ssh-keygen -Y verify` accepts the signature as one of the key. */
export function sshVerifies(
  directory: string,
  line: string,
  text: string,
  signature: string,
  namespace = 'agent-cli-review',
): boolean {
  const [signers, file] = [join(directory, 'allowed_signers'), join(directory, 'checked.sig')];
  writeFileSync(signers, `alice ${line.trim()}\n`);
  writeFileSync(file, signature);
  const { status } = started(['-q', '-Y', 'verify', '-f', signers, '-I', 'alice', '-n', namespace, '-s', file], text);
  for (const each of [signers, file]) rmSync(each);
  return status === 0;
}
