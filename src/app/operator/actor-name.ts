/** The actor that a request's events record for the holder of a token. */
import { builtIn } from '../../domain/token.js';

/** Returns the actor of a token by its name; the holder of api.token is the same actor as on the command line. */
export const actorOfToken = (name: string): string => (name === builtIn.name ? 'operator' : name);

/** The name of the token in api.token. */
export const builtInToken = builtIn.name;

/** Returns the name of the token that an actor holds. */
export const tokenOfActor = (actor: string): string => (actor === actorOfToken(builtIn.name) ? builtIn.name : actor);
