/** Private file systems for a test: a small tmpfs that can be filled or made read-only, an ext4 image that can lose its power. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statfsSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../../src/store/database.js';

function run(command: string, ...args: readonly string[]): string {
  // mkfs and losetup are in these directories, which are not in every user's PATH.
  const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` };
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr.trim()}`);
  return stdout;
}

export class Tmpfs {
  private mounted = false;

  constructor(
    readonly point: string,
    private readonly options: string,
  ) {
    mkdirSync(point, { recursive: true });
  }

  mount(): void {
    run('mount', '-t', 'tmpfs', '-o', this.options, 'tmpfs', this.point);
    this.mounted = true;
  }

  remount(mode: 'ro' | 'rw'): void {
    run('mount', '-o', `remount,${mode}`, this.point);
  }

  unmount(): void {
    if (!this.mounted) return;
    this.mounted = false;
    run('umount', this.point);
  }

  /** Takes all space but `spare_bytes` (rounded down to pages) with a file of that name. */
  fill(name: string, spare_bytes = 0): void {
    const { bavail, bsize } = statfsSync(this.point);
    const page = Buffer.alloc(bsize);
    const fd = openSync(join(this.point, name), 'w');
    try {
      for (let left = bavail - Math.floor(spare_bytes / bsize); left > 0; left--) writeSync(fd, page);
    } finally {
      closeSync(fd);
    }
  }

  free(name: string): void {
    rmSync(join(this.point, name), { force: true });
  }
}

const image_bytes = 64 * 1024 * 1024;
const detached_ms_max = 300_000;
const detached_poll_ms = 20;

/** An ext4 file system in a file. After `losePower` it holds what was synced, and no more. */
export class Ext4 {
  private mounted = false;
  private readonly image: string;

  constructor(
    root: string,
    readonly point: string,
  ) {
    this.image = join(root, 'disk.img');
    if (!existsSync(this.image)) writeFileSync(this.image, '');
    truncateSync(this.image, image_bytes);
    mkdirSync(point, { recursive: true });
    run('mkfs.ext4', '-q', '-F', this.image);
  }

  mount(): void {
    run('mount', '-o', 'loop', this.image, this.point);
    this.mounted = true;
  }

  /** From here on nothing reaches the disk; what is in the journal of ext4 stays unwritten too. */
  cut(): void {
    run('xfs_io', '-x', '-c', 'shutdown', this.point);
  }

  unmount(): void {
    if (!this.mounted) return;
    this.mounted = false;
    run('umount', this.point);
    this.awaitDetached();
  }

  /**
   * A container that starts meanwhile has a copy of every mount for a moment, which keeps the file system in use: mounted again by then, it
   * would be the one that lost its power.
   */
  private awaitDetached(): void {
    const until = performance.now() + detached_ms_max;
    while (run('losetup', '--associated', this.image) !== '') {
      if (performance.now() > until) throw new Error(`${this.image} is still in use after umount`);
      pause(detached_poll_ms);
    }
  }
}
