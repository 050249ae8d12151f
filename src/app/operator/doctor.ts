/** `doctor`: checks the home; each failed check names the command that fixes it. */
import { statfsSync } from 'node:fs';
import { ballast_bytes, disk_free_bytes_min, page_items_max } from '../../base/limits.js';
import { isRefused, type Refusal, RefusalError } from '../../base/refusal.js';
import { formatTime, parseTime } from '../../base/time.js';
import type { Check, DoctorReport } from '../../codec/api-status.js';
import { environmentOf } from '../../codec/chain.js';
import type { Config } from '../../codec/config.js';
import { lackOfApprovers } from '../../domain/approver.js';
import { ballastSize } from '../../home/ballast.js';
import { isWithin, witnessDirectory } from '../../home/paths.js';
import { openCheckpoint } from '../../journal/note.js';
import { headText, readEntry, readHead } from '../../journal/reader.js';
import { needsSandbox } from '../../kinds/table.js';
import { probeModel } from '../../provider/complete.js';
import { recordedApprovers } from '../../tables/approvers.js';
import { connectionOf } from '../../tables/connection.js';
import { readControl } from '../../tables/control.js';
import { countByState, runningMissions } from '../../tables/missions.js';
import { findSandbox } from '../code/sandbox.js';
import { providerOf } from '../home/config.js';
import { describeDaemon } from '../home/files.js';
import { type Home, programVersion, toleratedRollback, type Upgrade } from '../home/home.js';
import { stepsInWords } from '../home/upgrade.js';
import { remembered, verification_age_ms_max } from '../home/witness.js';
import { projectionDifference } from '../log/verify-home.js';
import { listPage } from '../missions/missions.js';
import { progressOf } from '../missions/ownership.js';
import { noticesCheck } from '../notices/notices.js';
import { tokenDigestIn } from '../tokens/authenticate.js';
import { toolsCheck } from '../tools/tools.js';
import { type NatsCredentials, readNatsCredentials } from '../workers/nats-credentials.js';
import { noWorker, queueAddress, type Survey, surveyWorkers, trustOf } from '../workers/mission-queue.js';
import { capabilitiesOf } from './status.js';

const passed = (name: string, detail: string): Check => ({ name, status: 'ok', detail, fix: null });
const warned = (name: string, detail: string, fix?: string | null): Check => ({ name, status: 'warn', detail, fix: fix ?? null });
const failed = (name: string, detail: string, fix?: string): Check => ({ name, status: 'fail', detail, fix: fix ?? null });
const warnedBy = (name: string, { detail, hint }: Refusal): Check => warned(name, detail, hint);
const fromRefusal = (name: string, refusal: Refusal | null, detail: string): Check =>
  refusal === null ? passed(name, detail) : failed(name, refusal.detail, refusal.hint);

/** Time in which `doctor` collects the workers of a queue. */
const workers_listed_ms = 2_000;

/** Returns the report of the home and of what it needs to execute. */
export const doctor = async (home: Home): Promise<DoctorReport> => withExecution(home, inspectHome(home), readableConfig(home));

/** Returns the report with the checks of what the home needs to execute. @param config null for a damaged one */
export async function withExecution(
  home: Pick<Home, 'db' | 'world'>,
  report: DoctorReport,
  config: Config | null,
): Promise<DoctorReport> {
  const sandbox = await sandboxCheck(home, config);
  const capabilities = report.capabilities.map((each) =>
    sandbox.status !== 'ok' && needsSandbox(each.kind) ? { ...each, available: false, detail: sandbox.detail } : each,
  );
  return { ...report, capabilities, checks: [...report.checks, sandbox, ...(await executionCheck(home, config))] };
}

/**
 * Returns the report of only the home.
 * @param isUnverified whether the daemon that serves the home has not verified its journal yet
 */
