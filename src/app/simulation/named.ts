/** Finds the run that a person names by its id or by the beginning of it. */
import { runsWithPrefix } from '../../rows/simulations.js';
import type { Db } from '../../store/database.js';
import { idNamed, type IdKind } from '../home/named.js';

const runIds: IdKind = {
  noun: 'run',
  full: /^[0-9a-f]{16}$/,
  part: /^[0-9a-f]+$/,
  form: '16 hexadecimal digits',
  hint: 'agent-cli runs',
};

/** Returns the id of the only run that begins with `given`. @throws RefusalError `invalid`, `not_found` */
export const runNamed = (db: Db, given: string): string =>
  idNamed(runIds, given, (prefix, limit) =>
    runsWithPrefix(db, prefix, limit).map(({ id, state, created_at }) => ({ id, text: `${state}, requested ${created_at}` })),
  );
