/** Exports under test: verifying a document or a text, and foreign exports as the reference agent writes them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex, toBase64 } from '../../../src/base/bytes.js';
import { signerFromSeed } from '../../../src/journal/keys.js';
import { verifyExport, type ExportVerdict, type VerifyExportOptions } from '../../../src/app/exports/verify-export.js';
import { orRefusal } from './given-home.js';

let files = 0;

/** Writes a text beside the homes; returns its path. */
export function textFile(root: string, text: string): string {
  const file = join(root, `export-${++files}.json`);
  writeFileSync(file, text);
  return file;
}

type Options = Partial<Omit<VerifyExportOptions, 'file' | 'publicKey'>>;

/** The verdict, or the refusal's code. */
export const verdictOf = (
  root: string,
  text: string,
  publicKey: string,
  options: Options = {},
): Promise<ExportVerdict | string> =>
  orRefusal(() => verifyExport({ file: textFile(root, text), publicKey, recompute: false, ...options }));

/** Valid, why not, or the refusal's code. */
export async function shortVerdict(root: string, text: string, publicKey: string, options: Options = {}): Promise<true | string> {
  const verdict = await verdictOf(root, text, publicKey, options);
  if (typeof verdict === 'string') return verdict;
  return verdict.valid || (verdict.reason ?? 'no reason');
}

/** The verdict in one word: `unusable` when it was refused as no export. */
export async function plainVerdict(root: string, text: string, publicKey: string): Promise<'valid' | 'refuted' | 'unusable'> {
  const verdict = await verdictOf(root, text, publicKey);
  if (typeof verdict === 'string') return 'unusable';
  return verdict.valid ? 'valid' : 'refuted';
}

/** A number that prints as its text. */
export class Token {
  constructor(readonly text: string) {}
}
type Tree = null | boolean | string | number | Token | readonly Tree[] | { readonly [key: string]: Tree };

export interface Style {
  /** Members by code point, as Python sorts; otherwise in reverse. */
  readonly sorted: boolean;
  readonly space: string;
}
export const canonical: Style = { sorted: true, space: '' };

const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

export function print(value: Tree, style: Style): string {
  if (value instanceof Token) return value.text;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const { space, sorted } = style;
  if (Array.isArray(value)) return `[${(value as readonly Tree[]).map((item) => space + print(item, style)).join(',')}${space}]`;
  const members = Object.entries(value).sort(([a], [b]) => (sorted ? byCodePoint(a, b) : byCodePoint(b, a)));
  return `{${members.map(([key, v]) => `${space}${JSON.stringify(key)}${space}:${space}${print(v, style)}`).join(',')}${space}}`;
}

const signer = signerFromSeed(Buffer.alloc(32, 7));
export const foreignKey = signer.publicKey.toString('hex');

/** Python prints these otherwise than ECMAScript; keys beyond the BMP sort otherwise by code point than by code unit. */
export const foreignResult: Tree = {
  small: new Token('1e-05'),
  large: new Token('1e+16'),
  whole: new Token('3.0'),
  ns: new Token('1795152040956133692'),
  '\u{1f30a}': [new Token('-0.0'), 'caf\u00e9 "quoted" \\ \u0001'],
  '\uffee': null,
};

export interface ForeignChanges {
  readonly state?: Tree;
  readonly review?: Tree;
  readonly identity?: string;
  readonly result?: Tree;
}

/** A schema 1 body around a document, and what the reference signs of it. */
export function foreignEntry(document: Tree, identity: string = signer.identity) {
  const body: Tree = {
    document,
    identity,
    mission: '90f2b836-270b-4578-9af8-41245320af25',
    previous: '0'.repeat(64),
    schema: 1,
    sequence: 23,
    time_ns: new Token('1795152040956133692'),
  };
  const text = print(body, canonical);
  const hash = sha256Hex(text);
  return { text, receipt: { body, hash, signature: toBase64(signer.sign(Buffer.from(hash, 'hex'))) } };
}

export function foreignExport({ state = 'completed', review, identity, result = foreignResult }: ForeignChanges = {}) {
  const result_hash = sha256Hex(print(foreignResult, canonical));
  const approval = { approved: true, result_hash, note: 'n', actor: 'a' };
  return foreignEntry({ state, result, review: review ?? approval, request_hash: 'r' }, identity);
}

export const foreignDocument = (receipt: Readonly<Record<string, Tree>>, style: Style): string =>
  print({ public_key: foreignKey, receipt, schema: 1 }, style);
