/** Checks an entry's body by parsing it, when it is not an ordinary one, and finds the reason when it is not valid. */
import { canonicalOrNull } from '../base/canonical-json.js';
import type { Entry } from '../codec/entry.js';

/** What the row, the entry before it and the key call for. */
export interface ExpectedEntry extends Pick<Entry, 'sequence' | 'stream' | 'identity'> {
  /** Null for the first of a range: its caller compares it. */
  readonly previous: string | null;
}

type Body = Readonly<Record<string, unknown>>;

/** Returns the parsed body, or what is wrong with it. */
export function parsedEntry(text: string, { sequence, stream, identity, previous }: ExpectedEntry): Body | string {
  const body = parsedObject(text);
  if (body === null) return 'the body is not a JSON object';
  if (body['sequence'] !== sequence) return `the signed sequence is ${String(body['sequence'])}`;
  if (body['mission'] !== stream) return 'the stream is not the signed one';
  if (body['identity'] !== identity) return 'the entry belongs to another identity';
  if (previous !== null && body['previous'] !== previous) return 'the entry does not follow the one before it';
  if (body['schema'] !== 1 && body['schema'] !== 2) return 'the entry has an unknown schema';
  if (body['schema'] === 2 && canonicalOrNull(body) !== text) return 'the stored bytes are not in canonical form';
  return body;
}

/** Returns the member of a body if it is a text, or an empty text. */
export const textMember = (body: Body, name: string): string => {
  const value = body[name];
  return typeof value === 'string' ? value : '';
};

function parsedObject(text: string): Body | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Body) : null;
  } catch {
    return null;
  }
}
