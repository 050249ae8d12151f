/** libsodium, which is loaded at its first use: where npm did not install its native code, commands can still say so. */
import { createRequire } from 'node:module';
import type installed from 'sodium-native';

type Sodium = typeof installed;

const load = createRequire(import.meta.url);
let loaded: Sodium | null = null;

/** @throws an error of the package when its native code is missing or does not fit this machine */
export const sodium = (): Sodium => (loaded ??= load('sodium-native') as Sodium);
