/** What the forms hold, all as texts, and the mission file that they make. What is no number stays a text, so that the codec names it. */
import type { Kind } from '../../../codec/kinds.js';
import { idsOf, jsonOf, numberOf, numbersOf, textOf, words } from '../../kit/forms/values.js';

export interface SourceDraft {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly text: string;
}
export interface ItemDraft {
  readonly id: string;
  readonly cost: string;
  readonly value: string;
  readonly risk: string;
  readonly group: string;
  readonly requires: string;
  readonly excludes: string;
}
export interface JobDraft {
  readonly id: string;
  readonly operations: string;
  readonly release: string;
  readonly due: string;
  readonly weight: string;
}

export interface Drafts {
  readonly common: { readonly goal: string; readonly seed: string; readonly population: string; readonly generations: string };
  readonly research: { readonly sources: readonly SourceDraft[] };
  readonly allocation: {
    readonly budget: string;
    readonly max_risk: string;
    readonly unit: string;
    readonly items: readonly ItemDraft[];
  };
  readonly schedule: { readonly objective: string; readonly unit: string; readonly jobs: readonly JobDraft[] };
  readonly forecast: {
    readonly observations: string;
    readonly horizon: string;
    readonly holdout: string;
    readonly season: string;
    readonly levels: string;
    readonly unit: string;
  };
  readonly code: { readonly language: string; readonly candidate: string; readonly examples: string; readonly heldout: string };
}

/** What the form of one kind is given. */
export interface FormProps<K extends Kind> {
  readonly draft: Drafts[K];
  readonly set: (part: Partial<Drafts[K]>) => void;
}

export const emptySource: SourceDraft = { id: '', title: '', url: '', text: '' };
export const emptyItem: ItemDraft = { id: '', cost: '', value: '', risk: '', group: '', requires: '', excludes: '' };
export const emptyJob: JobDraft = { id: '', operations: '', release: '', due: '', weight: '' };

export const emptyDrafts: Drafts = {
  common: { goal: '', seed: '', population: '', generations: '' },
  research: { sources: [{ ...emptySource, id: 's1' }] },
  allocation: { budget: '', max_risk: '', unit: '', items: [emptyItem, emptyItem] },
  schedule: { objective: 'makespan', unit: '', jobs: [emptyJob, emptyJob] },
  forecast: { observations: '', horizon: '', holdout: '', season: '', levels: '', unit: '' },
  code: { language: 'python', candidate: '', examples: '', heldout: '' },
};

/** `machine duration`, one operation a line. The machine may hold no blank, as ids do not. */
const operationsOf = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [machine, duration, ...more] = words(line);
      return { machine, duration: more.length > 0 ? words(line).slice(1).join(' ') : numberOf(duration ?? '') };
    });

const works: { readonly [K in Kind]: (drafts: Drafts) => Readonly<Record<string, unknown>> } = {
  research: ({ research }) => ({
    sources: research.sources.map(({ id, title, url, text }) => ({ id, title, text, url: textOf(url) })),
  }),
  allocation: ({ allocation: { budget, max_risk, unit, items } }) => ({
    budget: numberOf(budget),
    max_risk: numberOf(max_risk),
    unit: textOf(unit),
    items: items.map((item) => ({
      id: item.id,
      cost: numberOf(item.cost),
      value: numberOf(item.value),
      risk: numberOf(item.risk),
      group: textOf(item.group),
      requires: idsOf(item.requires),
      excludes: idsOf(item.excludes),
    })),
  }),
  schedule: ({ schedule: { objective, unit, jobs } }) => ({
    objective,
    unit: textOf(unit),
    jobs: jobs.map(({ id, operations, release, due, weight }) => ({
      id,
      operations: operationsOf(operations),
      release: numberOf(release),
      due: numberOf(due),
      weight: numberOf(weight),
    })),
  }),
  forecast: ({ forecast: { observations, horizon, holdout, season, levels, unit } }) => ({
    observations: numbersOf(observations),
    horizon: numberOf(horizon),
    holdout: numberOf(holdout),
    season: numberOf(season),
    levels: levels.trim() === '' ? undefined : numbersOf(levels),
    unit: textOf(unit),
  }),
  code: ({ code: { language, candidate, examples, heldout } }) => ({
    language,
    candidate,
    examples: jsonOf(examples),
    heldout: jsonOf(heldout),
  }),
};

/** The mission file of a form. Members that are left blank are left out, so that the agent's defaults hold. */
export function requestOf(kind: Kind, drafts: Drafts): unknown {
  const { goal, seed, population, generations } = drafts.common;
  const request = {
    goal,
    work: { kind, ...works[kind](drafts) },
    seed: numberOf(seed),
    population: numberOf(population),
    generations: numberOf(generations),
  };
  return JSON.parse(JSON.stringify(request)) as unknown;
}
