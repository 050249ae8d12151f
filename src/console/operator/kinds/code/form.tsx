/** A candidate and its cases. */
import { Member } from '../../../kit/forms/fields.js';
import { type FormProps, plainMembers, workFields } from '../shared/work.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { words } from './words.js';

const fields = workFields('code');
/** Texts of several lines, in the order in which they are written. */
const texts = ['candidate', 'examples', 'heldout'] as const;
const texts_rows = { candidate: 8, examples: 4, heldout: 4 };

export function CodeForm({ draft, set }: FormProps<'code'>) {
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
