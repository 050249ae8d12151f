/**
 * Research on SQuAD 1.1 dev paragraphs and on XQuAD paragraphs in six languages (../shared/data, not shipped): hit@1 and hit@8, beside plain
 * BM25 of words and of grams of characters over the same sentences; and the time for 20 sources of 20 kB.
 */
import { existsSync, readFileSync } from 'node:fs';
import { unwrap } from '../src/base/refusal.js';
import type { ResearchWork } from '../src/kinds/research/work.js';
import type { EngineInput } from '../src/engines/engine.js';
import { researchEngine } from '../src/kinds/research/engine/engine.js';
import { sentences } from '../src/kinds/research/engine/split.js';
import type { Finding } from '../src/kinds/research/result.js';
import { verifyResearch } from '../src/kinds/research/verify/verify.js';

export const name = 'engines-research';

const squad = '../shared/data/retrieval/squad-5-articles.json';
const xquad = '../shared/data/retrieval/xquad-12-articles.json';
const group_size = 20;
/** One result in so many is verified. */
const verified_every = 40;

/** What each language is to reach at hit@1. */
const targets: Readonly<Record<string, number>> = { ru: 0.7, ar: 0.68, th: 0.6, hi: 0.6, de: 0.74, zh: 0.76 };

interface Paragraph {
  readonly title: string;
  readonly context: string;
  readonly questions: readonly { readonly q: string; readonly answers: readonly (readonly [number, string])[] }[];
}

interface Quote {
  readonly source_id: string;
  readonly start: number;
  readonly end: number;
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

const read = <A>(file: string): A => JSON.parse(readFileSync(file, 'utf8')) as A;

export async function run(print: (line: string) => void): Promise<void> {
  if (existsSync(squad)) {
    const { paragraphs } = read<{ paragraphs: Paragraph[] }>(squad);
    print(`SQuAD, five articles: ${measured(paragraphs)} (reach 0.75 and 0.95)`);
    speed('SQuAD', paragraphs, 'How many teams have played in the Super Bowl eight times, and who coached them?', print);
  } else print(`${squad} is absent: skipped`);
  if (existsSync(xquad)) {
    const { languages } = read<{ languages: Record<string, Paragraph[]> }>(xquad);
    for (const [language, paragraphs] of Object.entries(languages)) {
      print(`XQuAD ${language}, twelve articles: ${measured(paragraphs)} (reach ${targets[language] ?? 'nothing'})`);
      print(`XQuAD ${language}: sources in NFD: ${differing(paragraphs)}`);
    }
    speed('XQuAD th', languages['th'] ?? [], languages['th']?.[0]?.questions[0]?.q ?? '', print);
  } else print(`${xquad} is absent: skipped`);
}

interface Tally {
  first: number;
  eight: number;
}

function measured(paragraphs: readonly Paragraph[]): string {
  const tallies: readonly Tally[] = [
    { first: 0, eight: 0 },
    { first: 0, eight: 0 },
    { first: 0, eight: 0 },
  ];
  let [questions, refused] = [0, 0];
  for (let from = 0; from < paragraphs.length; from += group_size) {
    const group = paragraphs.slice(from, from + group_size);
    const work = works(group.map((p) => p.context));
    const peers = [plainBm25(work, plainTerms), plainBm25(work, gramTerms)];
    for (const [k, paragraph] of group.entries()) {
      for (const { q, answers } of paragraph.questions) {
        const hit = (quote: Quote): boolean =>
          quote.source_id === `p${k}` && answers.some(([at, text]) => quote.start < at + text.length && at < quote.end);
        for (const [i, found] of [findings(q, work), ...peers.map((rank) => rank(q))].entries()) {
          const at = found.slice(0, 8).findIndex(hit);
          const tally = tallies[i];
          if (tally !== undefined && at >= 0) tally.eight++;
          if (tally !== undefined && at === 0) tally.first++;
        }
        if (questions % verified_every === 0 && !isVerified(q, work)) refused++;
        questions++;
      }
    }
  }
  const share = (count: number): string => (count / questions).toFixed(3);
  const [own, plain, grams] = tallies.map(({ first, eight }) => `hit@1 ${share(first)}, hit@8 ${share(eight)}`);
  return `${questions} questions in groups of ${group_size} paragraphs: ${own}; BM25 of words ${plain}, of grams ${grams}; ${refused} results refused by the verifier`;
}

const isVerified = (goal: string, work: ResearchWork): boolean =>
  verifyResearch(input(goal, work), unwrap(researchEngine.run(input(goal, work), () => {})).result).passed;

/** Returns on how many questions the findings of NFD sources are others than those of the sources as they are. */
function differing(paragraphs: readonly Paragraph[]): string {
  const group = paragraphs.slice(0, group_size);
  const forms = ['NFC', 'NFD'].map((form) => works(group.map((p) => p.context.normalize(form))));
  const asked = group.flatMap(({ questions }) => questions.map(({ q }) => q));
  const quotes = (goal: string, work: ResearchWork): string =>
    JSON.stringify(findings(goal, work).map(({ quote, score }) => [quote.normalize('NFC'), score]));
  const different = asked.filter((goal) => new Set(forms.map((work) => quotes(goal, work))).size > 1).length;
  return `${different} of ${asked.length} questions have other findings`;
}

const plainTerms = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Returns the overlapping grams of the words: two characters of Han, three of Thai, four of other scripts. */
const gramTerms = (text: string): string[] =>
  plainTerms(text).flatMap((word) => {
    const length = /\p{sc=Han}/u.test(word) ? 2 : /\p{sc=Thai}/u.test(word) ? 3 : 4;
    const letters = Array.from(word);
    return letters.length <= length ? [word] : letters.slice(length - 1).map((_, i) => letters.slice(i, i + length).join(''));
  });

/** Returns a ranking of the same sentences by BM25 over lower-cased words or their grams, with k1 1.2 and b 0.75 and nothing else. */
function plainBm25({ sources }: ResearchWork, termsIn: (text: string) => string[]): (goal: string) => Quote[] {
  const all = sources.flatMap(({ id, text }) =>
    sentences(text).map(({ start, end }) => ({ source_id: id, start, end, terms: termsIn(text.slice(start, end)) })),
  );
  const average = all.reduce((sum, { terms }) => sum + terms.length, 0) / all.length;
  const holding = new Map<string, number>();
  for (const { terms } of all) for (const term of new Set(terms)) holding.set(term, (holding.get(term) ?? 0) + 1);
  return (goal) => {
    const asked = new Set(termsIn(goal));
    const scored = all.map(({ terms, ...quote }) => {
      let score = 0;
      for (const term of asked) {
        const tf = terms.filter((one) => one === term).length;
        const n = holding.get(term) ?? 0;
        score +=
          (Math.log(1 + (all.length - n + 0.5) / (n + 0.5)) * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * terms.length) / average));
      }
      return { quote, score };
    });
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ quote }) => quote);
  };
}

function speed(label: string, paragraphs: readonly Paragraph[], goal: string, print: (line: string) => void): void {
  let all = paragraphs.map((p) => p.context).join('\n\n');
  while (all.length < 160_000) all += `\n\n${all}`;
  const work = works(Array.from({ length: 20 }, (_, i) => all.slice(i * 7_000, i * 7_000 + 20_000)));
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    findings(goal, work);
    return performance.now() - start;
  });
  print(
    `${label}, 20 sources of 20 000 characters: first ${times[0]?.toFixed(1)} ms, best ${Math.min(...times).toFixed(1)} ms (reach 100 ms)`,
  );
}
