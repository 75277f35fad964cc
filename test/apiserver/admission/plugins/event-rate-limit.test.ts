import { expect, test } from 'vitest';
import { createEventRateLimit, type EventLimit } from '../../../../src/apiserver/admission/plugins/event-rate-limit.ts';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { clusterOf, creating, object, portsOf } from '../../../harness/builtin-plugin.ts';

const limitOf = (fields: Partial<EventLimit>): EventLimit => ({
  type: 'Server',
  qps: 1,
  burst: 1,
  cacheSize: 10,
  ...fields,
});
const event = (fields: Partial<AdmissionAttributes> = {}, body: JsonObject = {}): AdmissionAttributes =>
  creating(object('v1', 'Event', 'e', body), 'events', fields);
const by = (username: string): AdmissionAttributes => event({ userInfo: { username, uid: '', groups: [], extra: {} } });

/** What is said to each request at its time: `` for nothing. */
function saidTo(
  limits: readonly EventLimit[],
  requests: readonly (readonly [at: number, request: AdmissionAttributes])[],
): readonly string[] {
  const { validate } = createEventRateLimit(limits);
  const said: string[] = [];
  for (const [at, request] of requests) {
    const answer = validate?.(request, { ...portsOf(clusterOf({})), now: () => at });
    const refusal = answer?.ok ? answer.value.refusal : undefined;
    said.push(refusal?.message?.replace('Too many requests: ', '') ?? '');
  }
  return said;
}

const reached = (type: EventLimit['type'], key: string): string => `limit reached on type ${type} for key ${key}`;
const server = reached('Server', '');

// Source: kubernetes plugin/pkg/admission/eventratelimit/admission_test.go, limitenforcer.go, cache.go
test.each<[fact: string, limit: Partial<EventLimit>, at: readonly number[], said: readonly string[]]>([
  ['as many at once as the burst', { burst: 3 }, [0, 0, 0, 0], ['', '', '', server]],
  ['one more for each second', { burst: 2 }, [0, 0, 999, 1000, 1000], ['', '', server, '', server]],
  ['as many more a second as is said', { qps: 4 }, [0, 249, 250, 499, 500], ['', server, '', server, '']],
  [
    'no more than the burst however long it was',
    { burst: 2 },
    [0, 0, 60_000, 60_000, 60_000],
    ['', '', '', '', server],
  ],
  ['what was refused takes nothing', {}, [0, 500, 600, 1000], ['', server, server, '']],
  ['a clock that goes back fills nothing', {}, [5000, 0, 4000, 5000], ['', server, '', '']],
])('%s', (_fact, limit, at, said) => {
  const requests = at.map((time) => [time, event()] as const);
  expect(saidTo([limitOf(limit)], requests)).toEqual(said);
});

test.each<[type: EventLimit['type'], requests: readonly AdmissionAttributes[], said: readonly string[]]>([
  ['Server', [event(), event({ namespace: 'other' }), by('eve')], ['', server, server]],
  ['Namespace', [event(), event({ namespace: 'other' }), by('eve')], ['', '', reached('Namespace', 'ns')]],
  ['User', [by('eve'), by('ada'), event({ namespace: 'other' }), by('eve')], ['', '', '', reached('User', 'eve')]],
  [
    'SourceAndObject',
    [
      event({}, { source: { component: 'c', host: 'h' }, involvedObject: { kind: 'Pod', name: 'p', uid: 'u' } }),
      event({}, { source: { component: 'c' }, involvedObject: { kind: 'Pod', name: 'p', uid: 'u' } }),
      event({}, { source: { component: 'c', host: 'h' }, involvedObject: { kind: 'Pod', name: 'p', uid: 'u' } }),
    ],
    ['', '', reached('SourceAndObject', 'chPodpu')],
  ],
])('a limit of %s', (type, requests, said) => {
  expect(
    saidTo(
      [limitOf({ type })],
      requests.map((request) => [0, request]),
    ),
  ).toEqual(said);
});

test('as many keys are remembered as is said, the one that was not seen for longest goes', () => {
  const requests = ['a', 'b', 'a', 'b', 'c', 'b', 'a'].map((name) => [0, by(name)] as const);
  const [a, b] = [reached('User', 'a'), reached('User', 'b')];
  expect(saidTo([limitOf({ type: 'User', cacheSize: 2 })], requests)).toEqual(['', '', a, b, '', b, '']);
});

test('what is no event of the core group, and what is only tried, is let in and does not count', () => {
  const other = { kind: { group: 'events.k8s.io', version: 'v1', kind: 'Event' } };
  const pod = { kind: { group: '', version: 'v1', kind: 'Pod' } };
  const requests = [event(other), event(pod), event({ dryRun: true }), event(), event(other), event(pod)];
  expect(
    saidTo(
      [limitOf({})],
      requests.map((request) => [0, request] as const),
    ),
  ).toEqual(requests.map(() => ''));
});

// Source: apimachinery pkg/util/errors/errors.go: equal errors are printed once.
test('when several limits are reached all are printed, and the first is the source', () => {
  const limits = [limitOf({ type: 'User', burst: 9 }), limitOf({}), limitOf({ type: 'Namespace', qps: 2 })];
  const requests = [
    [0, event()],
    [0, event()],
  ] as const;
  expect(saidTo(limits, requests)).toEqual(['', `[${server}, ${reached('Namespace', 'ns')}]`]);
  expect(saidTo([limitOf({}), limitOf({ qps: 2 })], requests)).toEqual(['', server]);
  const { validate } = createEventRateLimit(limits);
  const ports = { ...portsOf(clusterOf({})), now: () => 0 };
  validate?.(event(), ports);
  const answer = validate?.(event(), ports);
  expect(answer?.ok ? answer.value : undefined).toMatchObject({
    refusal: { code: 429, reason: 'TooManyRequests' },
    refusedBy: { field: 'limits[1] of EventRateLimit', allowed: '1 a second and 1 at once for each server' },
  });
  expect(answer?.ok && answer.value.refusal).not.toHaveProperty('details');
});
