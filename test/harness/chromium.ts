import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The Chromium that CHROMIUM names, or that the system has; undefined where there is none. */
export const findChromium = (): string | undefined =>
  [process.env['CHROMIUM'] ?? '', ...places].find((path) => path !== '' && existsSync(path));

export const openChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
