/** Exports an approved result: one file that anyone can verify with only the public key. */
import { checkApprovals } from '../../base/approval-evidence.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/bytes.js';
import { export_bytes_max } from '../../base/limits.js';
import { type Refusal, RefusalError } from '../../base/refusal.js';
import { Refuted } from '../../base/web-crypto.js';
import { standard_stream } from '../../base/text.js';
import type { Approval } from '../../codec/approvals.js';
import { canonicalOf } from '../../codec/canonical.js';
import type { Entry } from '../../codec/entry.js';
import type { Documents } from '../../codec/event.js';
import type { ExportDocument } from '../../codec/export.js';
import { type MissionState, stateWords } from '../../codec/record.js';
import { missionStream } from '../../domain/mission.js';
import { inclusionPath } from '../../journal/merkle.js';
import { latestNote, newestCheckpoint, requireEntry } from '../../journal/reader.js';
import { formatProof } from '../../journal/proof.js';
import { nodeReader } from '../../journal/tree.js';
import { missionRequest } from '../../kinds/request.js';
import { signNewest } from '../../state/newest-note.js';
import type { Db } from '../../store/database.js';
import { isProven, reading, readStream } from '../../tables/read.js';
import { missionReceipt } from '../../tables/receipts.js';
import type { Home } from '../home/home.js';
import { unruledEntry } from '../missions/life.js';
import { type Completion, completionOf, isUuid, requireMission, requireRequest, storedRequest } from '../missions/record.js';
import { isOfReference, referenceExportText } from '../reference/mission.js';
import { requireTool } from '../tools/tools.js';
import { createOutput } from '../../home/files.js';

export type ExportReport = Readonly<ReturnType<typeof exportMission>>;

/** Writes the export into a new file; an existing file is never overwritten. The warnings are for the reader of the file. */
export function exportMission(home: Home, id: string, output: string, options: ExportOptions & Print = {}) {
  const { text, warnings } = exportText(home, id, options);
  if (output === standard_stream) options.print?.(text);
  else createOutput(output, text);
  const { size, hash } = home.writer.head;
  return { output, sha256: sha256Hex(text), bytes: Buffer.byteLength(text), events: size, head: hash, warnings };
}

interface Print {
  /** Takes the document where the output is `-`. */
  readonly print?: (text: string) => void;
}

interface ExportOptions {
  /** Leaves out the settlement of a paid result. */
  readonly withoutSettlement?: boolean | undefined;
  /** Leaves out the approvals, which other verifiers may not know; the entry still counts them. */
  readonly withoutApprovals?: boolean | undefined;
}

/** Returns the export document: canonical JSON and a newline. @throws RefusalError for a mission that has no approved result */
export const exportText = (home: Home, id: string, options: ExportOptions = {}) =>
  reading(home.db, () => exported(home, id, options));

function exported(home: Home, id: string, { withoutSettlement = false, withoutApprovals = false }: ExportOptions) {
  const settlement = withoutSettlement ? null : settlementOf(home, id);
  const whole = unsettledText(home, id, withoutApprovals);
  if (settlement === null) return whole;
  // `settlement` is the last member in canonical order.
  const text = `${whole.text.trimEnd().slice(0, -1)},"settlement":${canonicalJson(settlement)}}\n`;
  if (Buffer.byteLength(text) <= export_bytes_max) return { ...whole, text };
  return { ...whole, warnings: [...whole.warnings, tooLargeSettled] };
}

/** Returns the entry that recorded the payment of a mission's result, as an export holds it; null for a mission that was not paid. */
function settlementOf(home: Home, id: string): ExportDocument['settlement'] | null {
  const receipt = isUuid(id) ? missionReceipt(home.db, id) : null;
  if (receipt === null) return null;
  const { text, hash, signature, sequence } = requireEntry(home.db, receipt.revision);
  const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return { body, canonical_body: text, hash, signature, proof: proofText(home, sequence) };
}

function unsettledText(home: Home, id: string, withoutApprovals: boolean) {
  const mission = requireMission(home.db, id);
  const completion = mission.state === 'completed' ? completionOf(home.db, id) : null;
  if (completion === null) throw notCompleted(id, mission.state);
  const { entry } = completion;
  const newest = newestNote(home, completion);
  if (entry.event?.type !== 'mission.completed') return referenceExport(home, entry, newest);
  const request = isOfReference(home.db, mission)
    ? canonicalOf(missionRequest, requireRequest(home.db, mission))
    : storedRequest(home.db, mission);
  if (request === null)
    throw new RefusalError('wrong_state', `the input of mission ${id} was erased, so its export could not be verified`);
  const approvals = withoutApprovals ? [] : approvalsOf(home.db, id, entry.event.document);
  const text = `${canonicalJson(document(home, entry, { result: entry.event.document.result, request, newest, approvals }))}\n`;
  if (Buffer.byteLength(text) > export_bytes_max) throw tooLarge();
  const warnings = isPythonDivergent(entry.event.document) ? [divergence] : [];
  return { text, warnings: [...requireTool(home.db, 'export'), ...warnings] };
}

