import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The Chromium that CHROMIUM names, or that the system has; undefined where there is none. */
export const findChromium = (): string | undefined =>
  [process.env['CHROMIUM'] ?? '', ...places].find((path) => path !== '' && existsSync(path));

/** No sandbox, for tests run as root in containers; and no network access of its own. */
const quiet = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser without a window, with a new profile. */
export const openChromium = (executablePath: string, flags: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...quiet, ...flags] });
