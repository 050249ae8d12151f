/** The form of the frozen lists of a language. */

export type Script = 'latin' | 'greek' | 'cyrillic' | 'arabic' | 'devanagari' | 'hangul';

/**
 * One pass over the end, or the beginning, of a word. Rules are tried in order; the first that matches and leaves at least `kept`
 * characters, among them a vowel if the language names its vowels, is applied. A rule is an ending, letters in brackets of which one
 * must be before it, and `>` with what replaces it.
 */
export interface Pass {
  readonly side: 'start' | 'end';
  readonly kept: number;
  readonly rules: string;
}

export interface Language {
  readonly id: string;
  readonly script: Script;
  /** Words that carry no topic, which are left out of the index. */
  readonly stops: string;
  /** Words that frame a question and have little meaning by themselves. */
  readonly frames: string;
  readonly negations: string;
  /** Replaced characters: each item a character and what takes its place. */
  readonly letters: string;
  /** Words before an apostrophe that are dropped with it. */
  readonly elided: string;
  /** Whether the endings of a name follow an apostrophe. */
  readonly hasNameEndings?: true;
  /** The length of the grams of its words, which make up a second field; absent if its stems are enough. */
  readonly gram?: number;
  readonly vowels: string;
  readonly passes: readonly Pass[];
}

export const end = (kept: number, rules: string): Pass => ({ side: 'end', kept, rules });
export const start = (kept: number, rules: string): Pass => ({ side: 'start', kept, rules });