export function inspectHome(home: Home, isUnverified = false): DoctorReport {
  // One state of the journal for all that is read: another process may write meanwhile. A file that it writes then is not of that state.
  const config = readableConfig(home);
  const read = { ...home, config: () => config ?? home.config() };
  const { report, before, after } = connectionOf(home.db).snapshot(() => inspect(read, isUnverified));
  // The witness file is not written inside a transaction, nor by a home that the other checks found damaged.
  return { ...report, checks: [...before, witnessCheck(home), ...after] };
}

function inspect(home: Home, isUnverified: boolean) {
  const control = readControl(home.db);
  const { size, hash } = readHead(home.db);
  return {
    report: {
      version: programVersion,
      identity: home.signer.identity,
      public_key: home.signer.publicKey.toString('hex'),
      events: size,
      head: hash,
      control: control.state ?? 'unknown',
      capabilities: capabilitiesOf(readableConfig(home), home.world.env),
      missions: countByState(home.db),
    },
    /** The checks before and after that of the witness file. */
    before: [
      versionCheck(home),
      ...writingCheck(home),
      permissionsCheck(home),
      journalCheck(home, isUnverified),
      fromRefusal('configuration', home.faults.config, 'config.json is the signed one'),
    ],
    after: [
      lastStopCheck(home),
      ballastCheck(home),
      ...diskCheck(home),
      clockCheck(home),
      control.state === 'paused' && !isBeforeUpgrade(home)
        ? warned('control', 'paused: nothing is executed or reviewed', 'agent-cli resume')
        : passed('control', control.state === 'paused' ? 'paused, as it should be before an upgrade' : 'ready'),
      missionsCheck(home),
      ...approvalsCheck(home, readableConfig(home)),
      toolsCheck(home),
      tablesCheck(home),
      ...(home.isReference || home.newer !== null ? [] : [verificationCheck(home)]),
      ...providerCheck(home),
      ...chainCheck(home),
      ...noticesCheck(home, readableConfig(home)),
    ],
  };
}

function lastStopCheck({ uncleanStop }: Home): Check {
  const name = 'last stop';
  if (!uncleanStop) return passed(name, 'clean');
  const detail = 'the last process was killed; the journal was checked and nothing is missing';
  return warned(name, detail, 'agent-cli verify');
}

/** Tries the sandbox, when code missions may run, and says why each engine was passed over. */
async function sandboxCheck({ world }: Pick<Home, 'world'>, config: Config | null): Promise<Check> {
  const name = 'sandbox';
  if (config?.allow_code_execution !== true) return passed(name, 'not in use: the configuration does not allow code execution');
  const found = await findSandbox(world.env);
  if (isRefused(found)) return warnedBy(name, found.left);
  const { engine, version, image, passedOver } = found.right;
  const detail = `${[engine.name, ...engine.global].join(' ')} ${version} passed its self-test with image ${image}`;
  return passed(name, [detail, ...passedOver.map((reason) => `passed over ${reason}`)].join('; '));
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
  if (head !== null || entries !== null || schema !== null) return warned(name, 'not checked, because the journal is damaged');
  const running = runningMissions(home.db).map((mission) => ({ id: mission.id, ...progressOf(home, mission) }));
  const interrupted = running.filter((mission) => mission.interrupted === true);
  const late = running.filter((mission) => mission.late === true);
  const { items } = listPage(home, { state: 'failed', limit: page_items_max });
  const recorded = items.filter((mission) => mission.interrupted === true);
  const said = [
    ...interrupted.map(({ id }) => `${id} was interrupted: its process ended`),
    ...late.map(({ id }) => `${id} has been executing for longer than its lease`),
    ...recorded.map(({ id }) => `${id} failed because it was interrupted; it can be recovered`),
  ];
  if (said.length === 0) return passed(name, 'none was interrupted');
  const more = said.length > named_missions_max ? `; and ${said.length - named_missions_max} more` : '';
  const detail = `${said.slice(0, named_missions_max).join('; ')}${more}`;
  const [first] = [...interrupted, ...late];
  return first === undefined ? passed(name, detail) : warned(name, detail, first.next ?? null);
}

