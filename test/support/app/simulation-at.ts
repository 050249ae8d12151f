/** The simulation server for tests, with the flags of processes that live for seconds. */
import '../compile-less.js';
await import('../../../src/http/simulation-main.js');
