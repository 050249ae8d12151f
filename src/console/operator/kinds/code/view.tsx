/** Code missions in the console: a result is shown by its plain figures, the candidate and its cases at any time. */
import type { KindView } from '../shared/view.js';
import { empty, valuesOf } from './draft.js';
import { CodeForm } from './form.js';
import { CodeInput } from './input.js';

export const code: KindView<'code'> = {
  empty,
  valuesOf,
  Form: CodeForm,
  result: () => null,
  input: ({ request }) => <CodeInput request={request} />,
};
