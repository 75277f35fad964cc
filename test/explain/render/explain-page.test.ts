import { expect, test } from 'vitest';
import { valueAt } from '../../../src/machinery/json/json.ts';
import { renderExplanation } from '../../../src/explain/render/explain.ts';
import { createPage, type Paint, plain } from '../../../src/explain/render/explain-page.ts';
import type { Trace } from '../../../src/explain/trace/trace.ts';
import { traceOf } from '../../harness/trace-requests.ts';

const coloured: Paint = (style, text) => `\u001b[${style === 'bad' ? 31 : 1}m${text}\u001b[0m`;

test.each<readonly [fact: string, width: number, paint: Paint, lines: readonly string[]]>([
  ['without a width a line is as long as it is', Infinity, plain, ['  called  one two three four']],
  ['a long one goes on below, further in', 18, plain, ['  called  one two', '    three four']],
  ['a word wider than the page has a line of its own', 8, plain, ['  called  one', '    two', '    three', '    four']],
])('%s', (_fact, width, paint, lines) => {
  const page = createPage({ width, paint });
  page.item('called  one two three four');
  expect(
    page
      .text()
      .split('\n')
      .map((line) => line.trimEnd()),
  ).toEqual(lines);
});

test('colours take no room', () => {
  const page = createPage({ width: 18, paint: coloured });
  page.item(`${page.painted('bad', 'DENIED')}  one two three`);
  expect(page.text().split('\n')).toHaveLength(2);
});

const story = {
  validating: [
    { name: 'away.example.com' },
    {
      name: 'pods.example.com',
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['pods'] }],
    },
  ],
  responses: {
    'away.example.com': () =>
      ({ outcome: 'failed', phase: 'tls', error: 'tls: a long story about a handshake that went wrong' }) as const,
  },
  sent: [['POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'm' } }]] as const,
};

test('no line is wider than the terminal', async () => {
  const text = renderExplanation(await traceOf(story), { width: 60 });
  expect(text.split('\n').filter((line) => line.length > 60)).toEqual([]);
});

test('the decisions of one webhook', async () => {
  const trace = await traceOf(story);
  const text = renderExplanation(trace, { webhook: 'pods' });
  expect(text).toContain(
    'pods.example.com (checks) was not called: rules[0] matches but for the resource: requires pods',
  );
  expect(text).not.toContain('away.example.com (checks)');
  expect(renderExplanation(trace, { webhook: 'nosuch' })).toContain(
    'no webhook with "nosuch" in its name was considered',
  );
});

test('the first and the last object of a deletecollection', async () => {
  const configMaps = '/api/v1/namespaces/default/configmaps';
  const until = (last: number): Promise<Trace> =>
    traceOf({
      validating: [{ name: 'w.example.com' }],
      responses: {
        'w.example.com': ({ oldObject }) => ({ allowed: valueAt(oldObject, 'metadata', 'name') !== `m${last}` }),
      },
      before: [0, 1, 2, 3, 4, 5].map((at) => ['POST', configMaps, { metadata: { name: `m${at}` } }] as const),
      sent: [['DELETE', configMaps]],
    });
  const detailed = { webhook: 'w.example.com' };
  expect(renderExplanation(await until(2), detailed)).toContain('and 1 more object between these; --all shows them');
  const trace = await until(4);
  expect(renderExplanation(trace)).toMatch(/^ {2}w\.example\.com \(checks\) +denied +0\.0 {2}m4$/m);
  const text = renderExplanation(trace, detailed);
  expect(text).toMatch(
    /^REFUSED .*\ndenied by w\.example\.com\n {2}validating webhook w\.example\.com \(checks, all namespaces\) denied/,
  );
  expect(text.match(/^Validating.*/gm)).toEqual(['Validating, of m0', 'Validating, of m4']);
  expect(text).toContain('and 3 more objects between these; --all shows them');
});

test('requests with an object have no hint on subresources', async () => {
  const deployment = {
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const rules = [{ operations: ['*'], apiGroups: ['apps'], apiVersions: ['*'], resources: ['deployments/*'] }];
  const trace = await traceOf({
    mutating: [
      { name: 'a.example.com', rules },
      { name: 'b.example.com', rules, objectSelector: { matchLabels: { x: 'y' } } },
    ],
    before: [['POST', deployments, deployment]],
    sent: [['PATCH', `${deployments}/web/status`, { status: { observedGeneration: 1 } }]],
  });
  expect(renderExplanation(trace)).toContain(
    'b.example.com (checks) was not called: objectSelector requires x=y; the Deployment web',
  );
  expect(renderExplanation(trace)).not.toContain('hint:');
});

test('many webhooks that do not match are counted, and listed on demand', async () => {
  const webhooks = Array.from({ length: 9 }, (_none, at) => ({
    name: `w${at}.example.com`,
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['pods'] }],
  }));
  const trace = await traceOf({ validating: webhooks, sent: story.sent });
  expect(renderExplanation(trace)).toContain(
    '\nno webhook was called: none of the 9 webhooks matches create of configmaps',
  );
  expect(renderExplanation(trace, { all: true })).toContain('  skipped  w8.example.com (checks)');
});
