/** Recorded with each result; the version increases whenever a result changes. */
export const engine_id = { name: 'forecast', version: '2.7.4' } as const;
