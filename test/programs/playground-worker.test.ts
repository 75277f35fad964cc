import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FromWorker, PlaygroundResult, PlaygroundTexts } from '../../src/app/playground/protocol.ts';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { serveModules, type ServedModules } from '../harness/serve-modules.ts';

const chromium = findChromium();

test.runIf(chromium === undefined)('NOT RUN, there is no Chromium: the worker of the playground', () => {
  expect(chromium).toBeUndefined();
});

/** A webhook of each script, for ConfigMaps with its name. */
const textsOf = (scripts: Readonly<Record<string, string>>): PlaygroundTexts => ({
  release: '1.37',
  compareWith: '',
  objects: '',
  webhooks: Object.entries(scripts)
    .map(
      ([name, code]) => `- name: ${name}.example.com
  type: validating
  rules: CREATE configmaps
  objectSelector: { matchLabels: { for: ${name} } }
  does:
    script: |
      ${code}
`,
    )
    .join(''),
  requests: Object.keys(scripts)
    .map(
      (name) =>
        `- create: { apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}, labels: { for: ${name} } } }\n`,
    )
    .join(''),
});

const denial = (message: string): string => `{ allowed: false, status: { message: ${message} } }`;

const webNames = `fetch XMLHttpRequest WebSocket WebTransport EventSource Request importScripts Worker SharedWorker indexedDB caches
  BroadcastChannel MessageChannel navigator location postMessage eval Function WebAssembly Blob addEventListener`;

describe.skipIf(chromium === undefined)('the worker of the playground in Chromium', () => {
  let modules: ServedModules;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    modules = await serveModules({ worker: 'src/app/playground/worker.ts' });
    browser = await openChromium(chromium ?? '');
    page = await browser.newPage();
    await page.goto(modules.url);
  });
  afterAll(async () => {
    await browser?.close();
    await modules?.close();
  });

  const printed = async (
    scripts: Readonly<Record<string, string>>,
    runFunctions = true,
  ): Promise<readonly string[]> => {
    const { answers, problems } = await page.evaluate(runOnce, { texts: textsOf(scripts), runFunctions });
    return answers.length === 0 ? problems.map(({ message }) => message) : answers.map((answer) => answer.printed);
  };

  test.each<[string, string, string]>([
    [
      'TypeScript, with the review',
      `export default ({ request }: { request: { name: string } }) => (${denial('request.name')});`,
      'Error from server: admission webhook "a.example.com" denied the request: a',
    ],
    ['no value allows', 'export const review = () => {};', 'configmap/a created'],
    [
      'an exception',
      "export default () => { throw new Error('boom'); };",
      'an error on the server ("boom") has prevented the request from succeeding',
    ],
    [
      'a call without an end',
      'export default () => { for (;;); };',
      'an error on the server ("the script took longer than 1 s") has prevented the request from succeeding',
    ],
    [
      'no network, storage or worker',
      `export default () => (${denial(`String(${JSON.stringify(webNames)}.split(/\\s+/).filter((name) => name in globalThis))`)});`,
      'denied the request without explanation',
    ],
    [
      'no constructor of functions',
      `export default () => (${denial('String([() => {}, async () => {}].map((one) => one.constructor))')});`,
      'denied the request: ,',
    ],
    [
      'no import',
      "export default () => import('data:text/javascript,');",
      'an error on the server ("a script in a page imports nothing")',
    ],
    [
      'no import at the top',
      "import 'https://example.com/a.js';",
      'a script in a page imports nothing: remove the import of',
    ],
    ['no function', 'export const a = 1;', 'it exports no function: write `export default function (review) { … }`'],
  ])('a script: %s', async (_, code, shown) => {
    expect(await printed({ a: code })).toEqual([expect.stringContaining(shown)]);
  });

  test('a script of a link does not run before a click', async () => {
    expect(await printed({ a: 'export default () => {};' }, false)).toEqual([
      expect.stringContaining('this script came with a link and runs only after a click'),
    ]);
  });
});

/** As pages have it; Node has no such class. */
declare const Worker: new (
  address: string,
  options: { readonly type: 'module' },
) => {
  onmessage: (event: { readonly data: FromWorker }) => void;
  onerror: (event: { readonly message: string }) => void;
  readonly postMessage: (message: unknown) => void;
  readonly terminate: () => void;
};

/** Runs in the page. */
async function runOnce(message: {
  readonly texts: PlaygroundTexts;
  readonly runFunctions: boolean;
}): Promise<PlaygroundResult> {
  const worker = new Worker('/worker.js', { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      worker.onerror = (event) => reject(new Error(event.message));
      worker.onmessage = ({ data }) => (data.type === 'result' ? resolve(data.result) : undefined);
      worker.postMessage({ type: 'run', run: 1, ...message });
    });
  } finally {
    worker.terminate();
  }
}
