/** One valid document of every event type, written from the specification; and the means to vary it. */
import type { Documents, Event, EventType } from '../../../src/codec/event.js';
import { givenManifest } from '../app/given-tools.js';

/** 64 hexadecimal digits that all are the same. */
export const hex = (digit: string): string => digit.repeat(64);
export const config_hash = hex('c');
export const result_hash = hex('e');
export const request_hash = hex('a');
const missionError = { code: 'execution_failed', message: 'the engine failed', stage: 'planning' } as const;
const review = { actor: 'operator', approved: true, at: '2026-11-20T05:00:09.000000Z', note: 'checked', result_hash };
const effort = { max_evaluations: 20, iterations: 4 };
const engine = { name: 'forecast', version: '1.0.0' };

const mission = '00000000-0000-4000-8000-000000000001';

const payment = {
  mission,
  result_hash,
  payer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  recipient: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  amount_units: '1500000000000000000',
  chain_id: 31_337,
  chain_config_hash: hex('9'),
};

export const approverKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIM9IuIRo5hYAkQfJxOPqJ5fQNNdYo2LnqUZwUnxxaKy';
const keyFingerprint = `SHA256:${'A'.repeat(43)}`;

export const documents: Documents = {
  'control.initialised': { state: 'ready', config_hash, config_blob: hex('d') },
  'control.configured': {
    state: 'paused',
    config_hash,
    config_blob: hex('d'),
    changed: ['name'],
    erased: [hex('b')],
    actor: 'a',
  },
  'control.paused': { state: 'paused', actor: 'operator' },
  'control.resumed': { state: 'ready', actor: 'operator' },
  'control.rollback_accepted': {
    state: 'paused',
    actor: 'operator',
    reason: 'the disk was lost',
    lost: { from_size: 9, to_size: 7, witness: 'a note' },
    incarnation: '0f'.repeat(16),
  },
  'journal.restored': {
    state: 'paused',
    archive_sha256: 'a1'.repeat(32),
    events: 7,
    head: 'b2'.repeat(32),
    root: 'c3'.repeat(32),
    behind: { entries: 2, checkpoint: 'a note' },
    incarnation: '0f'.repeat(16),
    reason: 'a new disk',
    actor: 'operator',
  },
  'control.witness_added': {
    name: 'witness.example/w1',
    url: 'https://witness.example',
    vkey: `witness.example/w1+0a0b0c0d+${'A'.repeat(44)}`,
    actor: 'operator',
  },
  'control.notice_failed': { delivery: mission, kind: 'needs_review', id: mission, tries: 5, failed: 'HTTP 500' },
  'mission.submitted': { kind: 'forecast', goal: 'try', request_hash, request: { goal: 'try' }, actor: 'operator' },
  'mission.execution_requested': { actor: 'operator' },
  'mission.leased': {
    state: 'running',
    attempt: 1,
    lease_expires_at: '2026-11-20T05:11:00.000000Z',
    config_hash,
    engine,
    max_evaluations: 20,
    parent: null,
    parent_digest: null,
    actor: 'operator',
  },
  'mission.staged': { attempt: 1, index: 0, role: 'planning', detail: { goal: 'try' } },
  'mission.produced': {
    state: 'review',
    attempt: 1,
    result: { forecast: [1, 2] },
    result_hash,
    solution: null,
    warm_start: null,
    effort,
    verification: { passed: true, checks: ['shape'], failure: null },
  },
  'mission.failed': { state: 'failed', attempt: 1, error: missionError },
  'mission.cancelled': { state: 'failed', error: { ...missionError, code: 'cancelled' }, actor: 'operator' },
  'mission.recovered': { state: 'queued', attempt: 2, recovered_from: hex('f'), actor: 'operator' },
  'mission.completed': {
    state: 'completed',
    result: { forecast: [1, 2] },
    review,
    kind: 'forecast',
    goal: 'try',
    request_hash,
    engine,
    effort,
    warm_start: null,
    parent: null,
    parent_digest: null,
  },
  'mission.rejected': { state: 'rejected', review: { ...review, approved: false } },
  'mission.erased': { blobs: [hex('b')], actor: 'operator', reason: 'asked to' },
  'tool.imported': { manifest: givenManifest(), status: 'active', actor: 'operator' },
  'tool.status_set': { from: 'active', to: 'quarantined', note: 'looks wrong', actor: 'operator' },
  'token.created': { role: 'reviewer', token_sha256: hex('1'), actor: 'operator' },
  'token.rotated': { token_sha256: hex('2'), actor: 'operator' },
  'token.revoked': { actor: 'operator' },
  'mission.approved': {
    approval: {
      approver: 'alice',
      title: 'Head of procurement',
      kind: 'ssh',
      key: approverKey,
      fingerprint: keyFingerprint,
      subject: '{"decision":"approve"}',
      signature: 'signed',
    },
    actor: 'operator',
  },
  'approver.added': { title: 'Head of procurement', actor: 'operator' },
  'approver.key_added': { kind: 'ssh', key: approverKey, fingerprint: keyFingerprint, actor: 'operator' },
  'approver.key_removed': { fingerprint: keyFingerprint, reason: 'lost laptop', actor: 'operator' },
  'approver.removed': { reason: 'left the company', actor: 'operator' },
  'worker.added': { name: 'rack-1', actor: 'operator' },
  'worker.removed': { actor: 'operator' },
  'worker.refuted': { reason: 'an epoch was wrong', actor: 'operator' },
  'simulation.requested': {
    request: { seed: 7 },
    islands: ['main'],
    runner: 'command',
    lease_expires_at: '2026-11-20T05:11:00.000000Z',
    actor: 'operator',
  },
  'simulation.started': {
    attempt: 1,
    engine: { name: 'simulation', version: '1.0.0' },
    lease_expires_at: '2026-11-20T05:11:00.000000Z',
  },
  'simulation.completed': { attempt: 1, outcome_hash: hex('5'), outcome: { seed: 7 } },
  'simulation.failed': { error: { code: 'interrupted', message: 'its process ended' }, actor: 'operator' },
  'simulation.cancelled': { actor: 'operator' },
  'simulation.renamed': { name: 'first look', actor: 'operator' },
  'sweep.requested': { field: 'k', values: [5, 10], seeds: [7], actor: 'operator' },
  'sweep.completed': { succeeded: 2, actor: 'operator' },
  'sweep.cancelled': { actor: 'operator' },
  'wallet.challenged': {
    message: 'sign this',
    nonce: '0a'.repeat(16),
    address: null,
    issued_at: '2026-11-20T05:00:00.000000Z',
    expires_at: '2026-11-20T05:10:00.000000Z',
    actor: 'operator',
  },
  'wallet.bound': {
    address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    nonce: '0a'.repeat(16),
    signature: `0x${'1'.repeat(130)}`,
    actor: 'operator',
  },
  'invoice.issued': {
    ...payment,
    issued_after_block: 7,
    expires_at: null,
    actor: 'operator',
  },
  'invoice.cancelled': { actor: 'operator' },
  'invoice.expired': { actor: 'operator' },
  'invoice.paid': { transaction_hash: `0x${hex('7')}`, log_index: 3, actor: 'operator' },
  'receipt.recorded': {
    ...payment,
    transaction_hash: `0x${hex('7')}`,
    log_index: 3,
    invoice: mission,
    environment: 'test_chain',
    token: '0xA61a3B3a130a9c20768EEBF97E21515A6046a1fA',
    token_code_sha256: hex('8'),
    block_number: 9,
    block_hash: `0x${hex('6')}`,
    block_time: '2026-11-20T05:00:00.000000Z',
    confirmations: 3,
    verified_at_block: 10,
    verified_at_hash: `0x${hex('5')}`,
    earmark_units: '0',
    reinvest_bps: 0,
    executed: false,
    actor: 'operator',
  },
  'bus.received': {
    peer: '127.0.0.1:50000',
    envelope: { sender: 'planner', recipient: 'market', ts: 1_795_152_700.5, payload: { task: 'try' } },
  },
  'agent.restarted': { restarts: 3, cause: 'unresponsive', work: '0123456789abcdef' },
  'reference.control': { state: 'ready', config_hash },
  'reference.mission': { snapshot: { state: 'queued' }, lease_expires_ns: '1795152700899093971' },
};

export const eventTypes = Object.keys(documents) as EventType[];

/** An event of a type, some members of its document changed. */
export const event = <K extends EventType>(type: K, changes: Partial<Documents[K]> = {}): Extract<Event, { readonly type: K }> =>
  ({ type, document: { ...documents[type], ...changes } }) as Extract<Event, { readonly type: K }>;
