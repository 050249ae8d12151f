/** A sixth mission kind, `toy`: its folder as source text, and the lines that register it. */

/** Files of src/kinds/toy. */
export const toyFolder: Readonly<Record<string, string>> = {
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
import { ok } from '../../../base/result.js';
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
import { noWarmStart, top_level_marks, type SizeBounds } from '../size.js';
import type { ToyWork } from './work.js';

export const toySize: SizeBounds<ToyWork> = { resultBytes: () => 100, resultMarks: () => top_level_marks, warmStart: noWarmStart };
`,
  'kind.ts': `
import type { MissionKind } from '../kind.js';
import { toyEngine } from './engine/engine.js';
import { toySize } from './size.js';
import { verifyToy } from './verify/verify.js';

export const toyKind: MissionKind<'toy'> = {
  kind: 'toy',
  solver: { engine: toyEngine, verify: verifyToy, size: toySize },
  seedIds: null,
  erasable: false,
  needsSandbox: false,
  reference: null,
};
`,
  'manifest.ts': `
import type { KindManifest } from '../kind.js';
import { forecastManifest } from '../forecast/manifest.js';

export const toyManifest: KindManifest<'toy'> = { ...forecastManifest, tool_id: 'mission_toy', tool_name: 'Toy mission' };
`,
  'example.ts': `
import type { Example } from '../kind.js';

export const toyExample: Example<'toy'> = { goal: 'Add a few numbers', work: { kind: 'toy', numbers: [1, 2, 39] } };
`,
  'picture.ts': `
import * as t from 'io-ts';
import type { Picture } from '../../pictures/picture.js';
import { viewOf } from '../view-fields.js';

export const toyPicture: Picture = ({ result }) => {
  const view = viewOf(t.type({ sum: t.number }), result);
  return view && [\`the sum is \${view.sum}\`];
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
  inTable('manifests', 'Manifest'),
  inTable('examples', 'Example'),
  inTable('pictures', 'Picture'),
  { file: 'src/domain/tool-catalog.ts', edits: [["\n  mission_code: 'configuration',", '$&\n  mission_toy: null,']] },
];
