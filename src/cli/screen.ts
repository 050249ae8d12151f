/** The screen that pictures are drawn on: the process's own terminal. */
import { paint } from './paint.js';
import { width } from './width.js';
import { glyphsFor, type Screen } from '../pictures/screen.js';

export const screen = (): Screen => ({ glyphs: glyphsFor(process.env, process.platform), paint: paint.out, columns: width() });
