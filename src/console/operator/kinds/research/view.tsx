/** Research missions in the console. */
import { researchExample } from '../../../../kinds/research/example.js';
import { researchInputs, researchResult } from '../../../../kinds/research/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import { Member, Members, Rows } from '../../../kit/forms/fields.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { type FormProps, type KindView, rowFields } from '../shared/work.js';
import { draft, emptySource } from './draft.js';
import { ResearchResult } from './result.js';
import { words } from './words.js';

export const research: KindView<'research'> = {
  example: researchExample,
  ...draft,
  search: [],
  Form: ResearchForm,
  result: ({ request, result, goal }) => {
    const view = viewOf(researchResult, result);
    return view === null ? null : <ResearchResult result={view} request={request} goal={goal} />;
  },
  inputs: researchInputs,
};

/** The sources that a research mission searches. */
const fields = rowFields('research', 'sources');

function ResearchForm({ draft, set }: FormProps<'research'>) {
  const { label, one, members } = useWordsOf(words).t.fields.sources;
  return (
    <Rows
      path="work.sources"
      title={label}
      what={one}
      rows={draft.sources}
      set={(sources) => set({ sources })}
      empty={{ ...emptySource, id: `s${draft.sources.length + 1}` }}
    >
      {(row, change, path) => (
        <>
          <Members names={['id', 'title', 'url']} fields={fields} within={`${path}.`} words={members} texts={row} set={change} />
          <Member
            field={fields.text}
            path={`${path}.text`}
            words={members.text}
            rows={6}
            value={row.text}
            set={(text) => change({ text })}
          />
        </>
      )}
    </Rows>
  );
}
