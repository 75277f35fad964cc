import { readdirSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { conversationsOf, readConversation } from '../harness/conversation.ts';
import { runsInProcess } from '../harness/facts-in-process.ts';
import { withoutIgnoredFields } from '../harness/run-conversation.ts';
import { serveModules, type ServedModules } from '../harness/serve-modules.ts';

const chromium = findChromium();

test.runIf(chromium === undefined)('NOT RUN, there is no Chromium: recorded facts in a browser', () => {
  expect(chromium).toBeUndefined();
});

const caBundle = Buffer.from(rootCertificates[0] ?? '').toString('base64');

// Those that agree in Node: test/apiserver/request/recorded-conversations.test.ts requires it of the same ones.
const played = readdirSync('test/facts/conversations').flatMap((name) => conversationsOf(name).filter(runsInProcess));

describe.skipIf(chromium === undefined)('recorded facts in Chromium', () => {
  let modules: ServedModules;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    modules = await serveModules({ facts: 'test/harness/facts-worker.ts' });
    browser = await openChromium(chromium ?? '');
    page = await browser.newPage();
    await page.goto(modules.url);
  });
  afterAll(async () => {
    await browser?.close();
    await modules?.close();
  });

  test('all conversations that agree in Node without sockets agree in the browser', async () => {
    expect(played.length).toBeGreaterThan(650);
    const texts = played.map(({ text }) => text);
    const answers = await page.evaluate(playAll, { texts, caBundle });
    const differing = played.flatMap(({ name, text }, index) => {
      const { transcript } = readConversation(text, new Map());
      const recorded = transcript.map(({ status, warnings, body }) => ({ status, warnings, body }));
      const seen = answers[index];
      const wanted = recorded.map(withoutIgnoredFields);
      const isEqual = Array.isArray(seen) && JSON.stringify(seen.map(withoutIgnoredFields)) === JSON.stringify(wanted);
      return isEqual ? [] : [{ name, seen, wanted }];
    });
    expect(differing).toEqual([]);
  }, 120_000);
});

/** As pages have it; Node has no such class. */
declare const Worker: new (
  address: string,
  options: { readonly type: 'module' },
) => {
  onmessage: (event: { readonly data: { readonly seen: unknown } }) => void;
  onerror: (event: { readonly message: string }) => void;
  readonly postMessage: (message: unknown) => void;
  readonly terminate: () => void;
};

interface Question {
  readonly texts: readonly string[];
  readonly caBundle: string;
}

/** Runs in the page. */
async function playAll({ texts, caBundle }: Question): Promise<readonly unknown[]> {
  const worker = new Worker('/facts.js', { type: 'module' });
  const answers: unknown[] = [];
  for (const [id, text] of texts.entries()) {
    const answer = new Promise<unknown>((resolve) => {
      worker.onmessage = ({ data }) => resolve(data.seen);
      worker.onerror = ({ message }) => resolve(message);
    });
    worker.postMessage({ id, text, caBundle });
    answers.push(await answer);
  }
  worker.terminate();
  return answers;
}
