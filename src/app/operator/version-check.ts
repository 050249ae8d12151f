/** The version that wrote the home last, as `doctor` sees it: before an upgrade, what that changes and what to do first. */
import type { Check } from '../../codec/api-status.js';
import { headText } from '../../journal/reader.js';
import { readControl } from '../../rows/control.js';
import { describeDaemon } from '../home/files.js';
import type { Home, Upgrade } from '../home/home.js';
import { programVersion } from '../home/world.js';
import { stepsInWords } from '../home/upgrade.js';

/** Returns whether doctor looks at a home that an older version wrote last. */
export const isBeforeUpgrade = ({ upgrade }: Home): boolean => upgrade !== null && upgrade.state !== 'done';

export function versionCheck(home: Home): Check {
  const name = 'version';
  const { upgrade } = home;
  if (upgrade === null || !isBeforeUpgrade(home))
    return { name, status: 'ok', detail: `this home is of version ${programVersion}`, fix: null };
  const { from } = upgrade;
  const said = [
    `version ${from} wrote this home last`,
    `the next command of ${programVersion}, other than doctor and verify, ${stepsInWords(upgrade, home.writer.head.size)}`,
    `this was tried on a copy and works`,
    `version ${from} refuses the home afterwards`,
  ];
  return { name, status: 'warn', detail: said.join('; '), fix: nextStep(home, upgrade) };
}

function nextStep(home: Home, { from, state }: Upgrade): string {
  if (state === 'blocked') return `stop the process of version ${from} that uses this home${describeDaemon(home.paths.daemon)}`;
  if (readControl(home.db).state !== 'paused') return `with version ${from}: agent-cli pause, verify, backup FILE`;
  return `keep a backup, made with version ${from}, of the head ${headText(home.writer.head)}; then: agent-cli resume`;
}
