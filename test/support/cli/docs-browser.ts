/**
 * What the tutorial on approvals has a person do in a browser, with an authenticator in software: `browser register NAME` registers a passkey,
 * `browser approve ID NAME NOTE` signs an approval with it.
 */
import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { addApproverKey } from '../../../src/app/approvals/approvers.js';
import { openHome } from '../../../src/app/home/open.js';
import { worldOf } from '../../../src/app/home/home.js';
import { approveSigned, reviewSubject } from '../../../src/app/missions/review.js';
import { readKey } from '../../../src/base/approval.js';
import { assertionOf, passkey } from '../base/passkeys.js';
import { type Place, writeHelper } from './scenario-run.js';

const page = 'http://localhost:8765';
const own = { pem: 'browser.pub.pem', key: 'browser.key.pem' };

/** Puts the program `browser` into the place of the page. */
export const withBrowser = ({ directory, bin }: Place): void =>
  writeHelper(
    bin,
    'browser',
    `cd '${join(directory, '..')}' && exec '${process.execPath}' '${fileURLToPath(import.meta.url)}' "$@"`,
  );

async function act([action, ...given]: readonly string[]): Promise<void> {
  const home = openHome(worldOf(undefined, process.env, Date.now));
  try {
    if (action === 'register') {
      const { pem, privateKey } = passkey();
      writeFileSync(own.pem, pem);
      writeFileSync(own.key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
      await addApproverKey(home, { name: given[0] ?? '', title: null, actor: 'operator' }, { kind: 'passkey', key: pem });
    } else {
      const [id = '', approver = '', note = ''] = given;
      const pem = readFileSync(own.pem, 'utf8');
      const { fingerprint: key } = await readKey('passkey', pem);
      const subject = reviewSubject(home, id, { note, approver, key });
      const privateKey = createPrivateKey(readFileSync(own.key));
      const assertion = assertionOf({ algorithm: 'ES256', pem, privateKey }, subject, { origin: page });
      await approveSigned(home, id, { subject, assertion }, { actor: approver, pages: [page] });
    }
  } finally {
    home.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await act(process.argv.slice(2));
