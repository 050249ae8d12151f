/** The chosen language for all that is below: its dictionary, and numbers and times in its way. */
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { formatFor, type Format } from './format.js';
import type { Dictionary } from '../../operator/text/en.js';
import { dictionaries, inLanguage, preferred, type Language } from './language.js';

export interface Text {
  readonly t: Dictionary;
  readonly f: Format;
  readonly language: Language;
  readonly choose: (language: Language) => void;
}

const initial = preferred(navigator.languages);
const Context = createContext<Text>({
  t: dictionaries[initial.language],
  f: formatFor(initial.locale),
  language: initial.language,
  choose: () => undefined,
});

export const useText = (): Text => useContext(Context);

interface TextProviderProps {
  readonly children: ComponentChildren;
  /** The dictionaries of a page that words some things in its own way. */
  readonly words?: Readonly<Record<Language, Dictionary>>;
}

export function TextProvider({ children, words = dictionaries }: TextProviderProps) {
  const [choice, setChoice] = useState(initial);
  const text = useMemo<Text>(
    () => ({
      t: words[choice.language],
      f: formatFor(choice.locale),
      language: choice.language,
      choose: (language) => setChoice(inLanguage(language, navigator.languages)),
    }),
    [choice, words],
  );
  useEffect(() => {
    document.documentElement.lang = choice.language;
  }, [choice]);
  return <Context.Provider value={text}>{children}</Context.Provider>;
}
