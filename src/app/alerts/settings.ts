/** The webhook of the alerts from the environment. */
import { readWebhook } from '../../webhook/address.js';
import { refusedSetting } from '../../base/setting.js';

/** Returns the address to which alerts are sent, or null. @throws RefusalError `invalid`, which repeats nothing of it */
export function alertSettings(env: Readonly<Record<string, string | undefined>>): URL | null {
  const text = env['ALERT_WEBHOOK_URL'];
  if (text === undefined || text === '') return null;
  const read = readWebhook(text);
  if (typeof read === 'string') throw refusedSetting('ALERT_WEBHOOK_URL', read);
  return read;
}
