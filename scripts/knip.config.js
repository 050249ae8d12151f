/** Unused code, files and packages. The packages of tests and checks are listed in a workspace of their own, and used from everywhere. */
import { readFileSync } from 'node:fs';

const tests = JSON.parse(readFileSync(new URL('../test/packages/package.json', import.meta.url), 'utf8'));
/** Those of which knip itself finds the use. */
const found =
  '@biomejs/biome @foundry-rs/anvil @types/markdown-it @types/mocha @types/semver c8 knip oxlint oxlint-tsgolint'.split(' ');
const unfound = Object.keys(tests.devDependencies).filter((name) => !found.includes(name));

export default {
  ignoreWorkspaces: ['test/packages'],
  workspaces: {
    '.': {
      entry: [
        'commands/**/*.ts',
        'src/cli/agent-topic.ts',
        'src/cli/help.ts',
        'src/cli/main.ts',
        'src/cli/start.ts',
        'src/http/simulation-main.ts',
        'src/**/*-worker.ts',
        'src/console/operator/main.tsx',
        'src/console/dashboard/main.tsx',
        'bench/*.ts',
        'test/**/*.ts',
        'scripts/*.mjs',
        'scripts/mocha-reporter.cjs',
        'scripts/verify-page/*.js',
      ],
      project: ['src/**/*.{ts,tsx}', 'commands/**/*.ts', 'scripts/**/*.mjs'],
      ignoreDependencies: ['koa-websocket', ...unfound],
    },
  },
  ignoreExportsUsedInFile: true,
  ignoreBinaries: [
    'g\\+\\+',
    'ssh-add',
    'ssh-agent',
    'ssh-keygen',
    'groff',
    'biome',
    'docker-compose',
    'ldd',
    'mkfifo',
    'mmdebstrap',
    'nginx',
    'nsenter',
    'openssl',
    'podman',
    'prlimit',
    'prometheus',
    'promtool',
    'script',
    'soffice',
    'strace',
    'systemd-analyze',
  ],
};
