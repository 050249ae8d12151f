/** The screen that pictures are drawn on: the process's own terminal. */
import { paint, width } from './text.js';
import { glyphsFor, type Screen } from '../pictures/screen.js';

export const screen = (): Screen => ({ glyphs: glyphsFor(process.env, process.platform), paint: paint.out, columns: width() });
