#!/usr/bin/env node
// Dynamic imports only: an old Node then still reaches the check below.
function stop(message) {
  console.error(message);
  process.exitCode = 1;
}

function explain(error) {
  const missing = error.code === 'ERR_MODULE_NOT_FOUND' ? error.message : '';
  if (/dist.src.cli.start\.js' imported from/.test(missing)) return stop('agent-cli is not built: run npm run build first');
  if (/Cannot find package '[^']+' imported from/.test(missing)) return stop(missing.split('\n')[0] + ': run npm ci first');
  throw error;
}

void import('./node-version.js').then((node) => {
  const refused = node.refusedNode(process.version);
  return refused === null ? import('../dist/src/cli/start.js').catch(explain) : stop(refused);
});
