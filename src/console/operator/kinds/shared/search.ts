/** Settings of the search, which not every engine uses. */
export const searchMembers = ['seed', 'population', 'generations'] as const;
export type SearchMember = (typeof searchMembers)[number];
