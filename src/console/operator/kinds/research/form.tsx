/** The sources that a research mission searches. */
import { Rows, Member, Members } from '../../../kit/forms/fields.js';
import { type FormProps, rowFields } from '../shared/work.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { emptySource } from './draft.js';
import { words } from './words.js';

const fields = rowFields('research', 'sources');

export function ResearchForm({ draft, set }: FormProps<'research'>) {
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
