/** The seven roles through which every mission and simulation run passes, in their order. */
export const roles = ['planning', 'research', 'strategy', 'market', 'codegen', 'safety', 'memory'] as const;
export type Role = (typeof roles)[number];
