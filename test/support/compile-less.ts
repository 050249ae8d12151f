/**
 * For processes that live for seconds: V8 of Node 20 begins early to compile once more, with optimisations, what ran a few times. That takes
 * a tenth of their work, more than they get back. Later versions know no such flag.
 */
import { setFlagsFromString } from 'node:v8';

if (process.version.startsWith('v20.')) setFlagsFromString('--interrupt-budget=500000');
