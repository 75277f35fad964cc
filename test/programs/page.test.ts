import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readTraceFile, renderTraceFile } from '../../src/adapters/traces/trace-file.ts';
import type { Trace } from '../../src/explain/trace/trace.ts';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { type PageWorld, pod, pods, secretText, startPageWorld } from '../harness/page-world.ts';

const chromium = findChromium();

test.runIf(chromium === undefined)('NOT RUN, there is no Chromium: the page', () => {
  expect(chromium).toBeUndefined();
});

let world: PageWorld;
let browser: Browser;
const opened: Page[] = [];

describe.skipIf(chromium === undefined)('the page in Chromium', () => {
  beforeAll(async () => {
    world = await startPageWorld();
    browser = await openChromium(chromium ?? '');
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.context().close()));
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  test('lists every write, newest first, and the token leaves the address', async () => {
    const page = await open();
    await page.getByText('denied by names.example.com').waitFor();
    await expect
      .poll(() => rowTexts(page))
      .toEqual(
        [
          /^201 create secrets shop\/db 1 of 5 webhooks called, 1 changed the Secret, nothing suspicious admin/,
          /^403 create pods shop\/denied ⊘ failed open denied by names\.example\.com admin/,
          /^201 create pods shop\/web ⚠ 1 finding ⊘ failed open stored without the check of gone\.example\.com/,
          /^200 patch validatingwebhookconfigurations/,
          ...Array.from({ length: 4 }, () => /^201 create/),
        ].map((pattern) => expect.stringMatching(pattern)),
      );
    expect(page.url()).not.toContain('token');
    await expect.poll(() => page.locator('.connection').textContent()).toMatch(/^live/);
  });

  test('a new request shows up by itself; while paused it waits', async () => {
    const page = await open();
    await world.send('POST', pods, pod('live-1'));
    await page.getByText('shop/live-1').waitFor();
    await page.keyboard.press('p');
    await world.send('POST', pods, pod('live-2'));
    await page.getByRole('button', { name: 'Resume (1 new)' }).waitFor();
    expect(await page.getByText('shop/live-2').count()).toBe(0);
    await page.keyboard.press('p');
    await page.getByText('shop/live-2').waitFor();
  });

  test('filters by verdict, webhook, resource, user and words', async () => {
    const page = await open();
    await page.getByLabel('Verdict').selectOption('webhook denied');
    await expect.poll(() => rowTexts(page)).toEqual([expect.stringContaining('shop/denied')]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('combobox', { name: 'Webhook' }).first().selectOption('secret.example.com');
    await expect.poll(() => rowTexts(page)).toEqual([expect.stringContaining('shop/db')]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Resource').selectOption('namespaces');
    await page.getByLabel('User').selectOption('admin');
    await expect.poll(() => rowTexts(page)).toHaveLength(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Filter by words').fill('denied NAMES.example');
    await expect.poll(() => rowTexts(page)).toEqual([expect.stringContaining('shop/denied')]);
    await page.getByLabel('Filter by words').fill('nothing like it');
    await page.getByText('No request matches the filter.').waitFor();
  });

  test('explains a request and draws when its webhooks ran', async () => {
    const page = await open();
    await show(page, 'shop/denied');
    await expect
      .poll(() => page.locator('.verdict').innerText())
      .toMatch(
        /^refused create pods denied in shop by admin 403 in .*\s+denied by names\.example\.com\s+admission webhook "names.example.com" denied the request: this name is taken/s,
      );
    const table = (await page.locator('.decisions').first().innerText()).replaceAll(/\s+/g, ' ');
    expect(table).toMatch(/names\.example\.com \(checks\) denied [\d.]+ /);
    expect(table).toMatch(/gone\.example\.com \(checks\) failed [\d.]+ its address is/);
    expect(table).toMatch(
      /red\.example\.com \(mutators\) skipped namespaceSelector requires team=red; namespace shop has/,
    );
    expect(table).not.toContain('secret.example.com');
    await page.getByText('1 that do not match this request').click();
    await page.getByRole('button', { name: 'secret.example.com (mutators)' }).waitFor();
    await expect
      .poll(() => linesOf(page.locator('.waterfall-row')))
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^API server [\d.]+ ms$/),
          'mutating webhooks, one after the other, 2 skipped',
          'validating webhooks, at the same time',
          expect.stringMatching(/^names\.example\.com [\d.]+ m?s$/),
          expect.stringMatching(/^validating admission refused [\d.]+ m?s$/),
        ]),
      );
    // The same names.example.com may take 10 s, gone.example.com 3 s: to scale on the whole time allowed.
    await page.getByRole('button', { name: /^Scale/ }).click();
    const limits = page.locator('[data-webhook] .limit');
    const widths = await limits.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    const [, names = 0, gone = 0] = widths.toSorted((a, b) => b - a);
    expect(names / gone).toBeCloseTo(10 / 3, 1);
  });

  test('a card has the review, the response, the patch and its changes', async () => {
    const page = await open();
    await show(page, 'shop/web');
    await page.locator('.waterfall').getByRole('button', { name: 'label.example.com' }).click();
    const card = page.locator('.card', { hasText: 'label.example.com' }).first();
    await expect
      .poll(() => card.locator('.diff .is-added').allInnerTexts())
      .toEqual([expect.stringContaining('tier: front')]);
    for (const [part, text] of [
      ['Patch', '"path": "/metadata/labels/tier"'],
      ['Review sent', '"kind": "AdmissionReview"'],
      ['Answer', '"patchType": "JSONPatch"'],
    ] as const) {
      const details = card.locator('.part', { has: page.locator(`summary:text-is("${part}")`) });
      await details.locator('summary').click();
      await expect.poll(() => details.locator('pre').innerText()).toContain(text);
    }
    await expect
      .poll(() => page.locator('.card', { hasText: 'red.example.com' }).first().innerText())
      .toMatch(/skipped.*namespaceSelector requires team=red; namespace shop has .*team=blue/s);
  });

  test('draws the present chain, and describes each stop', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Chain', exact: true }).click();
    await page.getByLabel('Namespace').fill('shop');
    await page.getByLabel('Namespace').press('Enter');
    const gone = page.locator('.participant', { hasText: 'gone.example.com' });
    await gone.getByText('UNREACHABLE (connect)').waitFor();
    await expect
      .poll(() => page.locator('.chain-section > h3').allInnerTexts())
      .toEqual(['Mutating, in order', 'The API server itself', 'Validating, webhooks in parallel', 'Stored']);
    await gone.focus();
    const panel = page.getByLabel('This stage');
    await panel
      .getByText('It is unreachable now: each request that calls it continues without it, unchecked.')
      .waitFor();
    await page.keyboard.press('ArrowUp');
    await panel.getByText('webhook names.example.com (checks)').waitFor();
    await page.getByText('With a manifest').click();
    await page.getByLabel('Manifest, YAML or JSON').fill('kind: Pod');
    await page.getByLabel('Manifest, YAML or JSON').blur();
    await page.getByLabel('Resource').fill('');
    await page.getByLabel('Resource').press('Enter');
    await page.getByText('the manifest needs apiVersion and kind').waitFor();
  });

  test('routes a Service to another address while the server runs', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Chain', exact: true }).click();
    await page.getByText('Mappings none').click();
    await page.getByLabel('Service or host').fill('shop/hooks');
    await page.getByLabel('Where it listens').fill('127.0.0.1:8443');
    await page.getByRole('button', { name: 'Add the mapping' }).click();
    await page.getByText('does not say whether the webhook speaks TLS').waitFor();
    await page.getByLabel('Where it listens').fill('https://127.0.0.1:8443');
    await page.getByRole('button', { name: 'Add the mapping' }).click();
    await page.getByRole('button', { name: 'Remove the mapping of shop/hooks' }).click();
    await page.getByText('Mappings none').waitFor();
    await expect.poll(() => page.locator('.mappings li').count()).toBe(0);
  });

  test('shows the last writer of each field', async () => {
    const page = await open();
    await show(page, 'shop/web');
    await page.getByRole('tab', { name: 'Object' }).click();
    await expect
      .poll(() => linesOf(page.locator('.blame tbody tr')))
      .toEqual(
        expect.arrayContaining([
          'metadata.labels.tier front webhook label.example.com (mutators)',
          'spec.containers[name=web].image nginx the client',
          'spec.dnsPolicy ClusterFirst the server',
        ]),
      );
  });

  test('masks the values of a Secret until they are revealed', async () => {
    const page = await open();
    const seen: string[] = [];
    page.on(
      'response',
      (response) =>
        void response.text().then(
          (text) => seen.push(text),
          () => {},
        ),
    );
    await show(page, 'shop/db');
    await page.getByRole('tab', { name: 'Document' }).click();
    const base64 = Buffer.from(secretText).toString('base64');
    await expect.poll(() => page.locator('.detail-body').innerText()).toMatch(/"password": "‹masked \d+›"/);
    expect(seen.join('\n')).not.toMatch(new RegExp(`${secretText}|${base64}`));
    await page.getByRole('button', { name: 'Secrets masked' }).click();
    await page.getByText(base64).first().waitFor();
  });

  test('shows the history of configurations, and the coverage of the requests', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Configurations' }).click();
    const first = page.locator('.card').first();
    await first.waitFor();
    await expect
      .poll(async () => (await first.innerText()).replaceAll(/\s+/g, ' '))
      .toMatch(/^checks ?changed ?validatingwebhookconfigurations · by admin .*added: \+ owner: team-a/);
    await expect.poll(() => page.title()).toBe('Configurations · kadmit');
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/checks';
    for (const owner of ['team-a', 'team-a']) await world.send('PATCH', path, { metadata: { labels: { owner } } });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('2 writes without a change').waitFor();
    expect(await page.getByText('no change').first().isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Coverage' }).click();
    const row = page.locator('tr', { hasText: 'red.example.com' });
    await expect.poll(() => row.innerText()).toMatch(/never called/);
    await page.goBack();
    await page.locator('.pane-title', { hasText: 'Configurations' }).waitFor();
  });

  test('a request is held at a webhook, and resumes with another response', async () => {
    const page = await open();
    await page.locator('.held > summary').click();
    await page.getByLabel('Webhook', { exact: true }).last().fill('names.example.com');
    await page.getByRole('button', { name: 'Hold', exact: true }).click();
    await page.getByRole('button', { name: 'before names.example.com ✕' }).waitFor();
    const sent = world.send('POST', pods, pod('held'));
    await page.getByText('1 request is held').waitFor();
    await expect.poll(() => page.locator('.request-row.is-held').innerText()).toContain('names.example.com');
    await expect
      .poll(() => page.locator('.held-card').innerText())
      .toContain('create pods shop/held is held before names.example.com');
    await page
      .getByLabel('Answer in place of the webhook')
      .fill('{"allowed": false, "status": {"message": "by hand"}}');
    await page.getByRole('button', { name: 'Send this answer' }).click();
    expect(await sent).toMatchObject({ code: 400 }); // A denial that names no code.
    await page.getByRole('button', { name: 'before names.example.com ✕' }).click();
    await show(page, 'shop/held');
    await expect.poll(() => page.locator('.verdict').innerText()).toContain('denied the request: by hand');
  });

  test('is usable without a mouse', async () => {
    const page = await open();
    await page.locator('[role="row"]').first().waitFor();
    // At first nothing has the focus.
    for (const key of ['j', 'Enter']) await page.keyboard.press(key);
    await page.locator('.detail .verdict').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('pods shop/');
    await page.keyboard.press('Enter');
    for (const key of ['j', 'ArrowDown', 'k', 'End', 'Enter']) await page.keyboard.press(key);
    await page.locator('.verdict .sentence', { hasText: 'pods web in shop' }).waitFor();
    await page.keyboard.press('k');
    await expect.poll(() => page.locator('[aria-selected="true"][role="row"]').count()).toBe(1);
    await page.keyboard.press(']');
    await page.locator('.card').first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.detail').count()).toBe(0);
    await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("role")')).toBe('grid');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('is dark where the system is, and where dark is selected', async () => {
    const page = await open({ colorScheme: 'dark' });
    const brightness = async (): Promise<number> =>
      Number(await page.evaluate('/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0]'));
    await expect.poll(brightness).toBeLessThan(60);
    await page.getByRole('button', { name: 'Theme: system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).waitFor();
    await expect.poll(brightness).toBeGreaterThan(240);
    await page.keyboard.press('t');
    await page.reload();
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
    await expect.poll(brightness).toBeLessThan(60);
  });

  test('requests only its own server, and keeps its Content-Security-Policy', async () => {
    const page = await open();
    const hosts = new Set<string>();
    const consoleMessages: string[] = [];
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    page.on('console', (message) => consoleMessages.push(message.text()));
    await page.reload();
    await show(page, 'shop/denied');
    expect([...hosts]).toEqual([new URL(world.server.uiUrl).host]);
    expect(consoleMessages).toEqual([]);
  });

  test('without the token the page shows nothing', async () => {
    const page = await newPage({});
    const { origin } = new URL(world.server.uiUrl);
    expect((await page.goto(origin))?.status()).toBe(401);
    expect((await page.goto(`${origin}/kadmit/v1/traces`))?.status()).toBe(401);
  });

  test('another site gets nothing, although its visitor has the cookie', async () => {
    const page = await open();
    const { port } = new URL(world.server.uiUrl);
    expect((await page.goto(`http://localhost:${port}/kadmit/v1/traces`))?.status()).toBe(401);
    await page.goto('data:text/html,<p>elsewhere</p>');
    const reading = page.evaluate(
      (url) => fetch(url).then(({ status }) => status),
      `http://127.0.0.1:${port}/kadmit/v1/traces`,
    );
    await expect(reading).rejects.toThrow('Failed to fetch');
  });

  test('the open request can be saved as a trace file', async () => {
    const page = await open();
    await show(page, 'shop/db');
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save' }).click();
    const saved = await saving;
    const reading = readTraceFile(readFileSync(await saved.path(), 'utf8'));
    expect(saved.suggestedFilename()).toBe('kadmit-trace.html');
    expect(reading).toMatchObject({ traces: [{ request: { name: 'db' } }] });
    expect(JSON.stringify(reading)).not.toContain(secretText);
  });

  test('a trace that cannot be explained is shown as JSON, and the next one is explained', async () => {
    const page = await open();
    const strange = { because: 'no-rule-matched', nearest: {} };
    await page.route(/traces\/[^?]+$/, async (route) => {
      const trace = (await (await route.fetch()).json()) as Trace;
      const admission = trace.admission.map((one) => ({ ...one, outcome: 'skipped', reason: strange }));
      await route.fulfill({ json: trace.request.name === 'denied' ? { ...trace, admission } : trace });
    });
    await page.getByText('shop/denied').click();
    await page.getByText('This trace cannot be explained').waitFor();
    await expect.poll(() => page.locator('.json').innerText()).toContain('"name": "denied"');
    await show(page, 'shop/web');
    await expect
      .poll(() => page.locator('.verdict .sentence').innerText())
      .toContain('create pods web in shop by admin');
  });

  test.each([
    ['a trace file', 1],
    ['a large trace file, which is packed,', 60],
  ])('%s opens from disk, without a server, masked', async (_what, times) => {
    const folder = mkdtempSync(join(tmpdir(), 'kadmit-trace-file-'));
    try {
      const path = join(folder, 'trace.html');
      writeFileSync(path, await renderTraceFile(await manyTraces(times)));
      const page = await newPage({ offline: true });
      const consoleMessages: string[] = [];
      page.on('console', (message) => consoleMessages.push(message.text()));
      await page.goto(pathToFileURL(path).href);
      await show(page, 'shop/denied');
      await page.locator('.waterfall').getByText('names.example.com').waitFor();
      await page.getByRole('tab', { name: 'Object' }).click();
      await page.locator('.blame').waitFor();
      await page.getByRole('button', { name: 'Coverage' }).click();
      await page.locator('tr', { hasText: 'red.example.com' }).waitFor();
      expect(await page.content()).not.toContain(secretText);
      expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
      expect(consoleMessages).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('a list that is scrolled down keeps its visible rows', async () => {
    const page = await open();
    for (let at = 0; at < 60; at += 1) await world.send('POST', pods, pod(`many-${at}`));
    await page.getByText('shop/many-59').waitFor();
    const placeOf = (name: string) =>
      page.getByText(name, { exact: true }).evaluate((row) => row.getBoundingClientRect().top);
    await page.locator('.request-rows').evaluate((rows) => rows.scrollTo({ top: 600 }));
    await page.getByText('shop/many-30', { exact: true }).waitFor();
    const before = await placeOf('shop/many-30');
    const list = page.locator('.request-rows');
    const count = Number(await list.getAttribute('aria-rowcount'));
    for (let at = 0; at < 5; at += 1) {
      await world.send('POST', pods, pod(`later-${at}`));
      await page.locator(`.request-rows[aria-rowcount="${count + at + 1}"]`).waitFor();
      // A frame more, in which the browser might move the list once more.
      await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
      expect(await placeOf('shop/many-30')).toBe(before);
    }
  });

  test('tries all orders of mutating webhooks without affecting the server, and compares two runs', async () => {
    await world.addRival();
    await world.send('POST', pods, pod('ordered'));
    await world.send('POST', pods, pod('ordered-too', { app: 'web', more: 'yes' }));
    const page = await newPage();
    await page.goto(world.server.uiUrl);
    await show(page, 'shop/ordered-too');
    const before = (await rowTexts(page)).length;
    await page.getByRole('tab', { name: 'Orders' }).click();
    await page.getByRole('button', { name: 'Try them' }).click();
    await page.getByText('2 results in 2 orders of 2 mutating webhooks (all, 2 run)').waitFor();
    await expect
      .poll(() => page.locator('.orders-matrix tbody tr').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^1 mutators\/label.example.com\s+1\/1\s*$/),
        expect.stringMatching(/^2 rival\/back.example.com\s+1\/1\s*$/),
      ]);
    await expect.poll(() => page.locator('.pair .diff').innerText()).toMatch(/-\s+tier: back\s.*\+\s+tier: front/s);
    expect((await rowTexts(page)).length).toBe(before);
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByText('Differences between the objects').waitFor();
    await expect
      .poll(() => page.locator('.runs tr', { hasText: 'back.example.com (rival)' }).innerText())
      .toMatch(/called, changed label tier \(front → back\).*called, changed label tier \(front → back\)/s);
    await expect
      .poll(() => page.locator('.detail .diff').innerText())
      .toMatch(/-\s+name: ordered\s.*\+\s+name: ordered-too\s/s);
  });

  test('a trial of orders has a count and can be canceled', async () => {
    const page = await newPage();
    await page.goto(world.server.uiUrl);
    await page.route('**/kadmit/v1/orders', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ json: { tried: 7, orders: 24 } }) : undefined,
    );
    await world.send('POST', pods, pod('canceled'));
    await show(page, 'shop/canceled');
    await page.getByRole('tab', { name: 'Orders' }).click();
    await page.getByRole('button', { name: 'Try them' }).click();
    await page.getByText('7 of 24 orders tried …').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('orders tried').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Try them' }).isEnabled()).toBe(true);
  });

  test.each([
    ['wide', 1600, 900],
    ['as usual', 1360, 800],
    ['narrow', 400, 700],
  ])('panes scroll, the page does not: %s', async (_what, width, height) => {
    await world.addMutators();
    await world.send('POST', pods, pod(`rounds-${width}`));
    const page = await newPage({ viewport: { width, height } });
    await page.goto(world.server.uiUrl);
    await show(page, `shop/rounds-${width}`);
    for (const tab of ['Explanation', 'Decisions', 'Chain', 'Object', 'Compare', 'Orders', 'Document']) {
      await page.getByRole('tab', { name: tab }).click();
      await expectToFit(page);
    }
    await page.getByRole('tab', { name: 'Decisions' }).click();
    const pane = page.locator('.detail-body');
    await pane.hover();
    for (let turn = 0; turn < 5; turn += 1) await page.mouse.wheel(0, 5000);
    await expectToFit(page);
    expect(await page.locator('.page-header').isVisible()).toBe(true);
    for (const view of ['Coverage', 'Configurations']) {
      await page.getByRole('button', { name: view }).click();
      await page.locator('.view').waitFor();
      await expectToFit(page);
    }
  });
});

