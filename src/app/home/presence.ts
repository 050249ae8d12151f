/** Checks that a home's files exist and that only their owner can read them. */
import * as fs from 'node:fs';
import { RefusalError } from '../../base/result.js';
import { permissionFault } from '../../home/permission-fault.js';
import type { HomePaths } from '../../home/paths.js';
import { isInterruptedInit } from './open-journal.js';

/** Checks that the files exist, except those that the command tolerates and a missing process lock, which is recreated. */
export function checkPresence(paths: HomePaths, tolerated: readonly string[]): void {
  const { directory, identityKey, apiToken, journal, lock, config } = paths;
  const needed = [identityKey, apiToken, journal, lock, ...(tolerated.includes('config') ? [] : [config])];
  const missing = needed.filter((file) => !fs.existsSync(file));
  // checkPermissions reports a missing token among the tolerated faults.
  const lost = missing.filter((file) => file !== lock && !(file === apiToken && tolerated.includes('permissions')));
  if (lost.length === 0) return;
  if (missing.length === needed.length) {
    const exists = fs.existsSync(directory);
    const detail = exists ? `${directory} is not a home` : `there is no home at ${directory}`;
    throw new RefusalError({ code: 'not_found', detail, hint: exists ? 'agent-cli init --help' : 'agent-cli init' });
  }
  if (missing.includes(config) && isInterruptedInit(paths)) {
    throw new RefusalError({
      code: 'not_found',
      detail: `the home at ${directory} was not completed`,
      hint: 'agent-cli init',
    });
  }
  const names = missing.map((file) => file.slice(directory.length + 1)).join(', ');
  const isRepairable = lost.length === 1 && lost[0] === config;
  throw new RefusalError({
    code: 'integrity',
    detail: `missing from ${directory}: ${names}`,
    ...(isRepairable ? { hint: 'agent-cli configure --restore-signed' } : {}),
  });
}

export function checkPermissions(paths: HomePaths): void {
  for (const file of [paths.directory, paths.identityKey, paths.apiToken, paths.config, paths.journal, paths.lock]) {
    const fault = fs.existsSync(file) ? permissionFault(file) : null;
    if (fault !== null) {
      const mode = file === paths.directory ? '700' : '600';
      throw new RefusalError({ code: 'integrity', detail: `${file} ${fault}`, hint: `chmod ${mode} ${file}` });
    }
  }
  if (fs.existsSync(paths.apiToken)) return;
  throw new RefusalError({
    code: 'integrity',
    detail: `missing from ${paths.directory}: api.token`,
    hint: `(umask 077; head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\\n' > '${paths.apiToken}')`,
  });
}
