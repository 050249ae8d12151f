/** The registered SSH keys that the person at the terminal holds: those of ssh-agent, and those whose files are in ~/.ssh. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readKeyFile } from '../app/approvals/approvers.js';
import type { ApproverDocument } from '../codec/api-approvers.js';
import { readSshKey } from '../base/ssh-signature.js';
import { printable } from '../base/text.js';

const [key_files_max, agent_bytes_max, agent_ms_max] = [100, 262_144, 5_000];

export interface OwnKey {
  readonly approver: string;
  readonly fingerprint: string;
  /** Who it is, as the question shows it. */
  readonly named: string;
  /** The line of a file .pub. */
  readonly key: string;
  /** Where the public key is; null for one that only ssh-agent holds. */
  readonly file: string | null;
}

interface KeyEntry {
  readonly line: () => string;
  readonly file: string | null;
}

/** Returns the keys in use by approvers that are held here, those with a file first. */
export async function ownKeys(approvers: readonly ApproverDocument[]): Promise<readonly OwnKey[]> {
  const registered = approvers.flatMap(({ name, title, keys }) =>
    keys
      .filter(({ kind, removed_at }) => kind === 'ssh' && removed_at === null)
      .map(({ fingerprint }) => [fingerprint, { approver: name, title }] as const),
  );
  if (registered.length === 0) return [];
  const holders = new Map(registered);
  const own = new Map<string, OwnKey>();
  for (const { line, file } of [...keysInFiles(), ...keysInAgent()]) {
    const known = await Promise.resolve()
      .then(line)
      .then(readSshKey)
      .catch(() => null); // one file that is no key hides no other
    const holder = known === null ? undefined : holders.get(known.fingerprint);
    if (known === null || holder === undefined || own.has(known.fingerprint)) continue;
    const { approver, title } = holder;
    const who = title === null ? approver : `${approver} (${printable(title)})`;
    const named = `${who}, ${known.fingerprint}, ${file === null ? 'in ssh-agent' : printable(file)}`;
    own.set(known.fingerprint, { approver, named, file, ...known });
  }
  return [...own.values()];
}

/** Returns the public keys whose private ones are beside them. */
function keysInFiles(): readonly KeyEntry[] {
  const directory = join(homedir(), '.ssh');
  try {
    const files = readdirSync(directory).toSorted();
    return files
      .filter((name) => name.endsWith('.pub') && files.includes(name.slice(0, -'.pub'.length)))
      .slice(0, key_files_max)
      .map((name) => join(directory, name))
      .map((file) => ({ line: () => readKeyFile(file), file }));
  } catch {
    return []; // no such directory, or one that cannot be read: --sign names a key elsewhere
  }
}

/** Returns the keys of ssh-agent; none without one. */
function keysInAgent(): readonly KeyEntry[] {
  const { status, stdout } = spawnSync('ssh-add', ['-L'], {
    encoding: 'utf8',
    maxBuffer: agent_bytes_max,
    timeout: agent_ms_max,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0
    ? stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => ({ line: () => line, file: null }))
    : [];
}
