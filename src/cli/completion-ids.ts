/** The ids that a shell completes. */
import type { Home } from '../app/home/home.js';

export type IdList = 'mission' | 'run' | 'invoice';

/** Returns the newest ids of a kind; an invoice is named by its mission. */
export async function completedIds(home: Home, kind: IdList): Promise<string[]> {
  if (kind === 'mission') {
    const { listPage } = await import('../app/missions/missions.js');
    return listPage(home, {}).items.map(({ id }) => id);
  }
  if (kind === 'run') {
    const { runRecords } = await import('../app/simulation/runs/stored.js');
    return runRecords(home.db, {}).items.map(({ id }) => id);
  }
  const { invoices } = await import('../app/invoices/records.js');
  return [...new Set(invoices(home, {}).items.map(({ mission }) => mission))];
}
