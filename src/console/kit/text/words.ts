/** The kit's own words, and those that it needs from the page that it is part of. */
import { en, type KitWords } from './en.js';
import { fr } from './fr.js';
import type { Translated } from './language.js';

export const kitWords: Translated<KitWords> = { en, fr };

/** What the controls say in each page's own words. */
export interface PageWords {
  /** The page's name, in the browser's title. */
  readonly app: string;
  /** Says which home the commands beside the page use. */
  readonly commandHome: string;
  /** The title above the faults of a form that was not sent. */
  readonly notSent: string;
  readonly signIn: { readonly lead: string; readonly where: string; readonly wrong: string; readonly ended: string };
  readonly problem: { readonly network: string; readonly unexpected: string };
}
