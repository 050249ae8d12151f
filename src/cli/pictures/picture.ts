/** Draws a mission's result; returns null if its kind has no picture or the result has another shape. */
import { kind as kindCodec } from '../../codec/kinds.js';
import { missionKind } from '../../kinds/table.js';
import type { Drawn } from '../../pictures/picture.js';
import type { Screen } from '../../pictures/screen.js';
import { screen } from '../screen.js';

export interface DrawnMission extends Drawn {
  readonly kind: string;
}

export const picture = (mission: DrawnMission, on: Screen = screen()): string[] | null =>
  kindCodec.is(mission.kind) ? (missionKind(mission.kind).picture?.(mission, on) ?? null) : null;
