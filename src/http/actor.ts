/** Who acts, and what a token of each role may do: viewers read, reviewers also work on missions, admins do everything. */
export const roles = ['viewer', 'reviewer', 'admin'] as const;
export type Role = (typeof roles)[number];

export interface Actor {
  readonly name: string;
  readonly role: Role;
}

/** Whether `role` is `needed` or above. */
export const isRole = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);
