/** How this machine proves itself to a NATS server, and which certificates it trusts there. Homes and workers read it from the environment. */
import * as fs from 'node:fs';
import { errorCode, RefusalError } from '../../base/refusal.js';
import { refusedSetting } from '../../base/setting.js';

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
/** A user's JWT and the seed of the user's key, in the form that docs.nats.io ("Authenticating with a Credentials File") shows. */
const user_credentials =
  /-----BEGIN NATS USER JWT-----\n[\w-]+\.[\w-]+\.[\w-]+\n-{5,}END NATS USER JWT-[^]*-----BEGIN USER NKEY SEED-----\nSU[A-Z2-7]{56}\n-{5,}END USER NKEY SEED-/;

/**
 * @throws RefusalError `invalid` for two kinds of credentials, a file that cannot be read or does not hold what its variable names, or a
 * credentials file that others can read
 */
export function readNatsCredentials(env: Readonly<Record<string, string | undefined>>): NatsCredentials {
  const { AGENT_NATS_CREDS: credsFile = '', AGENT_NATS_TOKEN: token = '', AGENT_NATS_CA: caFile = '' } = env;
  if (credsFile !== '' && token !== '')
    throw refusedSetting('AGENT_NATS_CREDS', 'cannot be set together with AGENT_NATS_TOKEN; unset one');
  if (token.length > nats_token_chars_max || !/^[!-~]*$/.test(token))
    throw refusedSetting('AGENT_NATS_TOKEN', `must have at most ${nats_token_chars_max} visible ASCII characters`);
  const creds = credsFile === '' ? null : fileText('AGENT_NATS_CREDS', credsFile, true);
  if (creds !== null && !user_credentials.test(creds))
    throw refusedSetting('AGENT_NATS_CREDS', `${credsFile} does not hold the JWT and the seed of a NATS user`);
  const ca = caFile === '' ? null : fileText('AGENT_NATS_CA', caFile, false);
  if (ca !== null && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw refusedSetting('AGENT_NATS_CA', `${caFile} does not hold a certificate in PEM`);
  return { creds, token: token === '' ? null : token, ca };
}

/** Returns the text with its lines ended by a line feed alone: the client reads no credentials with other ends. */
function fileText(name: string, file: string, isPrivate: boolean): string {
  try {
    const stat = fs.statSync(file);
    if (!stat.isFile() || stat.size > nats_file_bytes_max)
      throw refusedSetting(name, `${file} is not a regular file of at most 64 KiB`);
    if (isPrivate && process.platform !== 'win32' && (stat.mode & group_and_others) !== 0)
      throw refusedSetting(name, `${file} can be read by others; chmod 600 it`);
    return fs.readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  } catch (error) {
    if (error instanceof RefusalError) throw error;
    throw refusedSetting(name, `${file} cannot be read (${errorCode(error)})`);
  }
}
