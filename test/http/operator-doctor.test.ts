/** `doctor` over HTTP: a thread inspects the home, and the daemon goes on serving meanwhile. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import workers, { setEnvironmentData, type WorkerOptions } from 'node:worker_threads';
import type { Home } from '../../src/app/home/home.js';
import { doctorReader } from '../../src/app/operator/reports.js';
import { entry_body_bytes_max } from '../../src/base/limits.js';
import type { Check } from '../../src/codec/api-status.js';
import { until, verified } from '../support/app/given-daemon.js';
import { rejectsRefusal } from '../support/app/given-home.js';
import { tamper } from '../support/app/mixed-home.js';
import type { Loose } from '../support/http/schema-check.js';
import { submit, type TemporaryHome } from '../support/app/temporary-home.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';
import { type GivenOperator, givenOperator, stopAfterEach } from './given-operator.js';

/** Threads that wait at a barrier, before they load their module, until the test lets them go. */
interface HeldThreads {
  /** Returns how many were started. */
  readonly started: () => number;
  /** Lets them run, those that are started later too. */
  readonly release: () => void;
  /** Lets them run, and holds no more. */
  readonly end: () => void;
}

const held = `
  const { getEnvironmentData } = require('node:worker_threads');
  Atomics.wait(getEnvironmentData('barrier'), 0, 0);
  import(getEnvironmentData('module'));
`;

/** Holds the threads that are started from a module of this name. */
function holdThreads(name: string): HeldThreads {
  const { Worker } = workers;
  const barrier = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let started = 0;
  class HeldWorker extends Worker {
    constructor(script: string | URL, options?: WorkerOptions) {
      const isHeld = String(script).endsWith(`/${name}.js`);
      if (isHeld) {
        started++;
        setEnvironmentData('barrier', barrier);
        setEnvironmentData('module', String(script));
      }
      super(isHeld ? held : script, isHeld ? { ...options, eval: true } : options);
    }
  }
  const use = (worker: typeof Worker): void => {
    Object.assign(workers, { Worker: worker });
    syncBuiltinESMExports();
  };
  const release = (): void => {
    Atomics.store(barrier, 0, 1);
    Atomics.notify(barrier, 0);
  };
  use(HeldWorker);
  return {
    started: () => started,
    release,
    end: () => {
      release();
      use(Worker);
    },
  };
}

const entries = 300;
const checkOf = ({ checks }: Loose, name: string): Check => checks.find((check: Check) => check.name === name);
const append = ({ writer }: Home, count: number, goal?: string): void => {
  writer.begin();
  writer.run(Array.from({ length: count }, (_, n) => submit(n, goal)));
};

const alterEntry = (home: TemporaryHome): void =>
  tamper(home, (db) =>
    withoutTriggers(db, () => db.exec(`UPDATE events SET body = replace(body, '"time":"2', '"time":"3') WHERE seq = 3`)),
  );

describe('doctor over HTTP', () => {
  let held: HeldThreads;
  beforeEach(() => (held = holdThreads('doctor-worker')));
  afterEach(() => held.end());
  stopAfterEach();

  const given = async (prepare?: (home: Home) => void, daemon = {}): Promise<GivenOperator> => {
    const server = await givenOperator({ daemon: { ...verified, ...daemon } }, prepare);
    await until(() => server.daemon.verification().valid === true);
    return server;
  };

  it('leaves the daemon free to respond to other requests', async () => {
    const { ask, get } = await given((home) => append(home, entries));
    let isAnswered = false;
    const asked = ask('GET', '/api/doctor', { as: 'viewer' }).finally(() => (isAnswered = true));
    await until(() => held.started() === 1 || isAnswered);
    assert.equal((await get('/healthz')).status, 'ok');
    assert.ok((await get('/api/status')).journal.events > entries);
    assert.equal(isAnswered, false);
    held.release();
    const { status, body } = await asked;
    assert.deepEqual([status, checkOf(body, 'journal').status, checkOf(body, 'tables').status], [200, 'ok', 'ok']);
  });

  it('makes one report for all who ask meanwhile, and another one for those who ask later', async () => {
    const { daemon } = await given();
    const doctor = doctorReader(daemon);
    const asked = [doctor(), doctor()];
    held.release();
    const [one, other] = await Promise.all(asked);
    assert.deepEqual([held.started(), one], [1, other]);
    await doctor();
    assert.equal(held.started(), 2);
  });

  it('ends with the daemon', async () => {
    const { daemon, stop } = await given();
    const doctor = doctorReader(daemon);
    const refused = rejectsRefusal(doctor(), 'interrupted');
    await stop();
    await refused;
    await rejectsRefusal(doctor(), 'interrupted');
  });

  it('reports faults that appeared since the daemon was started', async () => {
    const { given: home, get } = await given((made) => append(made, 3));
    held.release();
    tamper(home, "UPDATE mission SET goal = 'forged'");
    assert.equal(checkOf(await get('/api/doctor'), 'tables').status, 'fail');
    alterEntry(home);
    assert.match(checkOf(await get('/api/doctor'), 'journal').detail, /^entry 3: /);
  });

  describe('on a large home', () => {
    const large = (home: Home): void => {
      append(home, 20, 'x'.repeat(entry_body_bytes_max - 1_000));
    };
    const notes = ({ witness }: TemporaryHome): string[] => readdirSync(witness).filter((name) => name.endsWith('.verified'));

    it('relies on the verification by the daemon, and says when there was none yet', async () => {
      held.release();
      const verifications = holdThreads('verification-worker');
      try {
        const { given: home, get, daemon } = await givenOperator({ daemon: verified }, large);
        const { status, detail } = checkOf(await get('/api/doctor'), 'journal');
        assert.equal(status, 'warn');
        assert.match(detail, /the daemon has not verified all entries yet$/);
        assert.deepEqual(notes(home), []);
        verifications.release();
        await until(() => daemon.verification().valid === true);
        notes(home).forEach((name) => rmSync(join(home.witness, name)));
        assert.equal(checkOf(await get('/api/doctor'), 'journal').status, 'ok');
        assert.deepEqual(notes(home), []);
      } finally {
        verifications.end();
      }
    });

    it('reports the entry at which that verification failed', async () => {
      held.release();
      const { given: home, get, daemon } = await given(large, { verification_pause_ms: 50 });
      alterEntry(home);
      await until(() => daemon.verification().valid === false);
      const { status, detail } = checkOf(await get('/api/doctor'), 'journal');
      assert.deepEqual([status, detail], ['fail', daemon.verification().failure]);
      assert.match(detail, /^entry 3: /);
    });
  });
});
