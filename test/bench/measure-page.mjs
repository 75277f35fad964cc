import { findChromium, openChromium } from '../harness/chromium.ts';
import { jsonRequest, openLine } from './https-line.mjs';
import { startKadmit } from './processes.mjs';
import { median } from './table.mjs';

const requests = 10_000;
const rounds = 5;

/** The time from opening the page to the frame with its first rows, when the server has many requests. */
export async function measurePage(certDir) {
  const executablePath = findChromium();
  if (executablePath === undefined) return [{ what: 'the page', figure: 'not measured: there is no Chromium' }];
  const kadmit = await startKadmit({ certDir, flags: ['--ui-port', '0', '--keep-traces', String(requests)] });
  await record(kadmit);
  const browser = await openChromium(executablePath);
  try {
    const visits = [];
    for (let round = 0; round < rounds; round += 1) visits.push(await visit(browser, kadmit.pageUrl));
    const figure = (of) => median(visits.map((one) => one[of]));
    const firstScreen = figure('firstScreen');
    return [
      {
        what: `page with ${requests.toLocaleString('en')} requests, first screen`,
        figure: `${firstScreen.toFixed(0)} ms`,
        goal: '< 500 ms',
        met: firstScreen < 500,
      },
      { what: 'filtering them by a word, to the next frame', figure: `${figure('filtered').toFixed(0)} ms` },
      { what: 'coverage of them, as the server makes it', figure: `${figure('coverage').toFixed(0)} ms` },
    ];
  } finally {
    await browser.close();
    await kadmit.stop();
  }
}

async function record(kadmit) {
  let next = 0;
  const create = async () => {
    const line = openLine(kadmit);
    while (next < requests) {
      next += 1;
      const body = { metadata: { name: `recorded-${next}` }, data: { key: 'value' } };
      await line.send(jsonRequest('POST', '/api/v1/namespaces/default/configmaps', body));
    }
    line.close();
  };
  await Promise.all(Array.from({ length: 8 }, create));
}

/** All times are of the clock of the browser, which starts with the navigation. */
async function visit(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector('.request-rows .request-row')) globalThis.firstScreen = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(url);
  await page.waitForFunction(() => globalThis.firstScreen);
  const firstScreen = await page.evaluate(() => globalThis.firstScreen);
  const filtered = await page.evaluate(filterInPage);
  const coverage = await page.evaluate(async () => {
    const startedAt = performance.now();
    await (await fetch('/kadmit/v1/coverage')).text();
    return performance.now() - startedAt;
  });
  await context.close();
  return { firstScreen, filtered, coverage };
}

function filterInPage() {
  const input = document.querySelector('#filter-text');
  const startedAt = performance.now();
  input.value = 'recorded-77';
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - startedAt)));
  });
}
