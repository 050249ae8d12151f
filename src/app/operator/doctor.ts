/** `doctor`: checks the home; each failed check names the command that fixes it. */
import type { Refusal } from '../../base/refusal.js';
import { isRefused } from '../../base/result.js';
import { findSandbox } from '../code/sandbox.js';
import { ballast_bytes, page_items_max } from '../../base/limits.js';
import { ballastSize } from '../../home/ballast.js';
import { openCheckpoint } from '../../journal/note.js';
import { isSmall } from '../../journal/whole-check.js';
import { readControl } from '../../rows/control.js';
import { countByState, runningMissions } from '../../rows/missions.js';
import type { Home } from '../home/home.js';
import { programVersion } from '../home/world.js';
import { projectionDifference } from '../log/projection-difference.js';
import { listPage } from '../missions/missions.js';
import { progressOf } from '../missions/ownership.js';
import { toolsCheck } from '../tools/check.js';
import { capabilitiesOf } from './capabilities.js';
import { executionCheck } from './execution-check.js';
import { providerCheck, readableConfig } from './provider-check.js';
import { isBeforeUpgrade, versionCheck } from './version-check.js';
import { environmentOf } from '../../codec/chain.js';
import type { Check, DoctorReport } from '../../codec/api-status.js';
import type { Config } from '../../codec/config.js';

const passed = (name: string, detail: string): Check => ({ name, status: 'ok', detail, fix: null });
const fromRefusal = (name: string, refusal: Refusal | null, detail: string): Check =>
  refusal === null ? passed(name, detail) : { name, status: 'fail', detail: refusal.detail, fix: refusal.hint ?? null };

/** Returns the report of the home and of what it needs to execute. */
export async function doctor(home: Home): Promise<DoctorReport> {
  return withExecution(home, inspectHome(home), readableConfig(home));
}

/** Returns the report with the checks of what the home needs to execute. @param config null for a damaged one */
export async function withExecution(
  home: Pick<Home, 'db' | 'world'>,
  report: DoctorReport,
  config: Config | null,
): Promise<DoctorReport> {
  return { ...report, checks: [...report.checks, await sandboxCheck(home, config), ...(await executionCheck(home, config))] };
}

/**
 * Returns the report of only the home.
 * @param isUnverified whether the daemon that serves the home has not verified its journal yet
 */
export function inspectHome(home: Home, isUnverified = false): DoctorReport {
  const control = readControl(home.db);
  const missions = countByState(home.db);
  const tools = toolsCheck(home);
  const { size, hash } = home.writer.head;
  return {
    version: programVersion,
    identity: home.signer.identity,
    events: size,
    head: hash,
    control: control.state ?? 'unknown',
    capabilities: capabilitiesOf(readableConfig(home), home.world.env),
    missions,
    checks: [
      versionCheck(home),
      fromRefusal('permissions', home.faults.permissions, 'directory 0700, files 0600'),
      journalCheck(home, isUnverified),
      fromRefusal('configuration', home.faults.config, 'config.json is the signed one'),
      witnessCheck(home),
      home.uncleanStop
        ? {
            name: 'last stop',
            status: 'warn',
            detail: 'the last process was killed; the journal was checked and nothing is missing',
            fix: 'agent-cli verify',
          }
        : passed('last stop', 'clean'),
      ballastCheck(home),
      clockCheck(home),
      control.state === 'paused' && !isBeforeUpgrade(home)
        ? { name: 'control', status: 'warn', detail: 'paused: nothing is executed or reviewed', fix: 'agent-cli resume' }
        : passed('control', control.state === 'paused' ? 'paused, as it should be before an upgrade' : 'ready'),
      missionsCheck(home),
      tools,
      tablesCheck(home),
      ...providerCheck(home),
      ...chainCheck(home),
    ],
  };
}

function journalCheck(home: Home, isUnverified: boolean): Check {
  const name = 'journal';
  const { size, hash } = home.writer.head;
  const { head, entries, schema } = home.faults;
  const refusal = head ?? entries ?? schema;
  const detail = `newest entry, checkpoint, tiles and projections agree at ${size}:${hash.slice(0, 16)}`;
  if (refusal !== null || !isUnverified || isSmall(home.db)) return fromRefusal(name, refusal, detail);
  return { name, status: 'warn', detail: `${detail}; the daemon has not verified all entries yet`, fix: null };
}

/** Tries the sandbox, when code missions may run, and says why each engine was passed over. */
async function sandboxCheck({ world }: Pick<Home, 'world'>, config: Config | null): Promise<Check> {
  const name = 'sandbox';
  if (config?.allow_code_execution !== true) return passed(name, 'not in use: the configuration does not allow code execution');
  const found = await findSandbox(world.env);
  if (isRefused(found)) return { name, status: 'warn', detail: found.left.detail, fix: found.left.hint ?? null };
  const { engine, version, image, passedOver } = found.right;
  const detail = `${[engine.name, ...engine.global].join(' ')} ${version} passed its self-test with image ${image}`;
  return passed(name, [detail, ...passedOver.map((why) => `passed over ${why}`)].join('; '));
}

