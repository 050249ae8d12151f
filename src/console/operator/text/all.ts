/** The operator's words in every language. */
import { type PageWords, type Translations, translated } from '../../kit/text/words.js';
import { approvers } from './approvers.js';
import { audit } from './audit.js';
import { create } from './create.js';
import * as missions from './missions.js';
import * as payments from './payments.js';
import { failed, page, reason, shell, states } from './shell.js';
import * as system from './system.js';

export const words = translated({ shell, failed, reason, states, create, approvers, audit, ...missions, ...system, ...payments });

export type Words = (typeof words)['en'];

/** What the kit's controls say on this page. */
export const pageWords: Translations<PageWords> = translated(page);
