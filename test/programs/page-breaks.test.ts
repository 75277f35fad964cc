import type { Browser, Page } from 'playwright-core';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { startWebhook } from '../harness/kadmit-process.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const name = 'seen.example.com';
const found = findChromium();

test.runIf(found === undefined)('NOT RUN, there is no Chromium: breaks on the page', () => {
  expect(found).toBeUndefined();
});

// In the order of a visit: a break is switched on, a request is held, looked at, let go on; the next one is edited.
describe.runIf(found !== undefined)('breaks on the page', () => {
  const directory = temporaryFolder();
  let server: Kadmit;
  let webhook: Awaited<ReturnType<typeof startWebhook>>;
  let browser: Browser;
  let page: Page;
  let agent: Agent;

  beforeAll(async () => {
    webhook = await startWebhook(directory);
    server = await startKadmit({ uiPort: 0 });
    agent = new Agent({ connect: { ca: server.caPem } });
    await post('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
      metadata: { name: 'seen' },
      webhooks: [
        {
          name,
          clientConfig: { url: `${webhook.webhook.url}/annotate`, caBundle: webhook.webhook.caBundle },
          rules: [
            { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'secrets'] },
          ],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    browser = await openChromium(found ?? '');
    page = await browser.newPage();
    await page.goto(server.uiUrl);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    await agent.close();
    await webhook.process.stop();
  });

  async function post(path: string, body: object): Promise<{ readonly code: number; readonly body: unknown }> {
    const answer = await request(server.url + path, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { code: answer.statusCode, body: await answer.body.json() };
  }

  const create = (named: string): ReturnType<typeof post> =>
    post('/api/v1/namespaces/default/configmaps', { metadata: { name: named } });

  const panel = (): ReturnType<Page['locator']> => page.locator('details.held');
  const card = (): ReturnType<Page['locator']> => page.locator('.held-card');

  async function switchOn(moment: string): Promise<void> {
    await post('/kadmit/v1/breaks', { off: `${name}:both` });
    if (!(await panel().evaluate((element) => element.hasAttribute('open')))) {
      await panel().locator('summary').first().click();
    }
    await panel().getByLabel('When').selectOption(moment);
    await panel().getByLabel('Webhook', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Hold', exact: true }).click();
    await page.getByRole('button', { name: `${moment} ${name}` }).waitFor();
  }

  test('a request is held before its webhook and resumes', async () => {
    await switchOn('before');
    await panel().locator('summary').first().click();
    const answer = create('a');
    const row = page.locator('.request-row.is-held');
    await expect
      .poll(() => row.innerText())
      .toMatch(/^held\s+create configmaps\s+default\s*\/a\s+before the call of \S+\s+\S+/);
    // The panel stays closed until the row is clicked.
    expect(await card().isVisible()).toBe(false);
    await row.click();
    await card().waitFor();
    await expect.poll(() => panel().locator('summary').first().textContent()).toContain('1 request is held');
    await expect
      .poll(() => card().textContent())
      .toContain(`create configmaps default/a is held before ${name} of seen`);
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await answer).toMatchObject({
      code: 201,
      body: { metadata: { annotations: { 'example.com/seen': 'yes' } } },
    });
    await card().waitFor({ state: 'detached' });
  });

  test('the answer of a webhook is edited', async () => {
    await switchOn('after');
    const answer = create('b');
    const text = page.getByLabel('Answer, to be edited');
    const shown = await text.inputValue();
    expect(JSON.parse(shown)).toMatchObject({ allowed: true, patch: [{ op: 'add', path: '/metadata/annotations' }] });
    await text.fill(shown.replace('"yes"', '"edited"'));
    await page.getByRole('button', { name: 'Send this answer' }).click();
    expect(await answer).toMatchObject({
      code: 201,
      body: { metadata: { annotations: { 'example.com/seen': 'edited' } } },
    });
    const { body } = await request(`${server.url}/kadmit/v1/traces/last`, {
      dispatcher: agent,
      headers: { authorization: `Bearer ${server.token}` },
    });
    expect(await body.text()).toContain('"by":"the page"');
  });

  test('an invalid response is reported, and the request stays held', async () => {
    await switchOn('before');
    const answer = create('c');
    await page.getByLabel('Answer in place of the webhook').fill('{"allowed": "yes"}');
    await page.getByRole('button', { name: 'Send this answer' }).click();
    await page.getByText('response is no AdmissionReview: ').waitFor();
    await page.getByLabel('Answer in place of the webhook').fill('{"allowed": false}');
    await page.getByRole('button', { name: 'Send this answer' }).click();
    expect((await answer).code).toBe(400);
  });

  test('the values of a held Secret are masked', async () => {
    await switchOn('before');
    const secret = { metadata: { name: 's' }, stringData: { password: 'hunter2-hunter2' } };
    const answer = post('/api/v1/namespaces/default/secrets', secret);
    const held = card().filter({ hasText: 'create secrets default/s is held' });
    await held.getByText('Review', { exact: true }).click();
    // The review is drawn after the click.
    await held.getByText('‹masked').first().waitFor();
    const shown = await held.textContent();
    expect(shown).not.toContain(Buffer.from('hunter2-hunter2').toString('base64'));
    await held.getByRole('button', { name: 'Continue' }).click();
    expect((await answer).code).toBe(201);
  });
});
