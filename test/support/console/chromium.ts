/** Chromium as tests and benches start it: where it is, and what of it is switched off. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Parts of the window that cost more than the page in it: Chromium loads the suggestions below its address bar as pages of their own. */
const unused = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'];

/** What Playwright switches off, repeated because Chromium reads the last list only. */
const unwanted = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/**
 * No sandbox, because tests run as root in containers; no process of its own for drawing, which only copies pictures here; nothing that talks
 * to a network of its own accord.
 */
export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-extensions',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...unused, ...unwanted].join()}`,
];

/** Chromium without a window draws the same pages and takes a fifth less of the processor. */
const names = ['chromium-headless-shell', 'chromium'];

/** The path of Chromium, which the driver needs. */
export function executable(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const path = found.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (path === undefined) throw new Error(`neither of these is on the PATH: ${names.join(', ')}`);
  return path;
}
