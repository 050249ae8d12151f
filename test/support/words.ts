/** scripts/words.mjs with types: it is plain JavaScript, because it runs before anything is built. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from './package-root.js';

interface Text {
  readonly line: number;
  readonly text: string;
  readonly language: 'en' | 'fr';
}

interface Term {
  readonly use: string;
  readonly pattern: RegExp;
  readonly sample: string;
  readonly language: 'en' | 'fr';
}

interface Words {
  readonly textsOf: (path: string, source: string) => readonly Text[];
  readonly proseOf: (source: string) => readonly Text[];
  readonly complaints: (path: string, texts: readonly Text[]) => readonly string[];
  readonly checkWords: () => { readonly texts: number; readonly found: readonly string[] };
}

const script = (name: string): string => pathToFileURL(join(packageRoot(import.meta.url), 'scripts', name)).href;

export const words = {
  ...((await import(script('words.mjs'))) as Words),
  ...((await import(script('words-terms.mjs'))) as { readonly terms: readonly Term[] }),
};