async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 800 }, ...options });
  const page = await context.newPage();
  opened.push(page);
  return page;
}

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPage(options);
  await page.goto(world.server.uiUrl);
  await page.getByText('shop/db').waitFor();
  return page;
}

/** The cells of each row in sight, with spaces between them. */
const rowTexts = (page: Page): Promise<readonly string[]> =>
  page
    .locator('.request-rows .request-row')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('.cell:not(.is-result), .is-result > *')].map((part) => part.textContent).join(' '),
      ),
    );

/** The text of each element, on one line. */
const linesOf = async (elements: Locator): Promise<readonly string[]> =>
  (await elements.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());

/** Nothing of the page lies outside the window. */
async function expectToFit(page: Page): Promise<void> {
  const { height, width } = page.viewportSize() ?? { height: 0, width: 0 };
  const root = 'document.documentElement';
  expect(await page.evaluate(`[${root}.scrollHeight, ${root}.scrollWidth, scrollY]`)).toEqual([height, width, 0]);
}

async function show(page: Page, object: string): Promise<void> {
  await page.locator('.request-rows .request-row', { hasText: object }).first().click();
  await page.locator('.verdict').waitFor();
}

/** All traces, and the first of them again and again under other names before them. */
async function manyTraces(times: number): Promise<readonly Trace[]> {
  const traces = await allTraces();
  const repeated = traces
    .slice(0, 4)
    .flatMap((trace) => Array.from({ length: (times - 1) * 10 }, (_, at) => ({ ...trace, id: `${trace.id}-${at}` })));
  return [...repeated, ...traces];
}

/** What the server's page has, Secrets and all, oldest first. */
async function allTraces(): Promise<readonly Trace[]> {
  const { origin, search } = new URL(world.server.uiUrl);
  const { items } = (await (await fetch(`${origin}/kadmit/v1/traces${search}`)).json()) as { items: { id: string }[] };
  const traces = items.map(async ({ id }) => {
    const answer = await fetch(`${origin}/kadmit/v1/traces/${id}${search}&reveal=true`);
    return (await answer.json()) as Trace;
  });
  return (await Promise.all(traces)).toReversed();
}
