/** The simulation server without the preparation of idle threads, which costs more than most tests. */
import '../compile-less.js';
import { leaveUnprepared } from '../../../src/app/threads/watched-worker.js';

leaveUnprepared();
await import('../../../src/http/simulation-main.js');
