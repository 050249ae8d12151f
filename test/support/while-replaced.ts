import { syncBuiltinESMExports } from 'node:module';

/** Runs `work` while members of one of Node's own modules (its default export) are others, for the program too. */
export async function whileReplaced<A>(module: object, members: object, work: () => A): Promise<Awaited<A>> {
  const before = { ...module };
  try {
    Object.assign(module, members);
    syncBuiltinESMExports();
    return await work();
  } finally {
    for (const name of Object.keys(members)) Object.assign(module, { [name]: before[name as keyof typeof before] });
    syncBuiltinESMExports();
  }
}
