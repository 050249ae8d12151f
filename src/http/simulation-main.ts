/**
 * Serves the simulation alone, over a home of its own: `node dist/program/src/http/simulation-main.js [--host H] [--port P] [--home
 * DIR]`. The exit codes are those of the refusal table. Everything is loaded within the attempt, so that native code which npm did not
 * install is reported like any other failure.
 */
try {
  const { surviveStandardError } = await import('../cli/hangup.js');
  process.stderr.on('error', surviveStandardError);
  const { serveSimulationAlone } = await import('./simulation-alone.js');
  await serveSimulationAlone(process.argv.slice(2));
} catch (error) {
  const { reportFailure } = await import('../cli/failure.js');
  const failure = error instanceof Error ? error : new Error(String(error));
  reportFailure(failure, { json: false, bin: 'agent-cli', help: 'node dist/program/src/http/simulation-main.js --help' });
}
