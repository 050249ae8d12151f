/** Code missions in the console: the candidate and its cases are shown at any time, with verdicts once it ran. */
import { codeExample } from '../../../../kinds/code/example.js';
import { codeInputs, codeResultView } from '../../../../kinds/code/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import { Member } from '../../../kit/forms/fields.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { type FormProps, type KindView, plainMembers, workFields } from '../shared/work.js';
import { draft } from './draft.js';
import { CodeInput, CodeResult, CodeRuns } from './result.js';
import { words } from './words.js';

export const code: KindView<'code'> = {
  example: codeExample,
  ...draft,
  search: [],
  Form: CodeForm,
  result: ({ result }) => {
    const view = viewOf(codeResultView, result);
    return view === null ? null : <CodeResult result={view} />;
  },
  inputs: codeInputs,
  input: (record) => <CodeInput record={record} />,
  runs: (record) => <CodeRuns record={record} />,
};

/** A candidate and its cases. */
const fields = workFields('code');
/** Texts of several lines, in the order in which they are written. */
const texts = ['candidate', 'examples', 'heldout'] as const;
const texts_rows = { candidate: 8, examples: 4, heldout: 4 };

function CodeForm({ draft, set }: FormProps<'code'>) {
  const { t } = useWordsOf(words);
  const shared = (name: keyof typeof draft) => ({
    field: fields[name],
    path: `work.${name}`,
    words: t.fields[name],
    value: draft[name],
    set: (text: string) => set({ [name]: text }),
  });
  return (
    <>
      {plainMembers('code', ...texts).map((name) => (
        <Member key={name} {...shared(name)} />
      ))}
      {texts.map((name) => (
        <Member mono key={name} rows={texts_rows[name]} {...shared(name)} />
      ))}
    </>
  );
}
