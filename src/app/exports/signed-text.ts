/**
 * Texts that were signed, and the readable copies of them in an export. A copy may have other spacing and order; its numbers are compared as
 * they are written, never after a conversion that could round them.
 */
import { canonicalJson } from '../../base/canonical-json.js';
import { type JsonNode, parseJsonNode } from '../../base/json.js';
import { isRefused } from '../../base/result.js';
import { refute } from './refuted.js';

/** Checks `body`, which repeats canonical_body for readers: what people read must be what was signed. */
export function checkReadableCopy(readable: JsonNode | undefined, text: string, bodyText: string, number: PrintNumber): void {
  const signed = rebuild(signedNode(bodyText), bodyText, number);
  if (signed !== rebuild(readable, text, number)) refute('the readable body is not the signed one');
}

export function signedNode(bodyText: string): JsonNode {
  const parsed = parseJsonNode(bodyText, { bigIntegers: 'round' });
  return isRefused(parsed) ? refute('the signed body is not strict JSON') : parsed.right;
}

/** Returns the text of a member exactly as in a canonical document. */
export function rebuildMember(bodyText: string, path: readonly string[]): string {
  let node: JsonNode | undefined = signedNode(bodyText);
  for (const step of path) node = node?.members?.get(step);
  return node === undefined ? refute(`the body has no ${path.join('.')}`) : bodyText.slice(node.start, node.end);
}

type PrintNumber = (node: JsonNode, text: string) => string;
export const asWritten: PrintNumber = ({ start, end }, text) => text.slice(start, end);
/** Numbers of this program are doubles in any spelling; an integer that a double may have rounded counts as it is written. */
export const asComputed: PrintNumber = (node, text) =>
  Number.isInteger(node.value) && !Number.isSafeInteger(node.value) ? asWritten(node, text) : canonicalJson(node.value);

/**
 * Returns canonical text from a document that has other spacing or order. By default, number tokens stay as they are in the file.
 */
export function rebuild(node: JsonNode | undefined, text: string, number: PrintNumber = asWritten): string {
  if (node === undefined) return refute('the body is missing');
  if (node.members !== null) {
    const members = [...node.members].toSorted(([a], [b]) => compareCodePoints(a, b));
    return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${rebuild(value, text, number)}`).join(',')}}`;
  }
  if (node.items !== null) return `[${node.items.map((item) => rebuild(item, text, number)).join(',')}]`;
  return typeof node.value === 'number' ? number(node, text) : JSON.stringify(node.value);
}

function compareCodePoints(a: string, b: string): number {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return Buffer.compare(left, right);
}
