/**
 * The cases of a code mission as JSON texts, cut from the request's own text: the number tokens decide whether 1 and 1.0 are the same, and
 * a decoded number no longer says how it was written.
 */
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/bytes.js';
import { type JsonNode, parseJsonNode } from '../../base/json.js';
import { type FieldError, isRefused, ok, type Result } from '../../base/refusal.js';
import { isIntegerToken, isSame, type Language, written } from './compare.js';

export interface Case {
  /** The JSON text of the list of arguments. */
  readonly args: string;
  /** The JSON text of the expected value, which never enters the sandbox. */
  readonly expected: string;
}

export interface Benchmark {
  readonly examples: readonly Case[];
  readonly heldout: readonly Case[];
}

const groups = ['examples', 'heldout'] as const;

const casesIn = (request: JsonNode, group: (typeof groups)[number]): readonly JsonNode[] =>
  request.members?.get('work')?.members?.get(group)?.items ?? [];

/** Returns the cases of a request that decodes. @param text its JSON text */
export function benchmarkOf(text: string): Result<Benchmark> {
  const request = parseJsonNode(text);
  if (isRefused(request)) return request;
  const cut = (node: JsonNode | undefined): string => (node === undefined ? 'null' : text.slice(node.start, node.end));
  const casesOf = (group: (typeof groups)[number]): Case[] =>
    casesIn(request.right, group).map(({ members }) => ({
      args: cut(members?.get('args')),
      expected: cut(members?.get('expected')),
    }));
  return ok({ examples: casesOf('examples'), heldout: casesOf('heldout') });
}

/** Returns the hash that names a benchmark: of the texts of all its cases. */
export const benchmarkHash = ({ examples, heldout }: Benchmark): string => {
  const texts = (cases: readonly Case[]): readonly string[][] => cases.map(({ args, expected }) => [args, expected]);
  return sha256Hex(canonicalJson({ examples: texts(examples), heldout: texts(heldout) }));
};

/**
 * Returns an error for each integral number in a case that is written with a fraction or an exponent, or as -0. Such a number would be
 * stored as an integer, which another candidate passes.
 */
export const numberFaults = (request: JsonNode, text: string): FieldError[] =>
  groups.flatMap((group) =>
    casesIn(request, group).flatMap(({ members }, i) =>
      (['args', 'expected'] as const).flatMap((name) => {
        const node = members?.get(name);
        return node === undefined ? [] : faultsIn(node, text, `work.${group}[${i}].${name}`);
      }),
    ),
  );

function faultsIn(node: JsonNode, text: string, path: string): FieldError[] {
  const { value, items, members } = node;
  if (typeof value === 'number') {
    const token = text.slice(node.start, node.end);
    if (!Number.isInteger(value) || isIntegerToken(token)) return [];
    return [
      { path, message: `write an integral number without fraction, exponent or negative zero: ${value === 0 ? 0 : value}` },
    ];
  }
  if (items !== null) return items.flatMap((item, i) => faultsIn(item, text, `${path}[${i}]`));
  return members === null ? [] : [...members].flatMap(([name, member]) => faultsIn(member, text, `${path}.${name}`));
}

/** Returns a sentence for each held-out case that has the arguments of an example, which a candidate can simply remember. */
export function repeatedCases({ examples, heldout }: Benchmark, language: Language): string[] {
  const known = examples.map(({ args }) => written(args));
  return heldout.flatMap((testCase, i) => {
    const args = written(testCase.args);
    const at = args === null ? -1 : known.findIndex((example) => example !== null && isSame(example, args, language));
    if (at < 0) return [];
    return [
      `work.heldout[${i}] has the arguments of work.examples[${at}]: a candidate that only remembers the examples passes it`,
    ];
  });
}
