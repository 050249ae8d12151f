/** From documents to the draft of a research mission: a source for each of them, or for each part of a long one. */
import type { Json } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/bytes.js';
import { drafted_mission_bytes_max, sources_max } from '../../base/limits.js';
import { invalidFile, setMembers } from '../members.js';
import type { IntakeOptions } from '../../codec/api-intake.js';
import type { InputFile, Outcome, TextDocument } from '../types.js';
import { plainText } from './outline.js';
import { partsOf, type Part } from './parts.js';

/**
 * Returns the draft of a research mission.
 * @param documents what the files hold, in their order
 */
export function draftFromDocuments(
  files: readonly InputFile[],
  documents: readonly TextDocument[],
  options: IntakeOptions,
): Outcome {
  const named = documents.map((document, i) => titled(document, options.names === false ? null : (files[i]?.name ?? ''), i));
  const parts = named.map((document) => partsOf(document));
  const sources = parts.flatMap((of, file) => of.map((part) => ({ ...part, file })));
  if (sources.length > sources_max)
    return tooLarge(
      files,
      `the documents make ${sources.length} sources; a mission has at most ${sources_max}. Give fewer files.`,
    );
  const { inside, outside } = setMembers(options);
  const provenance = provenanceOf(files, documents, options);
  const draft: Json = {
    // What is asked of documents only a person knows.
    ...(options.goal === undefined ? {} : { goal: options.goal }),
    work: {
      kind: 'research',
      sources: sources.map((source, i) => ({ id: `source-${i + 1}`, ...source })),
      ...inside,
    },
    ...outside,
    provenance,
  };
  const bytes = Buffer.byteLength(JSON.stringify(draft));
  if (bytes > drafted_mission_bytes_max) return tooLarge(files, sizeText(bytes, files, parts));
  const notes = documents.flatMap((document, i) =>
    notesOf(document, files[i]?.name ?? '', parts[i]?.length ?? 1, files.length > 1),
  );
  const rows = documents.reduce((sum, { blocks }) => sum + blocks.length, 0);
  return { outcome: 'draft', kind: 'research', draft, rows, notes, provenance, documents: named };
}

/**
 * Returns the parts of a document as the sources of a mission have them.
 * @param name the name of its file; null where names are not recorded
 * @param index its position among the documents
 */
export const partsFor = (document: TextDocument, name: string | null, index: number): readonly Part[] =>
  partsOf(titled(document, name, index));

/** A document without a title of its own is named by its file, or by its position. */
function titled(document: TextDocument, name: string | null, index: number): TextDocument {
  if (document.title !== '') return document;
  return { ...document, title: stemOf(name ?? '') || `Document ${index + 1}` };
}

/** Returns the name of a file without its directories and its ending. */
const stemOf = (name: string): string => plainText(name.replace(/^.*[/\\]/, '').replace(/(?<=.)\.[^.]*$/, ''));

const provenanceOf = (files: readonly InputFile[], documents: readonly TextDocument[], { names }: IntakeOptions): Json => ({
  files: files.map(({ name, bytes }, i) => ({
    ...(names === false ? {} : { name }),
    sha256: sha256Hex(bytes),
    bytes: bytes.length,
    reader: documents[i]?.reader ?? '',
    version: documents[i]?.version ?? 1,
    notes: [...(documents[i]?.notes ?? [])],
  })),
});

function notesOf({ notes }: TextDocument, file: string, parts: number, isOneOfMany: boolean): readonly string[] {
  const all = parts === 1 ? notes : [...notes, `The document is long: it was split into ${parts} sources.`];
  return isOneOfMany ? all.map((note) => `${file}: ${note}`) : all;
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

function sizeText(bytes: number, files: readonly InputFile[], parts: readonly (readonly { readonly text: string }[])[]): string {
  const sizes = parts.map((of) => of.reduce((sum, { text }) => sum + text.length, 0));
  const largest = files[sizes.indexOf(Math.max(...sizes))]?.name ?? '';
  const most = files.length > 1 ? ` Most of it is ${largest}.` : '';
  return `the text of the documents and the places of their blocks take ${megabytes(bytes)}; a mission has at most ${megabytes(drafted_mission_bytes_max)}.${most} Give fewer files, or the pages that you need.`;
}

const tooLarge = (files: readonly InputFile[], message: string): Outcome =>
  invalidFile(files.map(({ name }) => name).join(', '), message);
