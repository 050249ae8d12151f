/**
 * Files that an operator sends to be read for a mission. They are private files in the home for half an hour, of this process only: what
 * another one left is removed when the server starts.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import * as path from 'node:path';
import type { Json } from '../../base/canonical-json.js';
import { invalid, type Refusal, RefusalError } from '../../base/refusal.js';
import { formatTime } from '../../base/time.js';
import { isObject } from '../../codec/faults.js';
import type { IntakeDraft, IntakeKind, IntakeOutcome, IntakeOptions, IntakePart } from '../../codec/api-intake.js';
import { changedPaths } from '../../domain/request-changes.js';
import { fileError, restrictDirectory } from '../../home/files.js';
import { reading_limits, readInProcess } from '../../intake/process/reading.js';
import type { InputFile, Outcome } from '../../intake/types.js';
import type { World } from '../home/home.js';
import { Gate, oldestOfMost } from '../../base/gate.js';
import { applyMergePatch } from '../../base/merge-patch.js';

const draft_ms_max = 1_800_000;
/** Drafts of one actor: the oldest gives way to a new one. */
const drafts_per_actor_max = 16;
/** All files of a draft, and of all drafts together. */
const draft_bytes_max = 200_000_000;
const all_bytes_max = 1_000_000_000;

/** Readings that wait for the one in progress. */
const readings_waiting_max = 4;
/** Readings of one actor, in progress and waiting. */
const readings_per_actor_max = 3;
const busy: Refusal = {
  code: 'busy',
  detail: 'other files are being read, and no more readings may wait; try again in a moment',
  facts: { retry_after_s: 5 },
};

interface UploadedFile {
  readonly name: string;
  readonly bytes: number;
  readonly at: string;
  received: number;
}

interface Upload {
  readonly id: string;
  readonly actor: string;
  readonly files: readonly UploadedFile[];
  readonly expires_at: string;
  readonly timer: NodeJS.Timeout;
  /** The mission file that the last reading came to; null before there is one. */
  draft: Json;
}

/** Reads files, as `readInProcess` does. */
export type ReadFiles = (
  kind: IntakeKind,
  files: readonly InputFile[],
  options: IntakeOptions,
  signal: AbortSignal,
) => Promise<Outcome>;

const readApart: ReadFiles = (kind, files, options, signal) => readInProcess(kind, files, options, { ...reading_limits, signal });

interface FileSize {
  readonly name: string;
  readonly bytes: number;
}

export class Intake {
  private readonly uploads = new Map<string, Upload>();
  /** One at a time: a file may take the memory of many missions. */
  private readonly readings = new Gate(1);
  /** The actors of the readings in progress and waiting. */
  private readonly readers: string[] = [];
  private readonly directory: string;

  constructor(
    private readonly world: Pick<World, 'clock' | 'directory'>,
    private readonly readFiles: ReadFiles = readApart,
    private readonly ms_max = draft_ms_max,
  ) {
    this.directory = path.join(world.directory, 'intake');
    this.removeAll();
  }

  /** Begins a draft. Its files are received in parts. */
  async open(actor: string, sizes: readonly FileSize[]): Promise<IntakeDraft> {
    const total = sumOf(sizes);
    if (total > draft_bytes_max)
      throw new RefusalError('too_large', `the files of a mission have at most ${draft_bytes_max} bytes together`);
    const own = [...this.uploads.values()].filter((upload) => upload.actor === actor);
    if (own.length >= drafts_per_actor_max && own[0] !== undefined) await this.drop(own[0]);
    while (total + sumOf([...this.uploads.values()].flatMap(({ files }) => files)) > all_bytes_max) {
      const oldest = oldestOfMost([...this.uploads.values()], byActor, ({ files }) => sumOf(files));
      if (oldest !== undefined) await this.drop(oldest);
    }
    const id = randomUUID();
    const files = sizes.map(({ name, bytes }, i) => ({ name, bytes, at: path.join(this.directory, `${id}-${i}`), received: 0 }));
    const expires_at = formatTime(this.world.clock() + this.ms_max);
    const timer = setTimeout(() => void this.drop(upload), this.ms_max).unref();
    const upload: Upload = { id, actor, files, expires_at, timer, draft: null };
    this.uploads.set(id, upload);
    try {
      await makePrivate(this.directory);
      for (const { at } of files) await (await open(at, 'wx', 0o600)).close();
    } catch (error) {
      await this.drop(upload);
      throw fileError(error, 'the files that were sent');
    }
    return { draft: id, expires_at };
  }

