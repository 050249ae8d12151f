/** The limits of one server; tests pass shorter ones. */
import * as limits from './limits.js';

export type Settings = Readonly<Record<keyof typeof limits, number>>;

export const defaultSettings: Settings = limits;
