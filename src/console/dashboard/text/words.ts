/** The dashboard's texts beside those that it shares with the console; a few of the shared ones it words in its own way. */
import { useText, type Text } from '../../kit/text/context.js';
import type { Dictionary } from '../../operator/text/en.js';
import { dictionaries, type Language } from '../../kit/text/language.js';
import { en, type Words } from './en.js';
import { fr } from './fr.js';

const words: Readonly<Record<Language, Words>> = { en, fr };

const ownWords = ({ shell, login, problem, create }: Dictionary, { shell: own }: Words): Partial<Dictionary> => ({
  shell: { ...shell, app: own.app, feed: own.feed, feedHint: own.feedHint, commandHome: own.commandHome },
  login: { ...login, lead: own.lead, where: own.where, wrong: own.wrong, ended: own.ended },
  problem: { ...problem, network: own.network, unexpected: own.unexpected },
  create: { ...create, summary: own.notStarted },
});

/** For the provider of the shared texts. */
export const sharedWords: Readonly<Record<Language, Dictionary>> = {
  en: { ...dictionaries.en, ...ownWords(dictionaries.en, en) },
  fr: { ...dictionaries.fr, ...ownWords(dictionaries.fr, fr) },
};

/** The shared texts `t`, the dashboard's own `d`, and numbers and times in the reader's way `f`. */
export function useWords(): Text & { readonly d: Words } {
  const text = useText();
  return { ...text, d: words[text.language] };
}
