/** The command line with the clock moved by AGENT_TEST_CLOCK_OFFSET_MS, so that a lease can expire within a test. */
import '../compile-less.js';
import { setClock } from '../../../src/cli/command.js';
import { main } from '../../../src/cli/main.js';

const offset_ms = Number(process.env.AGENT_TEST_CLOCK_OFFSET_MS ?? '0');
setClock(() => Date.now() + offset_ms);
await main(process.argv.slice(2));
