/** Sources that the question is asked of. */
import { useWords } from '../../text/words.js';
import { Field, Rows } from '../../../kit/forms/field.js';
import { emptySource, type FormProps } from '../../create/model.js';

export function ResearchForm({ draft, set }: FormProps<'research'>) {
  const { t } = useWords();
  const c = t.create;
  return (
    <Rows
      path="work.sources"
      title={c.sources}
      what={c.source}
      rows={draft.sources}
      set={(sources) => set({ sources })}
      empty={{ ...emptySource, id: `s${draft.sources.length + 1}` }}
    >
      {(row, change, path) => (
        <>
          <div class="cells">
            <Field path={`${path}.id`} label={c.id} value={row.id} set={(id) => change({ id })} />
            <Field path={`${path}.title`} label={c.sourceTitle} value={row.title} set={(title) => change({ title })} />
            <Field
              path={`${path}.url`}
              label={`${c.sourceUrl} (${c.sourceUrlHint})`}
              value={row.url}
              set={(url) => change({ url })}
            />
          </div>
          <Field path={`${path}.text`} label={c.sourceText} rows={6} value={row.text} set={(text) => change({ text })} />
        </>
      )}
    </Rows>
  );
}
