/** The seven roles that execute the steps of every mission and simulation run, in order. */
export const roles = ['planning', 'research', 'strategy', 'market', 'codegen', 'safety', 'memory'] as const;
export type Role = (typeof roles)[number];
