/** A sixth mission kind, `toy`: its folder as source text, and the lines that register it. */

/** Files of src/kinds/toy. */
export const toyFolder = {
  'work.ts': `
import type * as t from 'io-ts';
import { choice, integer, list, object, required } from '../../codec/kit.js';

export const toyWork = object('Toy', { kind: required(choice('toy')), numbers: required(list(integer(0, 1_000), 1, 100)) });
export type ToyWork = t.TypeOf<typeof toyWork>;
`,
  'result.ts': `
export interface ToyResult {
  readonly sum: number;
}
`,
  'engine/engine.ts': `
import { ok } from '../../../base/refusal.js';
import type { Engine } from '../../../engines/engine.js';
import type { ToyResult } from '../result.js';
import type { ToyWork } from '../work.js';

export const toyEngine: Engine<ToyWork, ToyResult> = {
  name: 'toy',
  version: '1',
  run: ({ work }, checkpoint) => {
    checkpoint(1);
    return ok({ result: { sum: work.numbers.reduce((sum, n) => sum + n, 0) }, iterations: null, solution: null });
  },
};
`,
  'verify/verify.ts': `
import { canonicalJson } from '../../../base/canonical-json.js';
import type { EngineInput, Verification } from '../../../engines/engine.js';
import type { ToyWork } from '../work.js';

export function verifyToy({ work }: EngineInput<ToyWork>, result: unknown): Verification {
  let sum = 0;
  for (const n of work.numbers) sum += n;
  const passed = canonicalJson(result) === canonicalJson({ sum });
  return { passed, checks: ['the sum'], failure: passed ? null : 'another sum' };
}
`,
  'size.ts': `
import { top_level_marks, type SizeBounds } from '../size.js';
import type { ToyWork } from './work.js';

export const toySize: SizeBounds<ToyWork> = { result: () => ({ bytes: 100, marks: top_level_marks }) };
`,
  'kind.ts': `
import { without_objective } from '../improvement.js';
import { type MissionKind, missionManifest } from '../kind.js';
import { toyExample } from './example.js';
import { toySize } from './size.js';
import { toyInputs } from './view.js';

const engine = { name: 'toy', version: '1', load: async () => (await import('./engine/engine.js')).toyEngine };
const verifier = async () => (await import('./verify/verify.js')).verifyToy;

export const toyKind: MissionKind<'toy'> = {
  kind: 'toy',
  manifest: missionManifest('toy', 'Toy mission', 'Adds numbers.'),
  example: toyExample,
  inputs: toyInputs,
  chart: null,
  solver: { engine, verifier, isRecomputed: false, size: toySize },
  improvement: () => without_objective,
  seedIds: null,
  erasable: () => false,
  reference: null,
};
`,
  'view.ts': `
import { inputsFor } from '../inputs.js';
import { toyWork } from './work.js';

export const toyInputs = inputsFor(toyWork, ({ numbers }) => ({ facts: [['numbers', numbers.join(' ')]], tables: [] }));
`,
  'example.ts': `
import type { Example } from '../works.js';

export const toyExample: Example<'toy'> = { goal: 'Add a few numbers', work: { kind: 'toy', numbers: [1, 2, 39] } };
`,
};

/** Files of src/console/operator/kinds/toy. */
export const consoleFolder = {
  'words.ts': `
import { type TextsOf, translated } from '../../../kit/text/words.js';
import type { KindWords } from '../shared/draft.js';

export const words = translated({
  name: ['Toy', 'Jouet'],
  about: ['The sum of a few numbers.', 'La somme de quelques nombres.'],
  fields: { numbers: { label: ['Numbers', 'Nombres'] } },
  result: { sum: ['Sum', 'Somme'] },
} satisfies TextsOf<KindWords<'toy'>>);
`,
  'draft.ts': `
import { formFor, plainMembers } from '../shared/draft.js';

export const form = formFor('toy', { parts: [plainMembers('toy')] });
`,
  'result.tsx': `
import * as t from 'io-ts';
import { viewOf } from '../../../../kinds/view-fields.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { words } from './words.js';

export function ToyResult({ result }: { readonly result: unknown }) {
  const { t: text } = useWordsOf(words);
  const view = viewOf(t.type({ sum: t.number }), result);
  return view && <p>{text.result.sum}: {view.sum}</p>;
}
`,
  'view.tsx': `
import { toyExample } from '../../../../kinds/toy/example.js';
import { toyInputs } from '../../../../kinds/toy/view.js';
import type { KindView } from '../shared/view.js';
import { form } from './draft.js';
import { ToyResult } from './result.js';

export const toy: KindView<'toy'> = {
  example: toyExample,
  form: form,
  search: [],
  result: ({ result }) => <ToyResult result={result} />,
  inputs: toyInputs,
};
`,
};

/** One file in which a kind is registered. */
export interface Registration {
  readonly file: string;
  /** Each text and what it is replaced by, once. */
  readonly edits: readonly (readonly [string, string])[];
}

/** The name itself: with it the compiler asks for everything else. */
export const naming: Registration = { file: 'src/codec/kinds.ts', edits: [["'code'] as const", "'code', 'toy'] as const"]] };

const inTable = (table: string, part: string): Registration => {
  const name = `toy${part}`;
  return {
    file: `src/kinds/${table}.ts`,
    edits: [
      ["import type { Kind } from '../codec/kinds.js';\n", `$&import { ${name} } from './toy/${part.toLowerCase()}.js';\n`],
      ['\n  code: ', `\n  toy: ${name},$&`],
    ],
  };
};

export const serverRegistrations: readonly Registration[] = [
  inTable('works', 'Work'),
  inTable('table', 'Kind'),
  { file: 'src/domain/tool-catalog.ts', edits: [["\n  mission_code: 'configuration',", '$&\n  mission_toy: null,']] },
  { file: 'src/mcp/prompts.ts', edits: [['\n  code: {', "\n  toy: { title: 'Add numbers', needs: 'the numbers' },$&"]] },
  { file: 'src/reports/kinds/contents.ts', edits: [['\n  code: codeContent,', '$&\n  toy: () => null,']] },
];

const inConsole = (table: string, imports: string, file: string): Registration => ({
  file: `src/console/operator/kinds/${table}.ts`,
  edits: [
    ["import type { Kind } from '../../../codec/kinds.js';\n", `$&import { ${imports} } from './toy/${file}.js';\n`],
    ['forecast, code };', 'forecast, code, toy };'],
  ],
});

export const consoleRegistrations: readonly Registration[] = [
  inConsole('table', 'toy', 'view'),
  inConsole('words', 'words as toy', 'words'),
];
