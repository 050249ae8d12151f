/**
 * Follows the tree of a refutation: that no schedule keeps the objective within a ceiling. The tree is a text in preorder: `.` for a
 * leaf, where the windows must contradict each other; or two operations of one machine, then the subtree in which the first precedes
 * the second, then the one in which it follows. Operations are numbered in the mission's order and written in base 64.
 */
import type { ScheduleWork } from '../work.js';
import { type Snapshot, Windows } from './windows.js';

/** The work that following a tree may take (`Windows.units`), and the memory of the nodes above the current one. */
export interface Allowance {
  readonly units: number;
  readonly bytes: number;
}

interface Node {
  readonly a: number;
  readonly b: number;
  /** The windows before the decision; null below a contradiction. */
  readonly before: Snapshot | null;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';

/** Returns why the tree does not show that every schedule exceeds `ceiling`, or null when it does. */
export function refutationFault(work: ScheduleWork, ceiling: number, tree: string, allowance: Allowance): string | null {
  const windows = new Windows(work, ceiling, allowance.units);
  const width = digitsFor(windows.operations);
  const open: Node[] = [];
  let fits = windows.open();
  for (let at = 0; ; ) {
    if (windows.units > allowance.units) return 'the certificate takes too much work to check';
    if (tree[at] === '.') {
      if (fits) return `the certificate does not refute its branch at character ${at}`;
      at++;
      const node = open.pop();
      if (node === undefined) return at === tree.length ? null : 'the certificate continues after its tree';
      if (node.before === null) continue;
      windows.restore(node.before);
      fits = windows.decide(node.b, node.a);
      continue;
    }
    const a = read(tree, at, width);
    const b = read(tree, at + width, width);
    if (!windows.areRivals(a, b)) return `the certificate names no two operations of a machine at character ${at}`;
    at += 2 * width;
    if ((open.length + 1) * windows.bytes > allowance.bytes) return 'the certificate takes too much memory to check';
    open.push({ a, b, before: fits ? windows.snapshot() : null });
    if (fits) fits = windows.decide(a, b);
  }
}

/** Returns the number of digits of the largest operation's number. */
function digitsFor(operations: number): number {
  let digits = 0;
  for (let reach = 1; reach < operations; reach *= 64) digits++;
  return digits;
}

/** Returns the number written at `from`, or −1 when there is none. */
function read(tree: string, from: number, width: number): number {
  let value = 0;
  for (let i = from; i < from + width; i++) {
    const digit = i < tree.length ? alphabet.indexOf(tree.charAt(i)) : -1;
    if (digit < 0) return -1;
    value = value * 64 + digit;
  }
  return value;
}
