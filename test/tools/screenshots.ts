import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { parseAllDocuments } from 'yaml';
import { startKadmit } from '../../src/library.ts';
import { findChromium, openChromium } from '../harness/chromium.ts';

// `npm run screenshots` writes the pictures of the page that the README shows: docs/images/page-light.png and
// page-dark.png, the list of requests beside the explanation of one.

const folder = 'docs/images';
const size = { width: 1440, height: 600 };
const maxBytes = 250_000;

interface Answer {
  readonly webhook: string;
  readonly script: string;
  /** What a process elsewhere would take. */
  readonly milliseconds: number;
}

const answers: readonly Answer[] = [
  { webhook: 'linkerd-proxy-injector.linkerd.io', script: 'vendors/linkerd/inject.js', milliseconds: 19 },
  { webhook: 'tap-injector.linkerd.io', script: 'vendors/linkerd/tap.js', milliseconds: 8 },
  { webhook: 'mutate.kyverno.svc-fail', script: 'vendors/kyverno/mutate.js', milliseconds: 11 },
  { webhook: 'validate.kyverno.svc-fail', script: 'vendors/kyverno/validate.js', milliseconds: 14 },
  { webhook: 'no-privileged.example.com', script: 'first-scenario/no-privileged.js', milliseconds: 5 },
];

type Server = Awaited<ReturnType<typeof startKadmit>>;
type Script = Parameters<Server['answer']>[1];
type Loadable = Parameters<Server['load']>[number];

/** A server with published configurations of Linkerd and Kyverno, and one of its own. */
async function startShop(): Promise<Server> {
  const kadmit = await startKadmit({ uiPort: 0 });
  const namespace = (name: string, labels: object) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels },
  });
  await kadmit.client.create(namespace('shop', { privileged: 'allowed' }));
  await kadmit.client.create(namespace('reports', {}));
  await kadmit.settle();
  const own = parseAllDocuments(readFileSync('scenarios/getting-started/configurations.yaml', 'utf8')).at(-1);
  await kadmit.load(
    'scenarios/vendors/linkerd/configurations.yaml',
    'scenarios/vendors/kyverno/configurations.yaml',
    own?.toJS() as Loadable,
  );
  for (const { webhook, script, milliseconds } of answers) {
    const module = (await import(join(process.cwd(), 'scenarios', script))) as { default: Script };
    kadmit.answer(webhook, async (review) => {
      await sleep(milliseconds);
      return module.default(review);
    });
  }
  return kadmit;
}

const spec = (image: string) => ({ containers: [{ name: 'web', image }] });
const labels = { app: 'checkout' };
const annotations = { 'linkerd.io/inject': 'enabled' };

const pod = (namespace: string, name: string, image: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, labels, annotations },
  spec: spec(image),
});

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'checkout', namespace: 'shop', labels },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels, annotations }, spec: spec('registry.example.com/checkout:1.4.2') },
  },
};

async function write({ client, settle }: Server): Promise<void> {
  const alice = client.as({ username: 'alice', groups: ['system:masters'] });
  const bob = client.as({ username: 'bob', groups: ['system:masters'] });
  await alice.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'prices', namespace: 'shop' },
    data: { currency: 'EUR' },
  });
  await alice.create(deployment);
  await settle();
  await bob.create(pod('shop', 'debug', 'busybox:latest')).catch(() => undefined);
  await bob.create(pod('reports', 'weekly', 'registry.example.com/reports:3'));
  await alice.patch('deployments', { name: 'checkout', namespace: 'shop' }, { spec: { replicas: 2 } });
  await settle();
  await alice.create(pod('shop', 'canary', 'registry.example.com/checkout:1.5.0-rc1'));
}

async function photograph(browser: Browser, url: string, colorScheme: 'light' | 'dark'): Promise<void> {
  const context = await browser.newContext({ viewport: size, colorScheme });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('.request-rows .request-row', { hasText: 'canary' }).first().click();
  await page.locator('.verdict').waitFor();
  const path = `${folder}/page-${colorScheme}.png`;
  await page.screenshot({ path });
  await context.close();
  const bytes = statSync(path).size;
  if (bytes > maxBytes) throw new Error(`${path} has ${bytes} bytes; at most ${maxBytes} are wanted`);
  console.log(`${path}: ${Math.round(bytes / 1000)} kB`);
}

const chromium = findChromium();
if (chromium === undefined) throw new Error('no Chromium found; set CHROMIUM to its path');
mkdirSync(folder, { recursive: true });
const shop = await startShop();
const browser = await openChromium(chromium, ['--disable-lcd-text']);
try {
  await write(shop);
  await photograph(browser, shop.uiUrl, 'light');
  await photograph(browser, shop.uiUrl, 'dark');
} finally {
  await browser.close();
  await shop.close();
}
