/** How this machine proves itself to a NATS server, and which certificates it trusts there. Read from the environment by homes and workers. */
import * as fs from 'node:fs';
import { errorCode } from '../../base/fault.js';
import { invalid } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';

const nats_token_chars_max = 1_024;
const nats_file_bytes_max = 65_536;

export interface NatsCredentials {
  /** The content of a credentials file (JWT and seed); null without one. */
  readonly creds: string | null;
  readonly token: string | null;
  /** Certificates to trust instead of the system's, in PEM; null for the system's. */
  readonly ca: string | null;
}

export const no_credentials: NatsCredentials = { creds: null, token: null, ca: null };

const group_and_others = 0o077;
const refused = (name: string, message: string): RefusalError => new RefusalError(invalid(name, message));

/** @throws RefusalError `invalid` for two kinds of credentials, an unreadable file, or a credentials file that others can read */
export function readNatsCredentials(env: Readonly<Record<string, string | undefined>>): NatsCredentials {
  const { AGENT_NATS_CREDS: credsFile = '', AGENT_NATS_TOKEN: token = '', AGENT_NATS_CA: caFile = '' } = env;
  if (credsFile !== '' && token !== '')
    throw refused('AGENT_NATS_CREDS', 'cannot be set together with AGENT_NATS_TOKEN; unset one');
  if (token.length > nats_token_chars_max || !/^[!-~]*$/.test(token))
    throw refused('AGENT_NATS_TOKEN', `must have at most ${nats_token_chars_max} visible ASCII characters`);
  const creds = credsFile === '' ? null : fileText('AGENT_NATS_CREDS', credsFile, true);
  return { creds, token: token === '' ? null : token, ca: caFile === '' ? null : fileText('AGENT_NATS_CA', caFile, false) };
}

function fileText(name: string, file: string, isPrivate: boolean): string {
  let text: string;
  let mode: number;
  try {
    const stat = fs.statSync(file);
    mode = stat.mode;
    if (!stat.isFile() || stat.size > nats_file_bytes_max) throw refused(name, `${file} is not a regular file of at most 64 KiB`);
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof RefusalError) throw error;
    throw refused(name, `${file} cannot be read (${errorCode(error)})`);
  }
  if (isPrivate && process.platform !== 'win32' && (mode & group_and_others) !== 0)
    throw refused(name, `${file} can be read by others; chmod 600 it`);
  return text;
}
