/** A raw client of `agent-cli mcp`: lines of JSON, without a library of the protocol. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { program, type Scratch } from '../cli/cli-run.js';
import { hang_ms } from '../wait.js';

export interface Reply {
  readonly jsonrpc: string;
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly uri?: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

export class StdioClient {
  /** Every line of standard output. */
  readonly lines: string[] = [];
  /** What standard error got. */
  errors = '';
  private readonly child: ChildProcess;
  private readonly waiting = new Map<string | number, (reply: Reply) => void>();
  private next = 1;
  private readonly others: Reply[] = [];

  constructor({ directory, env }: Pick<Scratch, 'directory' | 'env'>, args: readonly string[] = []) {
    this.child = spawn(process.execPath, [program, 'mcp', ...args], { cwd: directory, env });
    this.child.stderr?.setEncoding('utf8').on('data', (part: string) => (this.errors += part));
    assert.ok(this.child.stdout);
    createInterface({ input: this.child.stdout }).on('line', (line) => this.take(line));
  }

  private take(line: string): void {
    this.lines.push(line);
    const reply = JSON.parse(line) as Reply;
    const found = reply.method === undefined ? this.waiting.get(reply.id ?? '') : undefined;
    if (found === undefined) this.others.push(reply);
    else found(reply);
  }

  /** Messages that answer no request by its id. */
  unasked(): readonly Reply[] {
    return this.others;
  }

  /** Resolves when there are so many lines. */
  async has(count: number): Promise<void> {
    for (const end = performance.now() + hang_ms; this.lines.length < count; await sleep(5))
      assert.ok(performance.now() < end, `${this.lines.length} of ${count} lines`);
  }

  write(text: string | Uint8Array): void {
    this.child.stdin?.write(text);
    this.child.stdin?.write('\n');
  }

  notify(method: string, params: object = {}): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  request(method: string, params: object = {}, id: string | number = this.next++): Promise<Reply> {
    const reply = new Promise<Reply>((resolve) => this.waiting.set(id, resolve));
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return reply;
  }

  async initialize(capabilities: object = {}): Promise<Reply> {
    const clientInfo = { name: 'test', version: '1' };
    const reply = await this.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    this.notify('notifications/initialized');
    return reply;
  }

  async call(name: string, args: object = {}, params: object = {}): Promise<ToolResult> {
    const { result, error } = await this.request('tools/call', { name, arguments: args, ...params });
    assert.equal(error, undefined);
    return result as unknown as ToolResult;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  /** Ends its input, and returns the exit code. */
  end(): Promise<number | null> {
    this.child.stdin?.end();
    return this.exited();
  }

  /** Reads no more, which the next requests meet, and returns the exit code. */
  leave(): Promise<number | null> {
    this.child.stdout?.destroy();
    for (let n = 0; n < 3; n++) void this.request('tools/list');
    return this.exited();
  }

  /** Reads no more although there is something to read, sends a signal to end, and returns the exit code. */
  async ignore(): Promise<number | null> {
    this.child.stdout?.pause();
    for (let n = 0; n < 200; n++) void this.request('tools/list');
    await sleep(300);
    this.child.kill();
    return this.exited();
  }

  private async exited(): Promise<number | null> {
    if (this.child.exitCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }
}
