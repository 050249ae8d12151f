/**
 * The command line with the clock moved by AGENT_TEST_CLOCK_OFFSET_MS, so that a lease can expire within a test, and without the preparation
 * of idle threads, which costs more than most tests.
 */
import '../compile-less.js';
import { leaveUnprepared } from '../../../src/app/threads/watched-worker.js';
import { setClock } from '../../../src/cli/command.js';
import { main } from '../../../src/cli/main.js';

const offset_ms = Number(process.env.AGENT_TEST_CLOCK_OFFSET_MS ?? '0');
setClock(() => Date.now() + offset_ms);
leaveUnprepared();
await main(process.argv.slice(2));
