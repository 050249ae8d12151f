/** English: a new run. */
import type { FieldWords, SectorWords } from '../../pure/members.js';

export const form = {
  title: 'New run',
  lead: 'A run forecasts how capability grows, which sectors it disrupts and when, and searches for where effort helps most.',
  preset: 'Start from',
  presets: {
    standard: {
      name: 'Server defaults',
      text: 'Every field left blank: five years, six alike sectors, a small search. Nothing is disrupted.',
    },
    quick: { name: 'Quick look', text: 'Ten years, quantiles from 200 draws, a small search. Done in a moment.' },
    thorough: {
      name: 'Thorough',
      text: 'Thirty years, twelve sectors, 2000 draws and a long search. Takes some seconds.',
    },
    sectors: {
      name: 'Own sectors',
      text: 'Fifteen years and four sectors of different kinds, as an illustration to be replaced.',
    },
  },
  changed: 'Changed by you: no longer a preset.',
  fromRun: (id: string) => `As run ${id}, ready to be changed`,
  fields: {
    horizon: { label: 'Horizon, years', hint: '1 to 200' },
    curve: { label: 'Curve of capability', options: { logistic: 'logistic', linear: 'linear', exponential: 'exponential' } },
    k: { label: 'Steepness k', hint: 'Default 10 for logistic, 3 for exponential; unused for linear' },
    x0: { label: 'Middle x0', hint: 'As a share of the horizon: 0.5 is half way. Unused for linear' },
    energy: { label: 'Energy at the start', hint: 'What keeps a sector as it is' },
    entropy: {
      label: 'Entropy',
      hint: 'What capability turns against it: a sector is disrupted when capability × entropy exceeds its energy',
    },
    num_sectors: { label: 'Number of sectors', hint: '1 to 1000' },
    pop_size: { label: 'Population', hint: '2 to 10,000' },
    generations: { label: 'Generations', hint: '1 to 10,000' },
    mut_rate: { label: 'Mutation rate', hint: '0 to 1' },
    xover_rate: { label: 'Crossover rate', hint: '0 to 1' },
    samples: { label: 'Draws for quantiles', hint: '0 to 2000; 0 leaves the quantiles out' },
    seed: { label: 'Seed', hint: 'The same seed gives the same bytes. Blank: one is drawn and recorded' },
  } satisfies FieldWords,
  sectorFields: {
    name: { label: 'Name' },
    energy: { label: 'Energy at the start' },
    entropy: { label: 'Entropy' },
    growth: { label: 'Growth a year' },
  } satisfies SectorWords,
  scenario: 'Scenario',
  curveDefault: (name: string) => `${name} (default)`,
  sectors: 'Sectors',
  ways: { alike: 'All alike', rows: 'One by one', json: 'As JSON' },
  sector: 'sector',
  noRows: 'The list is empty: the run then takes six alike sectors.',
  tooMany: (n: string, most: string) => `${n} sectors are too many for rows (at most ${most}). Edit them as JSON.`,
  json: 'List of sectors',
  jsonHint: 'A JSON list of names, or of {"name", "energy", "entropy", "growth"}; numbers left out are 1, 1 and 0.05.',
  jsonRead: (count: number, n: string, first: string) =>
    count === 0
      ? 'An empty list: the server takes its six sectors.'
      : `${count === 1 ? 'One sector' : `${n} sectors`} read, the first is “${first}”`,
  jsonFaults: {
    blank: 'Nothing is pasted yet.',
    list: 'This is JSON, but no list: begin with [ and end with ].',
    json: 'This is no JSON yet: look for a missing comma, quote or bracket.',
  },
  search: 'Search',
  repeat: 'Uncertainty and repetition',
  decimal: 'Write a point as decimal sign.',
  work: (work: string, most: string) => `Work: ${work} of at most ${most} steps (population × generations × sectors × years).`,
  submit: 'Start the run',
  save: 'Save the request as a file',
  started: 'The run was started.',
  latest: 'Latest runs',
  noRuns: 'No run yet',
  noRunsText: 'The first one appears here as soon as it is started, and its progress with it.',
  allRuns: 'All runs',
};