const named_missions_max = 3;

/** Names a policy that nobody can satisfy any more, because approvers were removed. */
function approvalsCheck({ db }: Home, config: Config | null): Check[] {
  if (config === null || config.approvals.required === 0) return [];
  const refusal = lackOfApprovers(recordedApprovers(db), config.approvals);
  const detail = `${config.approvals.required} required, and enough approvers have a key`;
  return [refusal === null ? passed('approvals', detail) : warnedBy('approvals', refusal)];
}

/** Says why the home can only be read. */
function writingCheck({ unwritable }: Home): Check[] {
  if (unwritable === null) return [];
  const detail = `everything can be read and nothing can be recorded: ${unwritable.detail}`;
  return [warned('writing', detail)];
}

/** Returns that api.token holds no token, which leaves the HTTP API without its admin; null when it holds one. */
function tokenFault({ isReference, paths: { apiToken } }: Home): Refusal | null {
  if (isReference || tokenDigestIn(apiToken) !== null) return null;
  return { code: 'integrity', detail: `${apiToken} holds no token`, hint: 'agent-cli token rotate api' };
}

/** Nothing can be changed on a read-only medium; where only this user may not write, the fix works. */
function permissionsCheck(home: Home): Check {
  const fault = home.faults.permissions ?? tokenFault(home);
  if (fault === null || home.unwritable === null) return fromRefusal('permissions', fault, 'directory 0700, files 0600');
  const canFix = home.unwritable.facts?.['cause'] === 'EACCES';
  return warned('permissions', fault.detail, canFix ? fault.hint : null);
}

const witnessFix = 'set AGENT_WITNESS to a directory outside the home that can be written';

function witnessCheck(home: Home): Check {
  const name = 'witness';
  const rollback = toleratedRollback(home);
  if (rollback !== null) return warned(name, `this home is an old copy, or it was cut short: ${rollback.detail}`);
  if (home.faults.witness !== null) return fromRefusal(name, home.faults.witness, '');
  const { witness, paths, world } = home;
  if (isWithin(witnessDirectory(world.env), paths.directory))
    return warned(name, 'the witness file is in the home, where an older copy brings an older one', witnessFix);
  if (witness.status === 'unreadable') return warned(name, `the witness file cannot be read (${witness.reason})`, witnessFix);
  if (witness.status === 'read' && openCheckpoint(witness.note, home.signer.publicKey) === null) {
    return warned(name, 'the witness file is not a checkpoint of this home');
  }
  const fault = home.updateWitness();
  if (fault !== null && typeof fault !== 'string') return fromRefusal(name, fault, '');
  if (fault !== null) {
    return warned(name, `the witness file cannot be written (${fault}): a journal cut short would not be noticed`, witnessFix);
  }
  return witness.status === 'absent' && !isBeforeUpgrade(home) && home.unwritable === null
    ? warned(name, 'there was no witness file for this journal; one was created')
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
  if (home.unwritable !== null) return passed(name, 'not needed: nothing is recorded in this home');
  const detail = 'the space kept for a full disk was used or is missing';
  return warned(name, detail, 'agent-cli resume');
}

/** Warns of a disk that is nearly full, as the daemon's alert does. */
function diskCheck({ paths, unwritable }: Home): Check[] {
  const { bavail, bsize } = statfsSync(paths.directory);
  if (unwritable !== null || bavail * bsize >= disk_free_bytes_min) return [];
  const detail = `the disk of the home is nearly full: ${Math.floor((bavail * bsize) / 1_048_576)} MiB are free`;
  return [warned('disk', detail, 'free some space')];
}

