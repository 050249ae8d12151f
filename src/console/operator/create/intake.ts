/** The files that a new mission is made of: they are sent to the agent, and read there as often as a choice about them changes. */
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  intake_file_bytes_max,
  intake_files_max,
  intake_part_bytes_max,
  type IntakeKind,
  intakeDraft,
  intakeKind,
  type IntakeOutcome,
  intakeOutcome,
  intakeReceived,
  type IntakeOptions,
} from '../../../codec/api-intake.js';
import type { Kind } from '../../../codec/kinds.js';
import { type Api, asProblem, type Problem } from '../../kit/api/client.js';
import { useLasting, useSession } from '../session/session.js';

export interface Reading {
  readonly draft: string;
  readonly kind: IntakeKind;
  readonly options: IntakeOptions;
  readonly outcome: IntakeOutcome;
}

export type FileIntake = Readonly<ReturnType<typeof useIntake>>;

/** Documents, which can only be the sources of research. A text may be a table too. */
const isDocument = ({ name }: File): boolean => /\.(?:pdf|docx|html?|md|markdown)$/i.test(name);

/** Returns the kind that files are read as: the chosen one, or research for documents; null where a person decides. */
function kindOfFiles(files: readonly File[], chosen: Kind | null): IntakeKind | null {
  if (intakeKind.is(chosen)) return chosen;
  return files.some(isDocument) ? 'research' : null;
}

/** Returns what is said of files that the agent would not take, before they are sent; null for others. In English, as of what a reader finds. */
function refusedOf(files: readonly File[]): IntakeOutcome | null {
  const refused = (file: string, message: string) => ({ file, rows: [], count: 0, message });
  const errors = [
    ...files
      .filter(({ size }) => size > intake_file_bytes_max)
      .map(({ name }) => refused(name, `the file is too large: at most ${intake_file_bytes_max / 1e6} MB`)),
    ...(files.length > intake_files_max
      ? [refused('all files', `${files.length} files are too many: at most ${intake_files_max}`)]
      : []),
  ];
  return errors.length === 0 ? null : { outcome: 'invalid', errors, notes: [] };
}

/** The sending of the newest files, which ends when others take their place or the page is left. */
function useSending(api: Api) {
  const [share, setShare] = useState<number | null>(null);
  const newest = useRef<Sending | null>(null);
  const forget = (): void => {
    newest.current?.stop();
    newest.current = null;
    setShare(null);
  };
  useEffect(() => forget, []);
  /** Returns the id of the draft of these files, which are sent once. */
  const draftOf = (files: readonly File[]): Promise<string> => {
    if (newest.current?.files === files) return newest.current.draft;
    forget();
    const stopping = new AbortController();
    const draft = send(api, files, stopping.signal, setShare);
    newest.current = { files, draft, stop: () => stopping.abort() };
    return draft;
  };
  return { share, draftOf, forget, isNewest: (files: readonly File[]): boolean => newest.current?.files === files };
}

interface Sending {
  readonly files: readonly File[];
  readonly draft: Promise<string>;
  readonly stop: () => void;
}

/** The files that were chosen, and what was read of them, stay while other pages are looked at. @param from the mission whose request is changed, or empty */
export function useIntake(from: string) {
  const { api } = useSession();
  const [files, setFiles] = useLasting<readonly File[]>(`files ${from}`, []);
  const [reading, setReading] = useLasting<Reading | null>(`reading ${from}`, null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const sending = useSending(api);
  /** Counts the readings: only the newest one is shown, however late an older one ends. */
  const turn = useRef(0);
  const fetchReading = async (of: readonly File[], kind: IntakeKind, options: IntakeOptions): Promise<Reading> => {
    const outcome = refusedOf(of);
    if (outcome !== null) return { draft: '', kind, options, outcome };
    try {
      const draft = await sending.draftOf(of);
      const text = JSON.stringify({ kind, options });
      return { draft, kind, options, outcome: await api.post(`/api/intake/${draft}`, intakeOutcome, { text }) };
    } catch (error) {
      const { status } = asProblem(error).document;
      // Files are sent again after half an hour, or when they could not be sent.
      if ((status === 404 || status < 400) && sending.isNewest(of)) sending.forget();
      throw error;
    }
  };
  const begin = (isReading: boolean): number => {
    setBusy(isReading);
    setProblem(null);
    return ++turn.current;
  };
  const read = (of: readonly File[], kind: IntakeKind, options: IntakeOptions): void => {
    const mine = begin(true);
    const end = (show: () => void): void => {
      if (mine !== turn.current) return;
      setBusy(false);
      show();
    };
    fetchReading(of, kind, options).then(
      (made) => end(() => setReading(made)),
      (error: unknown) => end(() => setProblem(asProblem(error))),
    );
  };
  const take = (taken: readonly File[], chosen: Kind | null): void => {
    begin(false);
    sending.forget();
    setFiles(taken);
    setReading(null);
    const kind = kindOfFiles(taken, chosen);
    if (kind !== null) read(taken, kind, {});
  };
  return {
    files,
    /** What the files were read as; null before, and while they wait for a kind. */
    reading,
    busy,
    /** The share of the bytes that was sent, while files of more than one part are being sent; else null. */
    sent: sending.share,
    problem,
    /** Takes files in place of those before; without a kind only documents are read at once. */
    take,
    read: (kind: IntakeKind, options: IntakeOptions = {}) => read(files, kind, options),
    /** Sends the files once more, which the agent has forgotten meanwhile; returns the id of their new draft. */
    sendAgain: async ({ kind, options }: Reading) => (sending.forget(), (await fetchReading(files, kind, options)).draft),
    /** Takes all files but one. */
    remove: (place: number) => take(files.toSpliced(place, 1), reading?.kind ?? null),
    clear: () => take([], null),
  };
}

/** Sends files in parts, and returns the id of their draft. Ends between two parts when they are not wanted any more. */
async function send(
  api: Api,
  files: readonly File[],
  signal: AbortSignal,
  onSent: (share: number | null) => void,
): Promise<string> {
  const sizes = files.map(({ name, size }) => ({ name: name.slice(0, 255), bytes: size }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const { draft } = await api.post('/api/intake', intakeDraft, { text: JSON.stringify({ files: sizes }) });
  let sent = 0;
  for (const [place, file] of files.entries()) {
    for (let at = 0; at < file.size; at += intake_part_bytes_max) {
      const bytes = new Uint8Array(await file.slice(at, at + intake_part_bytes_max).arrayBuffer());
      signal.throwIfAborted();
      const part = { file: place, at, data: base64(bytes) };
      await api.post(`/api/intake/${draft}/parts`, intakeReceived, { text: JSON.stringify(part) });
      sent += bytes.length;
      signal.throwIfAborted();
      onSent(sent < total ? sent / total : null);
    }
  }
  return draft;
}

const step_bytes = 30_000;

/** `btoa` takes a text, made here in steps that fit the arguments of a call. */
function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += step_bytes) text += String.fromCharCode(...bytes.subarray(at, at + step_bytes));
  return btoa(text);
}
