/** A member of a request as a field: the kind of input, its choices and what a blank means follow from the codec. */
import type { Fields } from '../../../codec/field.js';
import { ChoiceType, NumberType } from '../../../codec/kit.js';
import { useText } from '../text/context.js';
import { Field, type FieldProps } from './field.js';
import { defaultText, isOptional, valueCodec } from './member-value.js';
import type { AnyWords } from './words.js';

interface MemberProps extends Partial<Pick<FieldProps, 'rows' | 'mono' | 'read' | 'placeholder'>> {
  readonly field: Fields[string];
  readonly path: string;
  readonly words: AnyWords;
  readonly value: string;
  readonly set: (value: string) => void;
  /** A choice that leaves the member out. */
  readonly blank?: string | undefined;
}

export function Member({ field, path, words, value, set, blank, ...more }: MemberProps) {
  const { k } = useText();
  const { label, hint, options = {} } = words;
  const placeholder = more.placeholder ?? defaultText(field);
  const codec = valueCodec(field);
  const choices = codec instanceof ChoiceType ? codec.choices.map(String) : null;
  return (
    <Field
      {...more}
      path={path}
      label={isOptional(field) ? `${label} (${k.rows.optional})` : label}
      value={value}
      set={set}
      numeric={codec instanceof NumberType}
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
  /** What a field has beside: what the page read of its text, another placeholder, or a choice that leaves it out. */
  readonly more?: (name: N, text: string) => Pick<MemberProps, 'read' | 'placeholder' | 'blank'>;
  readonly small?: boolean;
}

/** Members beside each other, as wide as there is room. */
export function Members<N extends string>({ names, fields, within, words, texts, set, more, small = false }: MembersProps<N>) {
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
          {...more?.(name, texts[name])}
        />
      ))}
    </div>
  );
}
