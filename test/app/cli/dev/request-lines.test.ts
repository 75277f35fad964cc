import { expect, test } from 'vitest';
import { requestLines } from '../../../../src/app/cli/dev/request-lines.ts';
import { digestOf } from '../../../../src/explain/render/digest.ts';
import { plain } from '../../../../src/explain/render/explain-page.ts';
import type { Trace } from '../../../../src/explain/trace/trace.ts';
import { someTrace, someWebhook } from '../../../ui/some-trace.ts';

const { request } = someTrace();
const status = { message: 'admission webhook "a.example.com" denied the request: no' };
const controller = { username: 'system:serviceaccount:kube-system:replicaset-controller' };
const denied = someTrace({
  verdict: 'refused',
  response: { code: 403, status, warnings: [] },
  admission: [someWebhook({ outcome: 'denied', status })],
});
const failedOpen = someWebhook({
  phase: 'validating',
  outcome: 'failed-open',
  error: 'dial tcp 127.0.0.1:1: connect: connection refused',
  failurePhase: 'connect',
  failureCause: { because: 'connection-refused', address: '127.0.0.1:1' },
  definition: { clientConfig: { service: { namespace: 'shop', name: 'hooks' } }, failurePolicy: 'Ignore' },
});
const selector = { because: 'objectSelector', wants: 'a=b', looked: [], rulesMatch: true } as const;
const skipped = someWebhook({ outcome: 'skipped', reason: selector });

test.each<readonly [fact: string, trace: Trace, lines: readonly string[]]>([
  ['without a webhook: nothing', someTrace(), []],
  [
    'how many webhooks were called',
    someTrace({ admission: [someWebhook(), someWebhook({ name: 'b.example.com', index: 1, milliseconds: 7 })] }),
    [
      'alice create pods shop/web admitted 201 in 100.0 ms: 2 of 2 webhooks called, none changed the object, nothing suspicious',
    ],
  ],
  [
    'a denial, with its message',
    denied,
    [
      'alice create pods shop/web refused 403 in 100.0 ms: denied by a.example.com',
      `client received: ${status.message}`,
    ],
  ],
  [
    'a finding, with its remedy',
    someTrace({ admission: [failedOpen] }),
    [
      'alice create pods shop/web admitted 201 in 100.0 ms: stored without the check of a.example.com (checks): it failed and failurePolicy is Ignore',
      'hint: nothing listens at 127.0.0.1:1: start the webhook, or correct its address: kadmit map shop/hooks=URL (in a scenario, to: URL)',
    ],
  ],
  [
    'a webhook for updates that an update does not match',
    someTrace({ admission: [skipped], response: { code: 200, status: null, warnings: [] } }),
    [],
  ],
  [
    'an allowed write of a controller',
    someTrace({ request: { ...request, user: controller }, admission: [someWebhook()] }),
    [],
  ],
  [
    'a denied write of a controller',
    { ...denied, request: { ...request, user: controller } },
    [
      'kube-system/replicaset-controller create pods shop/web refused 403 in 100.0 ms: denied by a.example.com',
      `client received: ${status.message}`,
    ],
  ],
])('%s', (_fact, trace, lines) => {
  const printed = requestLines(trace, plain)
    .split('\n')
    .filter((line) => line !== '');
  expect(printed.map((line) => line.trim().replace(/^\d\d:\d\d:\d\d /, ''))).toEqual(lines);
});

const scale = { ...request, verb: 'patch', group: 'apps', resource: 'deployments', subresource: 'scale' } as const;
const part = { part: 'resource', wants: ['deployments'], has: 'deployments/scale' } as const;
const nearRule = someWebhook({
  outcome: 'skipped',
  reason: { because: 'no-rule-matched', nearest: { rule: 0, parts: [part] } },
});
const scheduler = { username: 'system:kube-scheduler' };

// Of updates, those of a subresource that a client made.
test.each<readonly [fact: string, request: Partial<Trace['request']>, isPrinted: boolean]>([
  ['a client scales', {}, true],
  ['a client writes a status', { subresource: 'status' }, false],
  ['a controller scales', { user: controller }, false],
  ['a scheduler binds', { subresource: 'binding', user: scheduler }, false],
  ['a client writes the object', { subresource: '' }, false],
])('a near miss when %s', (_fact, change, isPrinted) => {
  const response = { code: 200, status: null, warnings: [] };
  const trace = someTrace({ request: { ...scale, ...change }, admission: [nearRule], response });
  const words = requestLines(trace, plain);
  expect(words.includes('deployments.apps/scale')).toBe(isPrinted);
  expect(words.includes('was not called: ')).toBe(isPrinted);
  expect(digestOf(trace).isNearMiss === true).toBe(isPrinted);
});

test('a created object that a webhook nearly matched', () => {
  const [line, cause] = requestLines(someTrace({ admission: [skipped] }), plain).split('\n');
  expect(line).toMatch(/ admitted 201 in 100\.0 ms: 0 of 1 webhook called, 1 nearly matched$/);
  expect(cause).toMatch(/^ {9}mutating webhook a\.example\.com \(checks\) was not called: objectSelector/);
});
