/** The states of a mission. Not imported from the codec of records: that brings the codecs of all events into the page. */
export const missionStates = ['queued', 'running', 'review', 'completed', 'rejected', 'failed'] as const;
export type MissionState = (typeof missionStates)[number];

export const isMissionState = (value: unknown): value is MissionState => missionStates.some((state) => state === value);