/** Compares the newest entry's time with the clock: an entry from the future means that the clock was set back. */
function clockCheck(home: Home): Check {
  const newest = home.db.prepare<[], { body: string }>('SELECT body FROM events ORDER BY seq DESC LIMIT 1').get();
  const time = /"time":"([^"]{27})"/.exec(newest?.body.slice(-200) ?? '')?.[1];
  const now = home.world.clock();
  if (time === undefined || Date.parse(time) - now <= 1_000) return passed('clock', 'not behind the newest entry');
  return warned('clock', `the clock says ${formatTime(now)}, which is before the newest entry: ${time}`);
}

/** Returns whether doctor looks at a home that an older version wrote last. */
const isBeforeUpgrade = ({ upgrade }: Home): boolean => upgrade !== null && upgrade.state !== 'done';

function versionCheck(home: Home): Check {
  const name = 'version';
  const { upgrade } = home;
  if (upgrade === null || !isBeforeUpgrade(home)) return passed(name, `this home is of version ${programVersion}`);
  const { from } = upgrade;
  const said = [
    `version ${from} wrote this home last`,
    `the next command of ${programVersion}, other than doctor and verify, ${stepsInWords(upgrade, home.writer.head.size)}`,
    `this was tried on a copy and works`,
    `version ${from} refuses the home afterwards`,
  ];
  return warned(name, said.join('; '), nextStep(home, upgrade));
}

function nextStep(home: Home, { from, state }: Upgrade): string {
  if (state === 'blocked') return `stop the process of version ${from} that uses this home${describeDaemon(home.paths.daemon)}`;
  if (readControl(home.db).state !== 'paused')
    return `with version ${from}: agent-cli pause && agent-cli verify && agent-cli backup FILE`;
  return `keep a backup, made with version ${from}, of the head ${headText(home.writer.head)}; then: agent-cli resume`;
}

/**
 * Returns the check of the queue whose workers execute missions; none when missions are executed on this machine.
 * @param config null for a damaged one
 */
async function executionCheck(home: Pick<Home, 'db' | 'world'>, config: Config | null): Promise<readonly Check[]> {
  const address = config === null ? null : queueAddress(config);
  if (config === null || address === null) return [];
  let credentials: NatsCredentials;
  try {
    credentials = readNatsCredentials(home.world.env);
  } catch (error) {
    if (error instanceof RefusalError) return [fromRefusal('execution', error.refusal, '')];
    throw error;
  }
  const trust = trustOf(home, { address, check: config.execution_check });
  const survey = await surveyWorkers({ address, credentials }, trust, workers_listed_ms);
  if (isRefused(survey)) return [warnedBy('execution', survey.left)];
  const refusal = noWorker({ address }, survey.right, trust);
  if (refusal !== null) return [warnedBy('execution', refusal)];
  const check = trust.check === 'home' ? 'on this machine' : 'by a second key';
  return [passed('execution', `${address.url}: ${inWords(survey.right)}; each result is checked ${check}`)];
}

function inWords({ counted, others, versions }: Survey): string {
  const keys = (count: number): string => `${count} ${count === 1 ? 'key' : 'keys'}`;
  return [
    `workers of ${keys(counted.length)} respond`,
    ...(others.length === 0 ? [] : [`those of ${keys(others.length)} do not count`]),
    ...(versions.length === 0 ? [] : [`others run version ${versions.join(', ')}`]),
  ].join(', ');
}

/** Returns the configuration, or null for a damaged one, which has checks of its own. */
export const readableConfig = ({ faults, config }: Home): Config | null =>
  faults.config === null && faults.entries === null ? config() : null;

/** Returns the check of a provider that is configured, without a request to it. */
function providerCheck(home: Home): Check[] {
  const config = readableConfig(home);
  const provider = config === null ? null : providerOf(config, home.world.env);
  if (config === null || provider === null) return [];
  if (isRefused(provider)) return [failed('provider', provider.left.detail, `set ${config.llm_key_env} to the key, or unset it`)];
  if (provider.right === null) return [];
  const { model, mode, key, allowRemote } = provider.right;
  const said = `${model}, ${mode}, ${key === null ? `no key in ${config.llm_key_env}` : `key from ${config.llm_key_env}`}`;
  if (allowRemote && key === null && !config.llm_url.startsWith('http:'))
    return [warned('provider', `${said}; most remote providers want one`, `set ${config.llm_key_env}`)];
  return [passed('provider', `${said}; not contacted (doctor --probe checks that it lists the model)`)];
}