  /** Appends a part to a file, and returns how many bytes of it there are. */
  async add(actor: string, id: string, { file: place, at, data }: IntakePart): Promise<number> {
    const upload = this.find(actor, id);
    const file = upload.files[place];
    if (file === undefined) throw new RefusalError(invalid('file', `must be from 0 to ${upload.files.length - 1}`));
    const bytes = Buffer.from(data, 'base64');
    if (at !== file.received) {
      const { received } = file;
      throw new RefusalError('conflict', `the next part begins at byte ${received}`, { facts: { received } });
    }
    if (at + bytes.length > file.bytes) throw new RefusalError(invalid('data', `the file was said to have ${file.bytes} bytes`));
    file.received += bytes.length;
    try {
      const handle = await open(file.at, 'r+');
      try {
        // The system may take a part only, as where the disk is nearly full.
        for (let done = 0; done < bytes.length; )
          done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
      } finally {
        await handle.close();
      }
    } catch (error) {
      await this.drop(upload);
      throw fileError(error, 'the files that were sent');
    }
    return file.received;
  }

  /** Reads the files for a kind of mission, again after each choice. */
  async read(actor: string, id: string, kind: IntakeKind, options: IntakeOptions, signal: AbortSignal): Promise<IntakeOutcome> {
    const upload = this.find(actor, id);
    const partial = upload.files.find(({ received, bytes }) => received < bytes);
    if (partial !== undefined) {
      const facts = { file: upload.files.indexOf(partial), received: partial.received };
      throw new RefusalError('wrong_state', 'a file was not received as a whole', { facts });
    }
    const own = this.readers.filter((each) => each === actor).length;
    if (own >= readings_per_actor_max || this.readers.length > readings_waiting_max) throw new RefusalError(busy);
    this.readers.push(actor);
    const outcome = await this.readings
      .run(async () => {
        if (signal.aborted) throw new RefusalError('interrupted', 'nobody waits for this reading any more');
        const sent = this.find(actor, id).files;
        const files = await Promise.all(sent.map(async ({ name, at }) => ({ name, bytes: await readFile(at) })));
        return this.readFiles(kind, files, options, signal);
      })
      .finally(() => this.readers.splice(this.readers.indexOf(actor), 1));
    upload.draft = outcome.outcome === 'draft' ? outcome.draft : null;
    return shownOutcome(outcome, upload.files);
  }

  /** Returns the mission file of a draft with what was changed by hand. @param changes a JSON merge patch (RFC 7396) */
  mission(actor: string, id: string, changes: Json): Json {
    const { draft } = this.find(actor, id);
    if (draft !== null) return changedDraft(draft, changes);
    throw new RefusalError('wrong_state', 'the files of this draft were not read, or are no mission yet');
  }

  stop(): void {
    for (const { timer } of this.uploads.values()) clearTimeout(timer);
    this.uploads.clear();
    this.removeAll();
  }

  /** Another actor's draft is none. */
  private find(actor: string, id: string): Upload {
    const upload = this.uploads.get(id);
    if (upload?.actor === actor) return upload;
    throw new RefusalError('not_found', 'there is no such draft; files are kept for 30 minutes, so send them again');
  }

  private async drop(upload: Upload): Promise<void> {
    clearTimeout(upload.timer);
    this.uploads.delete(upload.id);
    for (const { at } of upload.files) await rm(at, { force: true });
  }

  /** Not awaited anywhere else: the process ends with it, or begins. */
  private removeAll(): void {
    try {
      rmSync(this.directory, { recursive: true, force: true });
    } catch {
      // A home that cannot be written holds nothing of this kind, and takes nothing.
    }
  }
}

const byActor = ({ actor }: Upload): string => actor;
const sumOf = (files: readonly FileSize[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

async function makePrivate(directory: string): Promise<void> {
  const made = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (made !== undefined) restrictDirectory(directory);
}

/** Returns an outcome as the page gets it: a document is what it is called and how much it holds, not its text once more. */
function shownOutcome(outcome: Outcome, files: readonly FileSize[]): IntakeOutcome {
  if (outcome.outcome !== 'draft') return outcome;
  const { documents, ...draft } = outcome;
  if (documents === undefined) return draft;
  const shown = documents.map(({ title, reader, pages, blocks }, i) => ({
    name: files[i]?.name ?? title,
    title,
    reader,
    ...(pages === undefined ? {} : { pages }),
    blocks: blocks.length,
  }));
  return { ...draft, documents: shown };
}

// The mission that a draft becomes: what was changed by hand takes the place of what the files say, and its provenance says where.

/** Returns the mission file. @param changes a JSON merge patch of the draft (RFC 7396) */
export function changedDraft(draft: Json, changes: Json): Json {
  const mission = applyMergePatch(draft, changes);
  if (!isObject(draft) || !isObject(mission) || !isObject(draft['provenance'])) return mission;
  // Only this program says where values come from.
  const { provenance } = draft;
  const changed = changedPaths(draft['work'], mission['work']);
  return { ...mission, provenance: changed.length === 0 ? provenance : { ...provenance, changed } };
}
