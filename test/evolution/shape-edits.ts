/** Edits of one definition of what leaves the process or of what a page shows, and the files that the compiler must then name. */

export interface ShapeEdit {
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Files of the program that the compiler must name, each with a word of its error. */
  readonly program?: readonly (readonly [string, string])[];
  /** The same for the pages. */
  readonly pages?: readonly (readonly [string, string])[];
}

export const shapeEdits: readonly ShapeEdit[] = [
  {
    what: 'renames a member of the public mission record',
    file: 'src/codec/api-missions.ts',
    from: '  result: required(t.unknown),',
    to: '  outcome: required(t.unknown),',
    program: [['src/app/missions/record.ts', "'result'"]],
    pages: [
      ['src/console/operator/missions/page.tsx', "'result'"],
      ['src/console/operator/kinds/forecast/view.tsx', "'result'"],
    ],
  },
  {
    what: 'answers health with another member',
    file: 'src/http/core/system-endpoints.ts',
    from: "json(200, { status: 'ok' })",
    to: 'json(200, { stattus: 5 })',
    program: [['src/http/core/system-endpoints.ts', 'stattus']],
  },
  {
    what: 'renames a member of the status, which is kept as text',
    file: 'src/codec/api-status.ts',
    from: '  control: required(controlState),',
    to: '  controls: required(controlState),',
    program: [['src/app/operator/status.ts', "'control'"]],
    pages: [['src/console/operator/shell.tsx', "'control'"]],
  },
  {
    what: "renames a member of a run's results",
    file: 'src/codec/api-simulation.ts',
    from: "  journal: required(object('JournalEntry',",
    to: "  entry: required(object('JournalEntry',",
    program: [['src/app/simulation/runs/simulate.ts', "'journal'"]],
    pages: [['src/console/dashboard/run/result.tsx', "'journal'"]],
  },
  {
    what: 'renames a member of what the feed tells',
    file: 'src/codec/api-journal.ts',
    from: '  done: required(number(0, 1)),',
    to: '  share: required(number(0, 1)),',
    program: [['src/app/daemon/executions.ts', "'done'"]],
    pages: [['src/console/operator/missions/actions.tsx', "'done'"]],
  },
  {
    what: 'renames a member of every problem',
    file: 'src/codec/api-problem.ts',
    from: '  hint: optional(text()),',
    to: '  help: optional(text()),',
    program: [['src/http/core/problem.ts', 'hint']],
    pages: [['src/console/kit/api/client.ts', "'hint'"]],
  },
  {
    what: 'renames a refusal',
    file: 'src/base/refusal.ts',
    from: '  stale_revision: meaning(',
    to: '  old_revision: meaning(',
    program: [['src/domain/mission-decide.ts', 'stale_revision']],
    pages: [['src/console/operator/review/confirm.tsx', 'stale_revision']],
  },
  {
    what: 'adds an optional member to the work of a kind, which lacks its words',
    file: 'src/kinds/forecast/work.ts',
    from: 'seasons: optional(',
    to: 'lookback: optional(season),\n  seasons: optional(',
    pages: [['src/console/operator/kinds/forecast/words.ts', "'lookback'"]],
  },
  {
    what: 'adds a member to the request of a run, which lacks its field, its draft and its words',
    file: 'src/codec/simulation.ts',
    from: 'samples: described(',
    to: 'burn_in: withDefault(integer(0, 10), 0),\n  samples: described(',
    pages: [
      ['src/console/dashboard/pure/draft.ts', "'burn_in'"],
      ['src/console/dashboard/text/form.ts', "'burn_in'"],
    ],
  },
  {
    what: 'adds a word that lacks its translation',
    file: 'src/console/kit/text/kit-words.ts',
    from: "  close: ['Close', ",
    to: "  open: ['Open'],\n  close: ['Close', ",
    pages: [['src/console/kit/text/kit-words.ts', '& Texts']],
  },
];
