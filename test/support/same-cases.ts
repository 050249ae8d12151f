/** Properties try the same cases in each run, so that a failure comes from a change; TEST_SEED chooses others, and a run at full effort has new ones. */
import fc from 'fast-check';
import { fullEffort } from './effort.js';

const seed = process.env['TEST_SEED'];
if (!fullEffort || seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed ?? 1) });
