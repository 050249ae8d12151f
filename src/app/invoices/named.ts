/** Finds the invoice that a person names by its own id, by its mission's id, or by the beginning of either. */
import { invoicesWithPrefix } from '../../rows/invoices.js';
import type { Db } from '../../store/database.js';
import { idNamed, type Candidate } from '../../base/id-prefix.js';
import { uuids } from '../missions/named.js';

/** Returns an invoice's id, or that of the mission that has invoices. @throws RefusalError `invalid`, `not_found` */
export const invoiceNamed = (db: Db, given: string): string =>
  idNamed({ ...uuids, noun: 'invoice', hint: 'agent-cli invoices' }, given, (prefix, limit) => {
    const found = invoicesWithPrefix(db, prefix, limit).flatMap(({ id, mission, state }): Candidate[] => [
      ...(id.startsWith(prefix) ? [{ id, text: `invoice, ${state}` }] : []),
      ...(mission.startsWith(prefix) ? [{ id: mission, text: 'mission' }] : []),
    ]);
    return found.filter(({ id }, i) => found.findIndex((other) => other.id === id) === i);
  });
