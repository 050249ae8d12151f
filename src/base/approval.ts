/** Keys by which people approve. */
import { readPasskey } from './passkey.js';
import { readSshKey, type SshKey } from './ssh-signature.js';

/** Returns a key that may approve in its canonical form. @throws Refuted for one that is malformed or weak */
export const readKey = async (kind: 'ssh' | 'passkey', key: string): Promise<SshKey> =>
  kind === 'ssh' ? await readSshKey(key) : { key, fingerprint: await readPasskey(key) };
