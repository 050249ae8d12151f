/**
 * The canonical JSON of the reference agent, as Python prints it: members sorted by code point, and a float always with a point
 * or an exponent. The numbers of a foreign document are compared as written; nothing is printed from a rounded value.
 */
import type { JsonNode } from '../../base/json.js';

/** Whether the node's text is what Python prints for its value: no space, sorted members, shortest strings and floats. */
export const isPythonForm = (node: JsonNode, text: string): boolean => printed(node, text) === text.slice(node.start, node.end);

/** Returns the canonical text; null when Python would spell a number differently. */
function printed(node: JsonNode, text: string): string | null {
  if (node.members !== null) {
    const members = [...node.members].toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return joined(members, ([name, value]) => prefixed(`${JSON.stringify(name)}:`, printed(value, text)), '{', '}');
  }
  if (node.items !== null) return joined(node.items, (item) => printed(item, text), '[', ']');
  if (typeof node.value !== 'number') return JSON.stringify(node.value);
  const token = text.slice(node.start, node.end);
  return isPythonNumber(token) ? token : null;
}

const prefixed = (prefix: string, text: string | null): string | null => (text === null ? null : prefix + text);

function joined<A>(all: readonly A[], print: (item: A) => string | null, open: string, close: string): string | null {
  const texts: string[] = [];
  for (const item of all) {
    const text = print(item);
    if (text === null) return null;
    texts.push(text);
  }
  return open + texts.join(',') + close;
}

/** Whether a token is an integer of any length, or a float as Python's `repr` prints it. */
export const isPythonNumber = (token: string): boolean =>
  /^(?:0|-?[1-9][0-9]*)$/.test(token) || token === pythonFloat(Number(token));

/** Outside this range of decimal exponents, Python's repr prints an exponent, of at least two digits. */
const exponent_below = -4;
const exponent_from = 16;

/** Returns Python's repr of a float; both languages print the shortest digits that read back as the same double. */
export function pythonFloat(x: number): string {
  if (x === 0) return Object.is(x, -0) ? '-0.0' : '0.0';
  const [digits = '', power = ''] = x.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= exponent_below && exponent < exponent_from) {
    const text = String(x);
    return text.includes('.') ? text : `${text}.0`;
  }
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
