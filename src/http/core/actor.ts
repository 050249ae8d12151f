/**
 * The actor of a request, and what a token of each role permits: viewers read, reviewers also work on missions, admins do
 * everything.
 */
import { tokenRoles, type TokenRole } from '../../codec/events/token.js';

export type Role = TokenRole;

export interface Actor {
  readonly name: string;
  readonly role: Role;
}

/** Returns whether `role` is `needed` or above. */
export const isRole = (role: Role, needed: Role): boolean => tokenRoles.indexOf(role) >= tokenRoles.indexOf(needed);
