/** Code missions in the console: the candidate and its cases are shown at any time, with verdicts once it ran. */
import { codeExample } from '../../../../kinds/code/example.js';
import { codeInputs, codeResultView } from '../../../../kinds/code/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import type { KindView } from '../shared/view.js';
import { form } from './draft.js';
import { CodeInput, CodeResult, CodeRuns } from './result.js';

export const code: KindView<'code'> = {
  example: codeExample,
  form,
  search: [],
  result: ({ result }) => {
    const view = viewOf(codeResultView, result);
    return view === null ? null : <CodeResult result={view} />;
  },
  inputs: codeInputs,
  input: (record) => <CodeInput record={record} />,
  runs: (record) => <CodeRuns record={record} />,
};
