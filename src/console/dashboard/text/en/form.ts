/** English: a new run. */
import type { FieldWords, SectorWords } from '../../pure/draft.js';

export const form = {
  title: 'New run',
  lead: 'A run forecasts how capability grows, which sectors it disrupts and when, and searches for where effort helps most.',
  preset: 'Start from',
  presets: {
    standard: {
      name: 'Server defaults',
      text: 'All fields blank: five years, six identical sectors, a small search. No sector is disrupted.',
    },
    quick: {
      name: 'Quick look',
      text: 'Ten years in which every sector is disrupted, quantiles from 200 draws, a small search. Finishes in a moment.',
    },
    thorough: {
      name: 'Thorough',
      text: 'Thirty years, twelve sectors, 2000 draws and a long search. Takes a few seconds.',
    },
    sectors: {
      name: 'Your own sectors',
      text: 'Fifteen years and four example sectors for you to replace.',
    },
  },
  startPreset: 'Start',
  startOf: (preset: string) => `Start: ${preset}`,
  name: { label: 'Name (optional)', hint: 'Shown in the list of runs. It changes nothing in the result.' },
  changed: 'Changed: no longer a preset.',
  fromRun: (id: string) => `Copied from run ${id}. Change what you like.`,
  fields: {
    horizon: { label: 'Horizon, years', hint: '1 to 200' },
    curve: { label: 'Capability curve', options: { logistic: 'logistic', linear: 'linear', exponential: 'exponential' } },
    k: { label: 'Steepness k', hint: 'Default: 10 for logistic, 3 for exponential. Not used for linear.' },
    x0: { label: 'Midpoint x0', hint: 'As a share of the horizon: 0.5 is halfway. Not used for linear.' },
    energy: { label: 'Initial energy', hint: 'What keeps a sector as it is' },
    entropy: {
      label: 'Entropy',
      hint: 'How strongly capability acts on a sector: it is disrupted when capability × entropy exceeds its energy',
    },
    num_sectors: { label: 'Number of sectors', hint: '1 to 1000' },
    pop_size: { label: 'Population', hint: '2 to 10,000' },
    generations: { label: 'Generations', hint: '1 to 10,000' },
    mut_rate: { label: 'Mutation rate', hint: '0 to 1' },
    xover_rate: { label: 'Crossover rate', hint: '0 to 1' },
    samples: { label: 'Draws for quantiles', hint: '0, or 20 to 2000; 0 leaves the quantiles of capability out' },
    spread: { label: 'Spread of the draws', hint: '0 to 4 (default 1): multiplies how much the curve varies from draw to draw' },
    seed: { label: 'Seed', hint: 'The same seed gives the same result. If it is blank, one is drawn and recorded.' },
  } satisfies FieldWords,
  sectorFields: {
    name: { label: 'Name' },
    energy: { label: 'Initial energy' },
    entropy: { label: 'Entropy' },
    growth: { label: 'Growth per year' },
  } satisfies SectorWords,
  scenario: 'Scenario',
  curveDefault: (name: string) => `${name} (default)`,
  sectors: 'Sectors',
  ways: { alike: 'All identical', rows: 'One by one', json: 'As JSON' },
  sector: 'sector',
  noRows: 'The list is empty, so the run uses six identical sectors.',
  tooMany: (n: string, most: string) => `${n} sectors are too many to edit in rows (at most ${most}). Edit them as JSON.`,
  json: 'List of sectors',
  jsonHint: 'A JSON list of names, or of {"name", "energy", "entropy", "growth"}; numbers left out are 1, 1 and 0.05.',
  jsonRead: (count: number, n: string, first: string) =>
    count === 0
      ? 'An empty list: the server uses six identical sectors.'
      : `${count === 1 ? 'Read one sector' : `Read ${n} sectors`}, the first is “${first}”`,
  jsonFaults: {
    blank: 'Nothing pasted yet.',
    list: 'This JSON is not a list. Start with [ and end with ].',
    json: 'This is not valid JSON. Look for a missing comma, quote or bracket.',
  },
  search: 'Search',
  repeat: 'Uncertainty and repetition',
  decimal: 'Use "." as the decimal separator.',
  work: (work: string, most: string) => `Work: ${work} of at most ${most} steps (population × generations × sectors × years).`,
  submit: 'Start run',
  save: 'Save request as file',
  started: 'Run started.',
  latest: 'Latest runs',
  noRuns: 'No runs yet',
  noRunsText: 'Runs appear here, with their progress, as soon as you start them.',
  allRuns: 'All runs',
};
