/** Research on SQuAD 1.1 dev paragraphs (../shared/data, not shipped): hit@1, hit@8, and the time for 20 sources of 20 kB. */
import { existsSync, readFileSync } from 'node:fs';
import { unwrap } from '../src/base/result.js';
import type { ResearchWork } from '../src/kinds/research/work.js';
import type { EngineInput } from '../src/engines/engine.js';
import { researchEngine } from '../src/kinds/research/engine/engine.js';
import type { Finding } from '../src/kinds/research/result.js';

export const name = 'engines-research';

const file = '../shared/data/retrieval/squad-5-articles.json';
const group_size = 20;

interface Paragraph {
  readonly title: string;
  readonly context: string;
  readonly questions: readonly { readonly q: string; readonly answers: readonly (readonly [number, string])[] }[];
}

const input = (goal: string, work: ResearchWork): EngineInput<ResearchWork> => ({
  goal,
  work,
  seed: 42,
  population: 20,
  generations: 12,
  effort: { max_evaluations: 10_000 },
  warm_start: null,
});

const findings = (goal: string, work: ResearchWork): readonly Finding[] =>
  unwrap(researchEngine.run(input(goal, work), () => {})).result.findings;

const works = (texts: readonly string[]): ResearchWork => ({
  kind: 'research',
  sources: texts.map((text, i) => ({ id: `p${i}`, title: `paragraph ${i}`, text, url: '' })),
});

export async function run(print: (line: string) => void): Promise<void> {
  if (!existsSync(file)) {
    print(`${file} is absent: skipped`);
    return;
  }
  const { paragraphs } = JSON.parse(readFileSync(file, 'utf8')) as { paragraphs: Paragraph[] };
  accuracy(paragraphs, print);
  speed(paragraphs, print);
}

function accuracy(paragraphs: readonly Paragraph[], print: (line: string) => void): void {
  const tally = { questions: 0, first: 0, eight: 0, textFirst: 0, textEight: 0 };
  for (let from = 0; from < paragraphs.length; from += group_size) {
    const group = paragraphs.slice(from, from + group_size);
    const work = works(group.map((p) => p.context));
    for (const [k, paragraph] of group.entries()) {
      for (const { q, answers } of paragraph.questions) {
        const found = findings(q, work).slice(0, 8);
        const overlaps = (f: Finding): boolean =>
          f.source_id === `p${k}` && answers.some(([at, text]) => f.start < at + text.length && at < f.end);
        const at = found.findIndex(overlaps);
        const textAt = found.findIndex((f) => answers.some(([, text]) => f.quote.includes(text)));
        tally.questions++;
        if (at === 0) tally.first++;
        if (at >= 0) tally.eight++;
        if (textAt === 0) tally.textFirst++;
        if (textAt >= 0) tally.textEight++;
      }
    }
  }
  const share = (count: number): string => (count / tally.questions).toFixed(4);
  print(`questions: ${tally.questions} in groups of ${group_size} paragraphs`);
  print(`quote overlaps the answer: hit@1 ${share(tally.first)} (reach 0.75), hit@8 ${share(tally.eight)} (reach 0.95)`);
  print(`quote contains the answer's text: hit@1 ${share(tally.textFirst)}, hit@8 ${share(tally.textEight)}`);
}

function speed(paragraphs: readonly Paragraph[], print: (line: string) => void): void {
  const all = paragraphs.map((p) => p.context).join('\n\n');
  const work = works(Array.from({ length: 20 }, (_, i) => all.slice(i * 7_000, i * 7_000 + 20_000)));
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    findings('How many teams have played in the Super Bowl eight times, and who coached them?', work);
    return performance.now() - start;
  });
  print(`20 sources of 20 kB: first ${times[0]?.toFixed(1)} ms, best ${Math.min(...times).toFixed(1)} ms (reach 100 ms)`);
}
