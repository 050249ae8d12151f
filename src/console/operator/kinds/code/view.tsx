/** Code missions in the console: the candidate and its cases are shown at any time, with verdicts once it ran. */
import { codeExample } from '../../../../kinds/code/example.js';
import { codeResultView } from '../../../../kinds/code/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import type { KindView } from '../shared/work.js';
import { CodeInput, CodeResult } from './result.js';
import { empty, fromWork, valuesOf } from './draft.js';
import { CodeForm } from './form.js';

export const code: KindView<'code'> = {
  example: codeExample,
  empty,
  valuesOf,
  fromWork,
  search: [],
  Form: CodeForm,
  result: ({ result }) => {
    const view = viewOf(codeResultView, result);
    return view === null ? null : <CodeResult result={view} />;
  },
  input: (record) => <CodeInput record={record} />,
};
