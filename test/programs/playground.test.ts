import { spawnSync, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, extname } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PlaygroundTexts } from '../../src/app/playground/protocol.ts';
import { toFragment } from '../../src/ui/playground/fragment.ts';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const chromium = findChromium();
/** How long the page may take to draw what it was asked for. */
const soon = { timeout: 20_000 };

test.runIf(chromium === undefined)('NOT RUN, there is no Chromium: the playground', () => {
  expect(chromium).toBeUndefined();
});

const pod =
  'apiVersion: v1\n    kind: Pod\n    metadata: { name: web }\n    spec: { containers: [{ name: web, image: nginx }] }';
const createPod = `- create:\n    ${pod}\n`;

const policy = (expression: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: replicas }
spec:
  matchConstraints:
    resourceRules: [{ operations: [CREATE], apiGroups: [apps], apiVersions: [v1], resources: [deployments] }]
  validations:
    - expression: ${expression}
      message: at most 5 replicas
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: replicas }
spec: { policyName: replicas, validationActions: [Deny] }
`;

const createDeployment = `- create:
    apiVersion: apps/v1
    kind: Deployment
    metadata: { name: web }
    spec:
      replicas: 9
      selector: { matchLabels: { app: web } }
      template:
        metadata: { labels: { app: web } }
        spec: { containers: [{ name: web, image: nginx }] }
`;

let server: PlaygroundServer;
let browser: Browser;
const opened: Page[] = [];
/** What the consoles of the pages have: also violations of the content security policy. */
const consoleErrors: string[] = [];

describe.skipIf(chromium === undefined)('the playground in Chromium', () => {
  beforeAll(async () => {
    server = await startPlaygroundServer();
    browser = await openChromium(chromium ?? '');
  }, 180_000);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.context().close()));
    const found = consoleErrors.splice(0);
    if (found.length > 0) throw new Error(`the page complained: ${found.join('; ')}`);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test('without a link it shows the first example and its answers', async () => {
    const page = await open('');
    await page.locator('.answer').first().waitFor(soon);
    await page.getByText('Why is my webhook not called?').first().waitFor({ state: 'attached' });
    await expect.poll(() => page.locator('.verdict').innerText(), soon).toContain('images.example.com');
  });

  test('a policy with a typo has a squiggle, and the list of problems goes to it', async () => {
    const page = await openTexts({ objects: policy('object.spec.replica <= 5'), requests: createDeployment });
    await page.locator('.cm-lintRange', { hasText: 'object.spec.replica' }).first().waitFor(soon);
    await page.getByRole('tab', { name: 'Requests' }).click();
    await page.locator('.problem', { hasText: "undefined field 'replica'" }).click();
    await expect.poll(() => selectedTab(page), soon).toMatch(/^Objects/);
    await expect.poll(() => page.locator('.cm-activeLine').innerText(), soon).toContain('object.spec.replica');
  });

  test('an object is refused by a policy, as kubectl prints it', async () => {
    const page = await openTexts({ objects: policy('object.spec.replicas <= 5'), requests: createDeployment });
    await page.locator('.answer.is-refused').waitFor(soon);
    await expect.poll(() => page.locator('.printed').innerText()).toMatch(/denied request: at most 5 replicas/);
    await expect.poll(() => page.locator('.verdict').innerText()).toMatch(/^refused create deployments\.apps web/);
  });

  test('typing runs the requests again', async () => {
    const page = await openTexts({ objects: policy('object.spec.replicas <= 5'), requests: createDeployment });
    await page.locator('.answer.is-refused').waitFor(soon);
    await page.getByRole('tab', { name: 'Requests' }).click();
    await page.locator('.cm-line', { hasText: 'replicas: 9' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('3');
    await expect.poll(() => page.locator('.printed').innerText(), soon).toBe('deployment.apps/web created');
  });

  test('a webhook that is not called, and why', async () => {
    const webhooks = `- name: pods.example.com
  type: validating
  rules: CREATE pods
  namespaceSelector: { matchLabels: { team: a } }
  does: { deny: no Pods }
`;
    const page = await openTexts({ webhooks, requests: createPod });
    await page.locator('.answer.is-admitted').waitFor(soon);
    await expect
      .poll(() => page.locator('.decisions').first().innerText(), soon)
      .toMatch(/pods\.example\.com[^]*skipped[^]*namespaceSelector requires team=a/);
    await page.getByRole('tab', { name: 'Chain' }).click();
    await page
      .locator('.participant', { hasText: 'pods.example.com' })
      .locator('.badge', { hasText: 'skipped' })
      .waitFor(soon);
  });

  test('a timeout of 30 s takes no time and is counted', async () => {
    const webhooks = `- name: slow.example.com
  type: validating
  rules: CREATE pods
  timeoutSeconds: 30
  faults: hang
