/** The contents of reports by mission kind. A kind that is missing here does not compile. */
import type { Kind } from '../../codec/kinds.js';
import type { Cell, Content } from '../content.js';
import { allocationContent } from './allocation.js';
import { codeContent } from './code.js';
import { forecastContent } from './forecast.js';
import { researchContent } from './research.js';
import { scheduleContent } from './schedule.js';

/** Returns the content, or null for a result whose members are not those of the kind. */
type ContentOf = (request: unknown, result: unknown) => Content | null;

const contents: Readonly<Record<Kind, ContentOf>> = {
  research: researchContent,
  allocation: allocationContent,
  schedule: scheduleContent,
  forecast: forecastContent,
  code: codeContent,
};

/** Returns the content, or null for a result of another shape. */
export const kindContent = (kind: Kind, request: unknown, result: unknown): Content | null => contents[kind](request, result);

export const contentOf = (kind: Kind, request: unknown, result: unknown): Content =>
  kindContent(kind, request, result) ?? membersContent(result);

/** Returns the content of a result of another program: its members as they are. */
function membersContent(result: unknown): Content {
  const members = typeof result === 'object' && result !== null ? Object.entries(result) : [];
  const cell = (value: unknown): Cell =>
    typeof value === 'string' || typeof value === 'number' || value === null ? value : JSON.stringify(value);
  return {
    question: 'The goal above.',
    inputs: [],
    answer: 'This result has another form than those of this program, which shows its members as they are.',
    figures: [],
    chart: null,
    tables: [
      { title: 'Members of the result', head: ['Member', 'Value'], rows: members.map(([name, value]) => [name, cell(value)]) },
    ],
    limits: [],
    terms: [],
  };
}
