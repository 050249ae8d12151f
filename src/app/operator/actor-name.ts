/** The actor that a request's events record for the holder of a token. */
import { builtIn } from '../../domain/token.js';

/** Returns the actor of a token by its name; the holder of api.token is the same actor as on the command line. */
export const actorOfToken = (name: string): string => (name === builtIn.name ? 'operator' : name);