`;
    const page = await openTexts({ webhooks, requests: createPod });
    await page.locator('.answer.is-refused', { hasText: '30 s' }).waitFor(soon);
    await expect.poll(() => page.locator('.printed').innerText()).toContain('context deadline exceeded');
    await expect.poll(() => page.locator('.waterfall h3').innerText(), soon).toMatch(/30 s of 34 s/);
  });

  test('a definition with CEL rules refuses an object', async () => {
    const objects = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: queues.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: queues, singular: queue, kind: Queue }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: { depth: { type: integer } }
              x-kubernetes-validations: [{ rule: self.depth % 5 == 0, message: depth comes in fives }]
`;
    const requests =
      '- create: { apiVersion: example.com/v1, kind: Queue, metadata: { name: a }, spec: { depth: 7 } }\n';
    const page = await openTexts({ objects, requests });
    await page.locator('.answer.is-refused').waitFor(soon);
    await expect.poll(() => page.locator('.printed').innerText()).toContain('depth comes in fives');
  });

  test('two releases are compared side by side', async () => {
    const page = await open('example=releases');
    await page.getByText('admitted in 1.35, refused in 1.37', { exact: true }).waitFor(soon);
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByRole('columnheader', { name: 'this run, Kubernetes v1.37.2' }).waitFor(soon);
    await page.getByLabel('Compare with', { exact: true }).selectOption('1.36');
    await page.locator('.answer-same').waitFor(soon);
    expect(await page.locator('.answer-difference').count()).toBe(0);
  });

  test('a shared link shows the same page in a new profile', async () => {
    const page = await openTexts({ objects: policy('object.spec.replicas <= 5'), requests: createDeployment });
    await page.locator('.answer.is-refused').waitFor(soon);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor(soon);
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    const other = await openUrl(link);
    await other.locator('.answer.is-refused').waitFor(soon);
    await expect.poll(() => contentOf(other), soon).toBe(await contentOf(page));
    await expect
      .poll(() => other.locator('.answers').innerText(), soon)
      .toBe(await page.locator('.answers').innerText());
  });

  test('the next visit starts with the texts of the last one', async () => {
    const page = await openTexts({ objects: '# mine\n', requests: createPod });
    await page.locator('.answer.is-admitted').waitFor(soon);
    await expect.poll(() => page.evaluate("localStorage.getItem('kadmit-playground')"), soon).toContain('# mine');
    await page.goto('about:blank');
    await page.goto(server.url);
    await expect.poll(() => contentOf(page), soon).toContain('# mine');
  });

  test('functions of a shared link do not run before a click', async () => {
    const webhooks = `- name: pods.example.com
  type: validating
  rules: CREATE pods
  does:
    script: |
      export default () => ({ allowed: false, status: { message: 'said by a function' } });
`;
    const page = await openTexts({ webhooks, requests: createPod });
    await expect.poll(() => page.locator('.printed').innerText(), soon).toContain('after a click');
    await page.locator('.consent').getByRole('button', { name: 'Run them' }).click();
    await expect.poll(() => page.locator('.printed').innerText(), soon).toContain('said by a function');
    await expect.poll(() => page.locator('.consent').count()).toBe(0);
    await page.reload();
    await expect.poll(() => page.locator('.printed').innerText(), soon).toContain('said by a function');
  });

  test('a damaged link says so', async () => {
    const page = await open('s=broken');
    await expect.poll(() => page.locator('.notice').innerText(), soon).toMatch(/^this link is cut off or damaged/);
  });

  test('“Copy as scenario” gives a file that kadmit test passes', async () => {
    const webhooks =
      '- name: pods.example.com\n  type: validating\n  rules: CREATE pods\n  does: { deny: "no \\"Pods\\": today" }\n';
    const requests = `# the first\n${createPod}- { delete: pod/web }\n${createDeployment}`;
    const page = await openTexts({ objects: policy('object.spec.replicas <= 50'), webhooks, requests });
    await page.locator('.answer').nth(2).waitFor(soon);
    await page.getByRole('button', { name: 'Copy as scenario' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor(soon);
    const scenario = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(scenario).toMatch(
      /expect: \{ code: 400, message: .*no \\"Pods\\": today[^]*expect: \{ code: 404[^]*expect: admitted/,
    );
    const folder = mkdtempSync(join(tmpdir(), 'kadmit-playground-scenario-'));
    writeFileSync(join(folder, 'scenario.yaml'), scenario);
    const built = process.env['KADMIT_MAIN'] ?? 'dist/main.js';
    const { status, stdout } = spawnSync(process.execPath, [built, 'test', folder], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(stdout).toContain('1 scenario: 1 passed; 3 steps');
    expect(status).toBe(0);
  });

  test('an embedded playground shows an example, links to the whole page and stores nothing', async () => {
    const page = await openUrl(`${server.url}?embed#example=quota`);
    await page.locator('.answer').nth(3).waitFor(soon);
    const link = page.getByRole('link', { name: 'Open in playground' });
    await expect.poll(() => link.getAttribute('href'), soon).toMatch(/^http:[^?]*#s=/);
    expect(await page.locator('.page-header').count()).toBe(0);
    expect(await page.evaluate('localStorage.length')).toBe(0);
    const other = await openUrl((await link.getAttribute('href')) ?? '');
    await other.locator('.answer').nth(3).waitFor(soon);
    await expect.poll(() => contentOf(other), soon).toBe(await contentOf(page));
  });

  test('the page may connect to its own files alone', async () => {
    const page = await open('');
    const directive = await page.evaluate(`new Promise((resolve) => {
      addEventListener('securitypolicyviolation', ({ violatedDirective }) => resolve(violatedDirective));
      fetch('http://localhost:1/').catch(() => {});
    })`);
    expect(directive).toBe('connect-src');
    expect(consoleErrors.splice(0).join()).toContain('Content Security Policy');
  });

  test('completion offers the fields of the kind, and hover describes them', async () => {
    const page = await openTexts({ objects: 'apiVersion: v1\nkind: Pod\nspec:\n  ', requests: createPod });
    await page.locator('.answer').waitFor(soon);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('hostNet');
    // Enter right after the list has opened is a new line.
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'hostNetwork' }).click(soon);
    await expect.poll(() => contentOf(page)).toContain('  hostNetwork: ');
    await page.getByText('hostNetwork', { exact: true }).hover();
    await page.locator('.hover-card', { hasText: 'bool' }).waitFor(soon);
  });

  test('the tabs of the editor work with the keyboard', async () => {
    const page = await openTexts({ objects: 'kind: A\n', requests: createPod });
    await expect.poll(() => contentOf(page), soon).toContain('kind: A');
    await page.getByRole('tab', { name: 'Objects' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => selectedTab(page)).toBe('Stub webhooks');
    await page.keyboard.press('End');
    await expect.poll(() => selectedTab(page)).toBe('Requests');
    await expect.poll(() => contentOf(page)).toContain('kind: Pod');
  });

  test.each([
    ['one long line', '['.repeat(3 * 1024 * 1024 - 1000)],
    ['many documents', 'a: 1\n---\n'.repeat(340_000)],
  ])('the page responds while it has 3 MiB of hostile text: %s', async (_, objects) => {
    const page = await open('');
    await page.locator('.answer').first().waitFor(soon);
    const stored = JSON.stringify({ release: '1.37', compareWith: '', objects, webhooks: '', requests: createPod });
    await page.evaluate(`localStorage.setItem('kadmit-playground', ${JSON.stringify(`+${stored}`)})`);
    await page.goto('about:blank');
    await page.goto(server.url);
    await page.locator('.cm-line').first().waitFor(soon);
    await page.getByRole('tab', { name: 'Requests' }).click();
    await page.locator('.cm-line', { hasText: 'kind: Pod' }).waitFor(soon);
    await page.getByRole('button', { name: 'Open in kadmit' }).click();
    await page.getByRole('heading', { name: 'Open in kadmit' }).waitFor(soon);
    await expect.poll(() => selectedTab(page)).toBe('Requests');
  });
});

const texts: PlaygroundTexts = { release: '1.37', compareWith: '', objects: '', webhooks: '', requests: '' };

const openTexts = async (parts: Partial<PlaygroundTexts>): Promise<Page> =>
  open(await toFragment({ ...texts, ...parts }));

const open = (fragment: string): Promise<Page> => openUrl(`${server.url}${fragment === '' ? '' : `#${fragment}`}`);

/** In a new profile. */
async function openUrl(url: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  opened.push(page);
  page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()));
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  await page.goto(url);
  return page;
}

const selectedTab = (page: Page): Promise<string> =>
  page.locator('.tab-strip [role=tab][aria-selected=true]').innerText();

const contentOf = (page: Page): Promise<string> => page.locator('.cm-content').innerText();

interface PlaygroundServer {
  /** With a slash at the end. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** Builds the playground and serves its files, as any web server does. */
async function startPlaygroundServer(): Promise<PlaygroundServer> {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-playground-'));
  execFileSync(process.execPath, ['test/tools/build-playground.mjs', folder], { stdio: 'ignore' });
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const file = join(folder, pathname === '/' ? 'index.html' : pathname);
    if (!existsSync(file)) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port }: Pick<AddressInfo, 'port'> = Object.assign({ port: 0 }, server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
