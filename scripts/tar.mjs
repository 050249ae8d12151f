/** Archives whose bytes follow from the files alone: in a fixed order, of owner 0, all changed at one time. Needs GNU tar. */
import { spawnSync } from 'node:child_process';
import { Stop } from './machine.mjs';

const tar_ms_max = 300_000;

/** Packs `members` of a directory; the program `gzip` compresses the archive when the file's name says so. @throws Stop when it fails */
export function packDirectory(directory, file, { mtime_s = 0, members = ['.'], mode } = {}) {
  const same = ['--sort=name', `--mtime=@${mtime_s}`, '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
  const modes = mode === undefined ? [] : [`--mode=${mode}`];
  const compressed = file.endsWith('.gz') ? ['--use-compress-program=gzip --no-name'] : [];
  const args = [...same, ...modes, ...compressed, '-cf', file, '-C', directory, ...members];
  const ended = spawnSync('tar', args, { encoding: 'utf8', timeout: tar_ms_max, env: { ...process.env, LC_ALL: 'C' } });
  if (ended.status !== 0) throw new Stop(`tar: ${ended.error?.message ?? (ended.stderr.trim() || `exit ${ended.status}`)}`);
}
