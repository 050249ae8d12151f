/** The mission kinds by name. Every table of kinds is a record over these names, so the compiler reports each one that lacks a kind. */
import { choice } from './kit.js';

export const kinds = ['research', 'allocation', 'schedule', 'forecast', 'code'] as const;
export type Kind = (typeof kinds)[number];
export const kind = choice(...kinds);
