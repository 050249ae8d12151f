/** Telling a state from other texts. */
import { missionStates, type MissionState } from '../../codec/record.js';

export const isMissionState = (value: unknown): value is MissionState => missionStates.some((state) => state === value);
