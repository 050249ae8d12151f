/** The console's files, read once from the build. Only an exact name finds a file. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { packageRoot } from '../../store/package-root.js';

/** The console's files are held in memory. */
const console_file_bytes_max = 4_194_304;
const console_files_max = 200;

export type ConsoleFile = NonNullable<ReturnType<typeof readOne>>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

const iconName = /^icon(?:-[\w-]+)?\.svg$/;

export type Console = Readonly<ReturnType<typeof consoleFiles>>;

/** The directory of the simulation dashboard's build. */
export const dashboardFolder: string = path.join(packageRoot, 'dist', 'dashboard');

/** Returns the console's files. Each request for the page reads the folder again until the page is found. */
export function consoleFiles(folder: string = path.join(packageRoot, 'dist', 'console')) {
  let page: ConsoleFile | null = null;
  let assets: ReadonlyMap<string, ConsoleFile> = new Map();
  const load = (): void => {
    if (page !== null) return;
    page = readOne(folder, 'index.html');
    if (page !== null) assets = readAll(path.join(folder, 'assets'));
  };
  return {
    /** Returns the page; null if the console has not been built. */
    page: () => {
      load();
      return page;
    },
    asset: (name: string) => {
      load();
      return assets.get(name) ?? null;
    },
    /** Returns the page that checks exports, for those who receive one. */
    verifier: () => fs.readFileSync(path.join(packageRoot, 'docs', 'verify-export.html')),
    /** Returns the icon of the page, whose file name the build generates. */
    icon: () => {
      load();
      return [...assets].find(([name]) => iconName.test(name))?.[1] ?? null;
    },
  };
}

/** Reads the regular files of a known type directly in the folder. */
function readAll(folder: string): ReadonlyMap<string, ConsoleFile> {
  const entries = fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : [];
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return new Map(
    names.slice(0, console_files_max).flatMap((name) => {
      const file = readOne(folder, name);
      return file === null ? [] : [[name, file] as const];
    }),
  );
}

function readOne(folder: string, name: string) {
  const type = types[path.extname(name)];
  const file = path.join(folder, name);
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (type === undefined || stat?.isFile() !== true || stat.size > console_file_bytes_max) return null;
  return { type, bytes: fs.readFileSync(file) };
}
