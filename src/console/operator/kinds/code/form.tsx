/** A candidate and its cases. */
import { useWords } from '../../text/words.js';
import { Field } from '../../../kit/forms/field.js';
import type { FormProps } from '../../create/model.js';

const languages = [
  ['python', 'Python'],
  ['javascript', 'JavaScript'],
] as const;

export function CodeForm({ draft, set }: FormProps<'code'>) {
  const { k, t } = useWords();
  const c = t.create;
  return (
    <>
      <Field
        path="work.language"
        label={c.language}
        options={languages}
        value={draft.language}
        set={(language) => set({ language })}
      />
      <Field
        mono
        path="work.candidate"
        label={`${c.candidate} (${k.rows.optional})`}
        hint={c.candidateHint}
        rows={8}
        value={draft.candidate}
        set={(candidate) => set({ candidate })}
      />
      <Field
        mono
        path="work.examples"
        label={`${c.examples} (${k.rows.optional})`}
        hint={c.casesHint}
        rows={4}
        value={draft.examples}
        set={(examples) => set({ examples })}
      />
      <Field
        mono
        path="work.heldout"
        label={c.heldout}
        hint={c.casesHint}
        rows={4}
        value={draft.heldout}
        set={(heldout) => set({ heldout })}
      />
    </>
  );
}
