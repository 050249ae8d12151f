/** Compares an output with the expected value: JSON of the same types, number tokens included. */
import { type JsonNode, parseJsonNode } from '../../base/json.js';
import { isRefused } from '../../base/refusal.js';
import type { CodeWork } from './work.js';

export type Language = CodeWork['language'];

/** A JSON value in its own text. */
type Written = NonNullable<ReturnType<typeof written>>;

/** Returns the written value of a text; null for one that is not JSON of the range that the journal takes (RFC 8259, ±(2^53 − 1)). */
export function written(text: string) {
  const node = parseJsonNode(text);
  return isRefused(node) ? null : { node: node.right, text };
}

/** Returns whether a number is written as an integer. -0 is not: no integer has that sign. */
export const isIntegerToken = (token: string): boolean => /^(?:0|-?[1-9][0-9]*)$/.test(token);

/**
 * Returns whether two values are the same: objects with the same members in any order, arrays item by item, texts by their UTF-16 code
 * units, numbers by value. An integer is another value than a float, except in JavaScript, which has one number type.
 */
export function isSame(expected: Written, output: Written, language: Language): boolean {
  const [a, b] = [expected.node, output.node];
  if (typeof a.value === 'number' && typeof b.value === 'number') {
    const isInteger = ({ node, text }: Written): boolean => isIntegerToken(text.slice(node.start, node.end));
    return a.value === b.value && (language === 'javascript' || isInteger(expected) === isInteger(output));
  }
  const same = (node: JsonNode, other: JsonNode | undefined): boolean =>
    other !== undefined && isSame({ ...expected, node }, { ...output, node: other }, language);
  if (a.items !== null || b.items !== null)
    return a.items?.length === b.items?.length && a.items?.every((item, i) => same(item, b.items?.[i])) === true;
  if (a.members !== null || b.members !== null)
    return (
      a.members?.size === b.members?.size && [...(a.members ?? [])].every(([name, member]) => same(member, b.members?.get(name)))
    );
  return a.value === b.value;
}
