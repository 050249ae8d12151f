/**
 * The place of the page about upgrades: `agent-cli` is the present program, the package of one that is to come after it is there as a file,
 * and `npm` installs that file as npm does, but links the packages that are installed in this repository in place of fetching them.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { root } from './cli-run.js';
import { writeNextProgram } from './program-archive.js';
import { writeHelper, type Place } from './scenario-run.js';

const npm = `[ "$#,$1 $2 $3" = "6,install --global --prefix" ] && [ "$5" = --allow-scripts=better-sqlite3 ] || { echo "npm: $*" >&2; exit 1; }
set -e
own="$4/lib/node_modules/agent-cli"
mkdir -p "$own" "$4/bin"
tar -xzf "$6" -C "$own" --strip-components=1
ln -s '${join(root, 'node_modules')}' "$own/node_modules"
ln -s ../lib/node_modules/agent-cli/bin/agent-cli.js "$4/bin/agent-cli"
chmod +x "$4/bin/agent-cli"
echo 'added 1 package'`;

export function beforeUpgrade({ directory, bin }: Place): void {
  const files = join(dirname(directory), 'new');
  writeNextProgram(join(files, 'package'), '99.1.0');
  const { status } = spawnSync('tar', ['-czf', join(directory, 'new.tgz'), '-C', files, 'package']);
  if (status !== 0) throw new Error('tar failed');
  writeHelper(bin, 'npm', npm);
}
