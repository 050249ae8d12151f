/** Who a token's holder is in the events that a request records. */
import { builtIn } from '../../domain/token.js';

/** Whoever holds api.token acts as on the command line. */
export const actorOfToken = (name: string): string => (name === builtIn.name ? 'operator' : name);
