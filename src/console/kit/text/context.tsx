/** The chosen language for all that is below: the kit's words, the page's, and numbers and times as the reader writes them. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { type Format, formatFor } from './format.js';
import { type KitWords, kitWords } from './kit-words.js';
import { inLanguage, type Language, type PageWords, preferred, type Translations } from './words.js';

export interface Text {
  readonly k: KitWords & { readonly page: PageWords };
  readonly f: Format;
  readonly language: Language;
  readonly choose: (language: Language) => void;
}

const Context = createContext<Text | null>(null);

export function useText(): Text {
  const text = useContext(Context);
  if (text === null) throw new Error('no text provider');
  return text;
}

/** Returns `words` in the chosen language as `t`, beside what the kit gives. */
export function useWordsOf<W>(words: Translations<W>): Text & { readonly t: W } {
  const text = useText();
  return { ...text, t: words[text.language] };
}

export function TextProvider({
  children,
  page,
}: {
  readonly children: ComponentChildren;
  readonly page: Translations<PageWords>;
}) {
  const [choice, setChoice] = useState(() => preferred(navigator.languages));
  const text = useMemo<Text>(
    () => ({
      k: { ...kitWords[choice.language], page: page[choice.language] },
      f: formatFor(choice.locale),
      language: choice.language,
      choose: (language) => setChoice(inLanguage(language, navigator.languages)),
    }),
    [choice, page],
  );
  useEffect(() => {
    document.documentElement.lang = choice.language;
  }, [choice]);
  return <Context.Provider value={text}>{children}</Context.Provider>;
}
