/** Sets the width of the help of single commands, which oclif reads when it is loaded. */
import { width } from './width.js';

process.env['OCLIF_COLUMNS'] = String(width());
