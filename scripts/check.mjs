/**
 * npm run check: the types of the program, its tests and benches, and of the pages. It prints errors only. What the compiler found out is
 * kept in dist/, so that a second run looks at what changed.
 */
import { join } from 'node:path';
import { main, nodeLater, prepare, root } from './machine.mjs';

const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const projects = { everything: 'tsconfig.json', pages: join('src', 'console', 'tsconfig.json') };

/** Returns whether the types are right. */
export async function check() {
  const checks = Object.entries(projects).map(([name, project]) =>
    nodeLater([tsc, '-p', project, '--noEmit', '--incremental', '--tsBuildInfoFile', join('dist', `.types-${name}`)]),
  );
  return (await Promise.all(checks)).every((status) => status === 0);
}

if (process.argv[1] === join(root, 'scripts', 'check.mjs'))
  await main(async () => {
    prepare();
    return (await check()) ? 0 : 1;
  });
