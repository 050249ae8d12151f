/** Compares the rows of the tables that have one per stream with the streams of the journal. */
import type { Refusal } from '../../base/refusal.js';
import type { Event } from '../../codec/event.js';
import { invoiceStream } from '../../domain/invoice.js';
import { missionStream } from '../../domain/mission-evolve.js';
import { receiptStream } from '../../domain/receipt.js';
import { simulationStream } from '../../domain/simulation.js';
import type { Stream } from '../../domain/stream.js';
import { tokenStream } from '../../domain/token.js';
import { toolStream } from '../../domain/tool.js';
import { walletName, walletStream } from '../../domain/wallet.js';
import { streamState } from '../../journal/stream.js';
import type { Db } from '../../store/database.js';

/** Sequence of the newest entry of every stream, by the stream's name. */
type Streams = ReadonlyMap<string, { readonly last: number }>;

/**
 * Returns the first difference, or null: each stream has one row, whose revision is that of the stream's state. What else a row contains is
 * compared when it is read.
 */
export const extentsFault = (db: Db, streams: Streams): Refusal | null =>
  faultOf(db, streams, missionStream, 'mission', 'id') ??
  faultOf(db, streams, simulationStream, 'simulation', 'id') ??
  faultOf(db, streams, tokenStream, 'token', 'name') ??
  faultOf(db, streams, toolStream, 'tool', 'id') ??
  faultOf(db, streams, invoiceStream, 'invoice', 'id') ??
  faultOf(db, streams, receiptStream, 'receipt', 'key') ??
  // The wallet's table has one row, as there is one stream.
  faultOf(db, streams, walletStream, 'wallet', `'${walletName}'`);

function faultOf<State extends { readonly revision: number }, A extends Event>(
  db: Db,
  streams: Streams,
  stream: Stream<State, A>,
  table: string,
  key: string,
): Refusal | null {
  const rows = new Map(db.prepare<[], [string, number]>(`SELECT ${key}, revision FROM ${table}`).raw().all());
  const ids = new Set(rows.keys());
  for (const name of streams.keys()) {
    const id = stream.idOf(name);
    if (id !== null) ids.add(id);
  }
  for (const id of ids) {
    const revision = rows.get(id);
    // Nearly always the newest entry made the row; an entry that changes nothing leaves it.
    if (revision !== undefined && streams.get(stream.nameOf(id))?.last === revision) continue;
    if (streamState(db, stream, id)?.revision !== revision)
      return {
        code: 'integrity',
        detail: `the table row of ${stream.noun} ${id} does not match its signed entries`,
        hint: 'agent-cli rebuild',
      };
  }
  return null;
}
