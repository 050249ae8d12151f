/**
 * A branch and bound on the order of pairs of operations that share a machine. It either finds a schedule whose objective is at most
 * a ceiling, or shows that there is none. The tree of a refutation is written down, so that a verifier can follow it: at each
 * node the verifier decides the pair that is named, applies the rules of `Propagator`, and finds a contradiction at every leaf.
 */
import { at } from './ints.js';
import type { Propagator } from './propagator.js';

/**
 * The text of a branching tree, in preorder: a leaf, or a pair of operations, the subtree in which the first precedes the second, and
 * the subtree in which it follows. An operation is its number in digits of base 64, most significant first, in as many as
 * the largest number takes.
 */
const leaf = '.';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';

const encodePair = (operations: number, a: number, b: number): string => encode(operations, a) + encode(operations, b);

function encode(operations: number, x: number): string {
  let text = '';
  let rest = x;
  for (let most = operations - 1; most > 0; most = Math.floor(most / 64)) {
    text = digits.charAt(rest % 64) + text;
    rest = Math.floor(rest / 64);
  }
  return text;
}

/** The pairs that one node tries in both orders before it branches on the best. */
const probes_max = 32;
/** The slot of the windows before a trial; the slots of the nodes on the current path follow. */
const trial_slot = 0;

export interface Refutation {
  readonly verdict: 'refuted' | 'schedule' | 'open';
  /** The tree of a refutation that is short enough to be checked, or null. */
  readonly tree: string | null;
  /** The operations by start in the schedule found, or null. */
  readonly order: Int32Array | null;
}

export interface Limits {
  /** The length of a tree in characters. */
  readonly chars: number;
  /** The work of following a tree, in the propagator's units. */
  readonly units: number;
  /** The work of the whole search, in the propagator's units. */
  readonly search_units: number;
  /** The number of open branches on a path; 0 for the rules only. */
  readonly depth: number;
}

const no_limits: Limits = { chars: 0, units: 0, search_units: 0, depth: 0 };

type Candidate = Readonly<Record<'a' | 'b' | 'score', number>>;

type Choice = { readonly a: number; readonly b: number } | 'refuted' | 'decided';

export class Refuter {
  private tokens: string[] = [];
  private chars = 0;
  private units = 0;
  private order: Int32Array | null = null;
  private limits = no_limits;

  constructor(private readonly propagator: Propagator) {}

  /** Searches for a schedule with an objective of at most `ceiling`. */
  attempt(ceiling: number, limits: Limits): Refutation {
    const { propagator } = this;
    this.limits = limits;
    this.tokens = [];
    this.chars = 0;
    this.order = null;
    propagator.units_max = propagator.units + limits.search_units;
    const before = propagator.units;
    const isOpen = propagator.reset(ceiling);
    this.units = propagator.units - before;
    if (!isOpen) this.write(leaf);
    const verdict = isOpen ? this.visit(trial_slot + 1) : 'refuted';
    const isShort = this.chars <= limits.chars && this.units <= limits.units;
    return { verdict, tree: verdict === 'refuted' && isShort ? this.tokens.join('') : null, order: this.order };
  }

  private visit(slot: number): Refutation['verdict'] {
    const { propagator } = this;
    for (;;) {
      if (propagator.isSpent() || slot > this.limits.depth) return 'open';
      const candidates = this.candidates();
      if (candidates.length === 0) return this.take();
      const choice = this.choose(candidates);
      if (choice === 'refuted') return 'refuted';
      if (choice === 'decided') continue;
      const { a, b } = choice;
      this.writePair(a, b);
      propagator.save(slot);
      if (this.follow(a, b)) {
        const verdict = this.visit(slot + 1);
        if (verdict !== 'refuted') return verdict;
      }
      propagator.restore(slot);
      if (!this.follow(b, a)) return 'refuted';
    }
  }

  /** Decides "a before b" as a part of the tree; a contradiction is written as a leaf. */
  private follow(a: number, b: number): boolean {
    const { propagator } = this;
    const before = propagator.units;
    const isOpen = propagator.decide(a, b);
    this.units += propagator.units - before;
    if (!isOpen) this.write(leaf);
    return isOpen;
  }

  /** Tries the candidates in both orders. Returns the pair to branch on, unless a trial ended in a contradiction. */
  private choose(candidates: readonly Candidate[]): Choice {
    const { propagator } = this;
    propagator.save(trial_slot);
    const slack = this.slack();
    let best = { a: 0, b: 0 };
    let most = -1;
    for (const { a, b } of candidates) {
      const gains: number[] = [];
      for (const [first, second] of [[a, b] as const, [b, a] as const]) {
        const before = propagator.units;
        const isOpen = propagator.decide(first, second);
        const spent = propagator.units - before;
        gains.push(isOpen ? slack - this.slack() : 0);
        propagator.restore(trial_slot);
        if (isOpen) continue;
        this.writePair(first, second);
        this.write(leaf);
        this.units += spent;
        return this.follow(second, first) ? 'decided' : 'refuted';
      }
      if (propagator.isSpent()) break;
      const score = ((gains[0] ?? 0) + 1) * ((gains[1] ?? 0) + 1);
      if (score > most) {
        most = score;
        best = { a, b };
      }
    }
    return best;
  }

  private slack(): number {
    const { start, end } = this.propagator.now;
    let sum = 0;
    for (let x = 0; x < start.length; x++) sum += at(end, x) - at(start, x);
    return sum;
  }

  /** Returns the undecided pairs whose decision changes their own windows the most whichever way it falls, best first. */
  private candidates(): readonly Candidate[] {
    const { propagator } = this;
    const { shop, members } = propagator;
    const found: Candidate[] = [];
    for (let m = 0; m < shop.machines; m++) {
      for (let s = at(shop.base, m); s < at(shop.base, m + 1); s++) {
        for (let t = s + 1; t < at(shop.base, m + 1); t++) {
          const [a, b] = [at(members, s), at(members, t)];
          if (propagator.isKnown(a, b)) continue;
          const score = (this.gain(a, b) + 1) * (this.gain(b, a) + 1);
          if (found.length === probes_max && score <= (found.at(-1)?.score ?? 0)) continue;
          const place = found.findIndex((one) => one.score < score);
          found.splice(place < 0 ? found.length : place, 0, { a, b, score });
          if (found.length > probes_max) found.pop();
        }
      }
    }
    return found;
  }

  /** Returns how much the windows of both shrink at once when `a` precedes `b`. */
  private gain(a: number, b: number): number {
    const { shop, now } = this.propagator;
    const later = at(now.start, a) + at(shop.duration, a) - at(now.start, b);
    const sooner = at(now.end, a) - at(now.end, b) + at(shop.duration, b);
    return Math.max(0, later) + Math.max(0, sooner);
  }

  private take(): 'schedule' {
    const { start } = this.propagator.now;
    this.order = Int32Array.from(start.keys()).sort((a, b) => at(start, a) - at(start, b) || a - b);
    return 'schedule';
  }

  private writePair(a: number, b: number): void {
    this.write(encodePair(this.propagator.shop.operations, a, b));
  }

  private write(token: string): void {
    this.chars += token.length;
    if (this.chars <= this.limits.chars) this.tokens.push(token);
  }
}
