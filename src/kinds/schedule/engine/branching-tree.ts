/**
 * The text of a branching tree, in preorder: a leaf, or a pair of operations, the subtree in which the first precedes the second, and
 * the subtree in which it follows. An operation is its number in digits of base 64, most significant first, in as many as
 * the largest number takes.
 */
export const leaf = '.';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';

export function encodePair(operations: number, a: number, b: number): string {
  return encode(operations, a) + encode(operations, b);
}

function encode(operations: number, x: number): string {
  let text = '';
  let rest = x;
  for (let most = operations - 1; most > 0; most = Math.floor(most / 64)) {
    text = digits.charAt(rest % 64) + text;
    rest = Math.floor(rest / 64);
  }
  return text;
}
