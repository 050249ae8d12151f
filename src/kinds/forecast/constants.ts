/** Recorded with each result; the version increases whenever a golden result changes. */
export const engine_id = { name: 'forecast', version: '2.5.0' } as const;
