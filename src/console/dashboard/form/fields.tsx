/** The fields of a request that are single values. */
import { Members } from '../../kit/forms/member.js';
import type { Draft } from '../pure/draft.js';
import { useWords } from '../text/words.js';
import { membersOf, requestFields, type Group } from '../pure/members.js';

export interface FieldsProps {
  readonly draft: Draft;
  readonly set: (part: Partial<Draft>) => void;
}

/** The fields of one part of the form. */
export function GroupFields({ group, draft, set }: FieldsProps & { readonly group: Group }) {
  const { t } = useWords();
  const { fields, curveDefault } = t.form;
  return (
    <Members
      names={membersOf(group)}
      fields={requestFields}
      within=""
      words={fields}
      texts={draft}
      set={set}
      more={(name) => {
        if (name === 'curve') return { blank: curveDefault(fields.curve.options.logistic) };
        // What it is by default depends on the curve; this is what most of them take.
        return name === 'x0' ? { placeholder: '0' } : {};
      }}
    />
  );
}

/** A part of the form with its title. */
export function FieldGroup({ group, draft, set }: FieldsProps & { readonly group: 'scenario' | 'search' | 'repeat' }) {
  const { t } = useWords();
  return (
    <fieldset class="group">
      <legend>{t.form[group]}</legend>
      <GroupFields group={group} draft={draft} set={set} />
      {group === 'scenario' && <p class="help">{t.form.decimal}</p>}
    </fieldset>
  );
}