/** Returns the approvals that an entry counts, in its order. @throws RefusalError `integrity` for one that the mission's entries do not hold */
function approvalsOf(db: Db, id: string, { approvals }: Documents['mission.completed']): readonly Approval[] {
  const recorded = readStream(db, missionStream.nameOf(id)).flatMap(({ event }) =>
    event?.type === 'mission.approved' ? [event.document.approval] : [],
  );
  return (approvals?.sha256 ?? []).map((hash) => {
    const approval = recorded.find((each) => sha256Hex(canonicalJson(each)) === hash);
    if (approval !== undefined) return approval;
    throw new RefusalError('integrity', `mission ${id} counts an approval that it does not hold`);
  });
}

/**
 * Checks the signatures of the approvals that a mission's completion counts, before anybody relies on them.
 * @throws RefusalError `verification_failed`
 */
export async function requireApprovals({ db }: Pick<Home, 'db'>, id: string): Promise<void> {
  const completion = isUuid(id) ? completionOf(db, id) : null;
  if (completion?.entry.event?.type !== 'mission.completed') return;
  const { identity, time, event } = completion.entry;
  try {
    await checkApprovals(approvalsOf(db, id, event.document), { identity, time, mission: id, document: event.document });
  } catch (error) {
    if (!(error instanceof Refuted)) throw error;
    throw new RefusalError('verification_failed', `an approval of mission ${id} does not verify: ${error.message}`);
  }
}

/** Returns the first entry or approval that the home's own key, which signed all entries, does not vouch for; or null. */
export const beyondKey = async (home: Home): Promise<Refusal | null> => unruledEntry(home) ?? (await forgedApproval(home));

/** Returns the first approval of the home that no person's key gave, or null. */
async function forgedApproval(home: Pick<Home, 'db'>): Promise<Refusal | null> {
  const completed = home.db
    .prepare<[], string>(
      `SELECT mission FROM events WHERE instr(body, '"type":"mission.completed"') AND instr(body, '"approvals":{')`,
    )
    .pluck()
    .all();
  for (const id of completed)
    try {
      await requireApprovals(home, id);
    } catch (error) {
      if (error instanceof RefusalError) return error.refusal;
      throw error;
    }
  return null;
}

/** Returns the export of a result that the reference agent approved. In a home of that agent no checkpoint covers the entry. */
function referenceExport(home: Home, entry: Entry, newest: string | null) {
  const proof = latestNote(home.db) === undefined ? null : proofText(home, entry.sequence);
  const text = [false, true]
    .map((lean) => `${referenceExportText(entry, { public_key: home.signer.publicKey.toString('hex'), newest, proof, lean })}\n`)
    .find((fits) => Buffer.byteLength(fits) <= export_bytes_max);
  if (text === undefined) throw tooLarge();
  return { text, warnings: requireTool(home.db, 'export') };
}

const tooLarge = (): RefusalError => new RefusalError('too_large', `the export would have more than ${export_bytes_max} bytes`);

const tooLargeSettled = `the settlement is left out: with it the export would have more than ${export_bytes_max} bytes`;

const divergence =
  'it holds a number with 1e-9 <= |x| < 1e-4, which Python prints in another form: valid here, refused by the reference agent';

const notCompleted = (id: string, state: MissionState): RefusalError =>
  new RefusalError('wrong_state', `mission ${id} is ${stateWords(state)}; only approved, completed missions can be exported`, {
    hint: `agent-cli show ${id}`,
  });

interface Parts {
  readonly result: unknown;
  readonly request: unknown;
  readonly newest: string | null;
  readonly approvals: readonly Approval[];
}

function document(home: Home, entry: Entry, { result, request, newest, approvals }: Parts): unknown {
  const body: unknown = JSON.parse(entry.text);
  return {
    schema: 1,
    public_key: home.signer.publicKey.toString('hex'),
    receipt: {
      body,
      canonical_body: entry.text,
      canonical_result: canonicalJson(result),
      hash: entry.hash,
      signature: entry.signature,
    },
    request,
    proof: proofText(home, entry.sequence),
    ...(newest === null ? {} : { newest }),
    ...(approvals.length === 0 ? {} : { approvals }),
  };
}

/**
 * Returns the signed note that the entry is the newest of its mission as of the newest checkpoint; null when it is not, when that is not proven,
 * and in a home that cannot be written, where nothing is signed.
 */
function newestNote({ db, signer, unwritable }: Home, { entry, count, isNewest }: Completion): string | null {
  if (!isNewest || !isProven(db) || unwritable !== null) return null;
  const { stream, sequence, hash } = entry;
  return signNewest(signer, newestCheckpoint(db, signer.publicKey), { stream, sequence, hash, count });
}

/** Returns the proof of inclusion of an entry under the newest checkpoint. */
export function proofText(home: Home, sequence: number): string {
  const latest = latestNote(home.db);
  if (latest === undefined) throw new RefusalError('integrity', 'the journal has no checkpoint');
  return formatProof(sequence - 1, inclusionPath(nodeReader(home.db, latest.size), sequence - 1, latest.size), latest.note);
}

/**
 * Whether a value contains a number whose text differs between Python and RFC 8785: for 1e-9 ≤ |x| < 1e-4, Python prints a
 * two-digit exponent, or an exponent where RFC 8785 has none.
 */
export function isPythonDivergent(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) >= 1e-9 && Math.abs(value) < 1e-4;
  if (Array.isArray(value)) return value.some(isPythonDivergent);
  return typeof value === 'object' && value !== null && Object.values(value).some(isPythonDivergent);
}
