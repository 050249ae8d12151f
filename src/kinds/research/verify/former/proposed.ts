/** Verifies results of version 1.0.0 of the engine that asks a language model. */
import { proposedVerifier } from '../proposed.js';
import { goalTerms } from './score.js';
import { tokens } from './text.js';

export const verifyFormerProposed = proposedVerifier((goal) => ({
  terms: goalTerms(goal),
  of: (text) => new Set(tokens(text).map(({ term }) => term)),
}));
