/** The check of `doctor` for the webhooks of the configuration. */
import { damageRefusal } from '../../base/damage.js';
import { RefusalError } from '../../base/refusal.js';
import type { Check } from '../../codec/api-status.js';
import type { Config } from '../../codec/config.js';
import { openDatabase } from '../../store/database.js';
import type { Home } from '../home/home.js';
import { notice_secret_variable, noticesFile } from './notices.js';
import * as fs from 'node:fs';

/** Returns the check, without a request to a webhook. @param config null for a damaged one */
export function noticesCheck(home: Pick<Home, 'paths' | 'unwritable' | 'world'>, config: Config | null): Check[] {
  const count = config?.notices.length ?? 0;
  const file = noticesFile(home.paths);
  const warning = (detail: string, fix: string): Check[] => [{ name: 'notices', status: 'warn', detail, fix }];
  const damage = home.unwritable === null && fs.existsSync(file) ? damageOf(file) : null;
  if (damage !== null)
    return warning(`no notice can be sent: ${damage}`, `stop the daemon and remove ${file}; what it holds is not delivered`);
  if (count === 0) return [];
  const said = `${count} ${count === 1 ? 'webhook' : 'webhooks'}`;
  const isSigned = (home.world.env[notice_secret_variable] ?? '') !== '';
  if (isSigned) return [{ name: 'notices', status: 'ok', detail: `${said}, signed with ${notice_secret_variable}`, fix: null }];
  const detail = `${said}; the notices are not signed, because ${notice_secret_variable} is not set`;
  return warning(detail, `set ${notice_secret_variable} where the daemon runs, and give it to the receiver`);
}

/** Returns what SQLite finds damaged in the file; null for nothing, and for a file that cannot be read now. */
function damageOf(file: string): string | null {
  try {
    const db = openDatabase(file, { queryOnly: true });
    try {
      const found = db.pragma('quick_check(1)', { simple: true });
      return found === 'ok' ? null : `notices.sqlite3 is damaged: ${String(found)}`;
    } finally {
      db.close();
    }
  } catch (error) {
    const refusal = error instanceof RefusalError ? error.refusal : damageRefusal(error, 'notices.sqlite3');
    if (refusal === null) throw error;
    return refusal.code === 'integrity' ? refusal.detail : null;
  }
}
