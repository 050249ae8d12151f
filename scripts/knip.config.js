/** Unused code, files and packages. The packages of tests and checks are listed in a workspace of their own, and used from everywhere. */
import { readFileSync } from 'node:fs';

const tests = JSON.parse(readFileSync(new URL('../test/packages/package.json', import.meta.url), 'utf8'));

export default {
  ignoreWorkspaces: ['test/packages'],
  workspaces: {
    '.': {
      entry: [
        'bin/agent-cli.js',
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
      ignoreDependencies: ['koa-websocket', ...Object.keys(tests.devDependencies)],
    },
  },
  ignoreExportsUsedInFile: true,
  ignoreBinaries: [
    'g\\+\\+',
    'go',
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
    'ssh-add',
    'ssh-agent',
    'strace',
    'systemd-analyze',
  ],
};