/** Returns the report with a check that asks the provider for its models. No mission's text is sent. */
export async function withProbe(home: Home, report: DoctorReport): Promise<DoctorReport> {
  const probed = await probe(home);
  if (probed === null) return report;
  const { checks } = report;
  const isThere = checks.some((check) => check.name === 'provider');
  return {
    ...report,
    checks: isThere ? checks.map((check) => (check.name === 'provider' ? probed : check)) : [...checks, probed],
  };
}

/** The command that leads to another provider. */
const reconfigure = 'agent-cli config set llm_url=URL llm_model=MODEL';

async function probe(home: Home): Promise<Check | null> {
  const config = readableConfig(home);
  const provider = config === null ? null : providerOf(config, home.world.env);
  if (config === null || provider === null || isRefused(provider)) return null;
  if (provider.right === null) return warned('provider', 'llm_url is not set, so there is nothing to probe');
  const { model } = provider.right;
  const listed = await probeModel(provider.right, { deadline_ms: config.llm_timeout * 1_000 });
  // What to do about a status is said with it.
  if (isRefused(listed))
    return failed('provider', listed.left.detail, listed.left.facts?.['reason'] === 'status' ? undefined : reconfigure);
  if (listed.right === null)
    return warned('provider', `it responds, but has no list of models: whether it has ${model} is not known`);
  if (listed.right) return passed('provider', `it lists the model ${model}`);
  return failed('provider', `it does not list the model ${model}`, reconfigure);
}

// The checks of the journal and its tables.

function journalCheck(home: Home, isUnverified: boolean): Check {
  const name = 'journal';
  const { size, hash } = readHead(home.db);
  const { head, entries, schema } = home.faults;
  const refusal = head ?? entries ?? schema;
  const detail = `newest entry, checkpoint, tiles and projections agree at ${size}:${hash.slice(0, 16)}`;
  if (refusal !== null || !isUnverified) return fromRefusal(name, refusal, detail);
  return warned(name, `${detail}; the daemon has not verified all entries yet`);
}

/** Warns when nobody has verified the journal as a whole for long: a command checks only what it reads. */
function verificationCheck({ world, writer, db }: Home): Check {
  const name = 'verification';
  const { passed_at } = remembered({ world, origin: writer.origin });
  const since = passed_at ?? readEntry(db, 1)?.time ?? null;
  const isOld = since !== null && world.clock() - parseTime(since) > verification_age_ms_max;
  const detail = passed_at === null ? 'the journal was not verified as a whole yet' : `the whole journal passed at ${passed_at}`;
  return isOld ? warned(name, detail, 'agent-cli verify') : passed(name, detail);
}

/** The tables of a journal with more entries are not compared as a whole. */
const compared_entries_max = 10_000;

function tablesCheck(home: Home): Check {
  const name = 'tables';
  const { head, entries, schema } = home.faults;
  const found = home.damage.found().find((refusal) => refusal !== head && refusal !== entries && refusal !== schema);
  if (found !== undefined) return fromRefusal(name, found, '');
  if (head !== null || entries !== null || schema !== null)
    return warned(name, 'not compared with the entries, because the journal is damaged');
  if (home.writer.head.size > compared_entries_max)
    return passed(name, 'each row is compared when it is used; agent-cli verify compares all');
  const difference = projectionDifference(home.db);
  if (difference === null) return passed(name, 'every row matches its signed entries');
  const refusal: Refusal = { code: 'integrity', detail: difference, hint: 'agent-cli rebuild' };
  home.damage.report(refusal);
  return fromRefusal(name, refusal, '');
}
