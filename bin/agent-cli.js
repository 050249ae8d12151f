#!/usr/bin/env node
// Dynamic imports only: an old Node then still reaches the check below.
function stop(message) {
  console.error(message);
  process.exitCode = 1;
}

function explain(error) {
  const missing = error.code === 'ERR_MODULE_NOT_FOUND' ? error.message : '';
  if (/dist.program.src.cli.start\.js' imported from/.test(missing))
    return stop('agent-cli is not built: run npm run build first');
  if (/Cannot find package '[^']+' imported from/.test(missing)) return stop(missing.split('\n')[0] + ': run npm ci first');
  throw error;
}

// V8 of Node 20 begins early to compile what ran a few times once more, with optimisations: in a command that ends in a moment that is a
// quarter of its work, for nothing. Later versions know no such flag, and keep what they compiled.
function tune() {
  if (process.version.startsWith('v20.'))
    return import('node:v8').then((v8) => v8.setFlagsFromString('--interrupt-budget=1500000'));
  return import('./compile-cache.js').then((cache) => cache.keepCompiled());
}

void import('./node-version.js').then((node) => {
  const refused = node.refusedNode(process.version);
  if (refused !== null) return stop(refused);
  return tune()
    .then(() => import('../dist/program/src/cli/start.js'))
    .catch(explain);
});