/** Says what a configured chain is, and what its pin leaves open. The node is not called. */
function chainCheck(home: Home): Check[] {
  const chain = readableConfig(home)?.chain ?? null;
  if (chain === null) return [];
  const environment = environmentOf(chain.chain_id) === 'mainnet' ? 'mainnet' : 'a test chain';
  const pin = "the pin covers the code at the token's address; if that is a proxy, not the implementation behind it";
  return [passed('chain', `chain ${chain.chain_id}, ${environment}, ${chain.confirmations} confirmations; ${pin}`)];
}

/** Names the missions on which nobody works, or that outlive their lease, and the next command. */
function missionsCheck(home: Home): Check {
  const name = 'missions';
  const { head, entries, schema } = home.faults;
  if (head !== null || entries !== null || schema !== null)
    return { name, status: 'warn', detail: 'not checked, because the journal is damaged', fix: null };
  const running = runningMissions(home.db).map((mission) => ({ id: mission.id, ...progressOf(home, mission) }));
  const interrupted = running.filter((mission) => mission.interrupted === true);
  const late = running.filter((mission) => mission.late === true);
  const { items } = listPage(home, { state: 'failed', limit: page_items_max });
  const recorded = items.filter((mission) => mission.interrupted === true);
  const said = [
    ...interrupted.map(({ id }) => `${id} was interrupted: its process ended`),
    ...late.map(({ id }) => `${id} has been executing for longer than its lease`),
    ...recorded.map(({ id }) => `${id} failed because it was interrupted (agent-cli recover ${id})`),
  ];
  if (said.length === 0) return passed(name, 'none was interrupted');
  const more = said.length > named_missions_max ? `; and ${said.length - named_missions_max} more` : '';
  const detail = `${said.slice(0, named_missions_max).join('; ')}${more}`;
  const [first] = [...interrupted, ...late];
  return first === undefined ? passed(name, detail) : { name, status: 'warn', detail, fix: first.next ?? null };
}

const named_missions_max = 3;

function tablesCheck(home: Home): Check {
  const name = 'tables';
  const { head, entries, schema } = home.faults;
  const found = home.damage.found().find((refusal) => refusal !== head && refusal !== entries && refusal !== schema);
  if (found !== undefined) return fromRefusal(name, found, '');
  if (head !== null || entries !== null || schema !== null)
    return { name, status: 'warn', detail: 'not compared with the entries, because the journal is damaged', fix: null };
  if (!isSmall(home.db)) return passed(name, 'each row is compared when it is used; agent-cli verify --deep compares all');
  const difference = projectionDifference(home.db);
  return difference === null
    ? passed(name, 'every row matches its signed entries')
    : { name, status: 'fail', detail: difference, fix: 'agent-cli rebuild' };
}

function witnessCheck(home: Home): Check {
  const name = 'witness';
  if (home.faults.witness !== null) return fromRefusal(name, home.faults.witness, '');
  const { witness } = home;
  if (witness.status === 'unreadable')
    return { name, status: 'warn', detail: `the witness file cannot be read (${witness.reason})`, fix: null };
  if (witness.status === 'read' && openCheckpoint(witness.note, home.signer.publicKey) === null) {
    return { name, status: 'warn', detail: 'the witness file is not a checkpoint of this home', fix: null };
  }
  const fault = home.updateWitness();
  if (fault !== null) {
    return {
      name,
      status: 'warn',
      detail: `the witness file cannot be written (${fault}): a journal cut short would not be noticed`,
      fix: 'set AGENT_WITNESS to a directory that can be written',
    };
  }
  return witness.status === 'absent' && !isBeforeUpgrade(home)
    ? { name, status: 'warn', detail: 'there was no witness file for this journal; one was created', fix: null }
    : passed(
        name,
        witness.status === 'absent'
          ? 'there is no witness file for this journal'
          : 'the journal extends the checkpoint kept outside the home',
      );
}

function ballastCheck(home: Home): Check {
  const name = 'ballast';
  const size = ballastSize(home.paths.ballast);
  if (size >= ballast_bytes) return passed(name, 'space is kept so that a pause can be recorded on a full disk');
  // An older version may keep less.
  if (size > 0 && isBeforeUpgrade(home)) return passed(name, 'space is kept for a full disk; the upgrade fills it up');
  const detail = 'the space kept for a full disk was used or is missing';
  return { name, status: 'warn', detail, fix: 'agent-cli resume' };
}

/** Compares the newest entry's time with the clock: an entry from the future means that the clock was set back. */
function clockCheck(home: Home): Check {
  const newest = home.db.prepare<[], { body: string }>('SELECT body FROM events ORDER BY seq DESC LIMIT 1').get();
  const time = /"time":"([^"]{27})"/.exec(newest?.body.slice(-200) ?? '')?.[1];
  const ahead = time === undefined ? 0 : Date.parse(time) - home.world.clock();
  if (ahead <= 1_000) return passed('clock', 'not behind the newest entry');
  return {
    name: 'clock',
    status: 'warn',
    detail: `the clock is ${Math.round(ahead / 1_000)} s behind the newest entry`,
    fix: null,
  };
}
