/** The commands of docs/installation.md for a container, with podman in Docker's place. test/sandbox/image.test.ts has the images. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runPage } from '../support/cli/docs-scenario.js';
import { packageRoot } from '../support/package-root.js';
import { podman, type Target } from '../support/sandbox/program-image.js';

const root = packageRoot(import.meta.url);

/**
 * Returns a `docker` that knows what the page does: names are those of this test, `build` finds both images built, and a server that is started is
 * waited for. The images of tests have no `cat`. Without systemd podman complains that nobody will ask for the server's health.
 */
const docker = (mark: string, image: (target: Target) => string): string => `#!/bin/sh
set -e
command=$1
shift
[ "$command" != build ] || exit 0
for word; do
  case $word in
    agent-cli) word=${image('agent')} ;;
    agent-cli-simulation) word=${image('simulation')} ;;
    agent) word=${mark}-page ;;
    agent:/data | simulation:/data) word=${mark}-page-$word ;;
    127.0.0.1:8001:8001) word=127.0.0.1::8001 ;;
  esac
  shift
  set -- "$@" "$word"
done
[ "$command" = run ] || exec podman "$command" "$@"
set -- run --passwd=false --runtime runc --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 --label ${mark} --volume /bin/cat:/bin/cat:ro "$@"
case " $* " in *' --detach '*) ;; *) shift; exec podman run --no-healthcheck "$@" ;; esac
container=$(podman "$@" 2>"$0.log") || { cat "$0.log" >&2; exit 1; }
until podman healthcheck run "$container" >/dev/null 2>&1; do
  [ "$(podman inspect --format '{{.State.Running}}' "$container")" = true ] || { podman logs "$container" >&2; exit 1; }
  sleep 0.1
done
echo "$container"
`;

export function installationPage(mark: string, image: (target: Target) => string): void {
  it('does what docs/installation.md says', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'agent-docker-'));
    const path = process.env['PATH'] ?? '';
    try {
      writeFileSync(join(bin, 'docker'), docker(mark, image), { mode: 0o755 });
      process.env['PATH'] = [bin, path].join(delimiter);
      await runPage(readFileSync(join(root, 'docs', 'installation.md'), 'utf8'));
    } finally {
      process.env['PATH'] = path;
      rmSync(bin, { recursive: true, force: true });
      for (const id of podman('ps', '--all', '--quiet', '--filter', `label=${mark}`).split('\n').filter(Boolean))
        podman('rm', '--force', '--time', '10', id);
      podman('volume', 'rm', '--force', `${mark}-page-agent`, `${mark}-page-simulation`);
    }
  });
}
