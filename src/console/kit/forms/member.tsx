/** A member of a request as a field: the kind of input, its choices and what a blank means follow from the codec. */
import { ChoiceType, EitherType, NumberType, type Fields } from '../../../codec/kit.js';
import { useText } from '../text/context.js';
import { Field, type FieldProps } from './field.js';
import { defaultText, isOptional } from './member-value.js';
import type { AnyWords } from './words.js';

type Codec = Fields[string]['codec'];

interface MemberProps extends Partial<Pick<FieldProps, 'rows' | 'mono' | 'read'>> {
  readonly field: Fields[string];
  readonly path: string;
  readonly words: AnyWords;
  readonly value: string;
  readonly set: (value: string) => void;
  /** A choice that leaves the member out. */
  readonly blank?: string | undefined;
}

const isNumeric = (codec: Codec): boolean =>
  codec instanceof NumberType || (codec instanceof EitherType && codec.first.is(null) && codec.second instanceof NumberType);

export function Member({ field, path, words, value, set, blank, ...more }: MemberProps) {
  const { k } = useText();
  const { label, hint, options = {} } = words;
  const placeholder = defaultText(field);
  const choices = field.codec instanceof ChoiceType ? field.codec.choices.map(String) : null;
  return (
    <Field
      {...more}
      path={path}
      label={isOptional(field) ? `${label} (${k.rows.optional})` : label}
      value={value}
      set={set}
      numeric={isNumeric(field.codec)}
      {...(hint === undefined ? {} : { hint })}
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(choices === null
        ? {}
        : {
            options: [
              ...(blank === undefined ? [] : [['', blank] as const]),
              ...choices.map((each) => [each, options[each] ?? each] as const),
            ],
          })}
    />
  );
}

interface MembersProps<N extends string> {
  readonly names: readonly N[];
  readonly fields: Readonly<Record<N, Fields[string]>>;
  /** The path of what the members belong to, with a point at its end; empty for the request itself. */
  readonly within: string;
  readonly words: Readonly<Record<N, AnyWords>>;
  readonly texts: Readonly<Record<N, string>>;
  readonly set: (part: { readonly [M in N]?: string }) => void;
  /** What the page understood of a text. */
  readonly read?: (name: N, text: string) => string | undefined;
  /** Names the choice that leaves a member out. */
  readonly blank?: (name: N) => string | undefined;
  readonly small?: boolean;
}

/** Members beside each other, as wide as there is room. */
export function Members<N extends string>({
  names,
  fields,
  within,
  words,
  texts,
  set,
  read,
  blank,
  small = false,
}: MembersProps<N>) {
  return (
    <div class={small ? 'cells cells-small' : 'cells'}>
      {names.map((name) => (
        <Member
          key={name}
          field={fields[name]}
          path={`${within}${name}`}
          words={words[name]}
          value={texts[name]}
          set={(text) => set({ [name]: text } as { readonly [M in N]?: string })}
          read={read?.(name, texts[name])}
          blank={blank?.(name)}
        />
      ))}
    </div>
  );
}
