import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMetrics } from '../../../src/adapters/telemetry/metrics.ts';
import { createTestWorld, type TestWorldOptions } from '../../harness/world.ts';
import { mutatingConfiguration, validatingConfiguration } from '../../harness/configurations.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const registrations = '/apis/admissionregistration.k8s.io/v1';

interface Story extends TestWorldOptions {
  readonly mutating?: readonly object[];
  readonly validating?: readonly object[];
}

/** The lines that one create of a ConfigMap adds to the page, without HELP, TYPE and times. */
async function linesOf({ mutating, validating, ...options }: Story, query = ''): Promise<readonly string[]> {
  const world = await createTestWorld(options);
  if (mutating)
    await world.send('POST', `${registrations}/mutatingwebhookconfigurations`, mutatingConfiguration(mutating));
  if (validating) {
    await world.send('POST', `${registrations}/validatingwebhookconfigurations`, validatingConfiguration(validating));
  }
  const metrics = createMetrics(world.clock.now);
  await world.send('POST', `${configMaps}${query}`, { metadata: { name: 'a', labels: { a: 'b' } } });
  world.finished.slice(-1).forEach(metrics.record);
  const body = await metrics.registry.metrics();
  return body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

const about = (lines: readonly string[], name: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`apiserver_admission_${name}`) && !/_bucket|_sum[{ ]/.test(line));

const refuse = { a: () => ({ allowed: false, status: { code: 422, message: 'no' } }) };
const breaks = (phase: 'connect' | 'canceled') => ({
  a: () => ({ outcome: 'failed', phase, error: 'dial tcp 127.0.0.1:1: connect: connection refused' }) as const,
});
const answers = (code: number) => ({
  a: () => ({ outcome: 'answered', code, contentType: 'text/plain', body: new Uint8Array() }) as const,
});
const patchedWith = (patch: readonly object[]) => ({ a: () => ({ patch: [...patch] as never }) });

// Source: apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go; rules FAIL-2, FAIL-12, MET-2 to MET-4.
const calls: Readonly<Record<string, readonly [story: Story, query: string, lines: readonly string[]]>> = {
  'a mutating webhook that allows': [
    { mutating: [{ name: 'a.b.c' }] },
    '',
    [
      'webhook_admission_duration_seconds_count{name="a.b.c",operation="CREATE",rejected="false",type="admit"} 1',
      'webhook_request_total{code="200",name="a.b.c",operation="CREATE",rejected="false",type="admit"} 1',
    ],
  ],
  'a validating webhook that denies': [
    { validating: [{ name: 'a.b.c' }], responses: { 'a.b.c': refuse.a } },
    '',
    [
      'webhook_admission_duration_seconds_count{name="a.b.c",operation="CREATE",rejected="true",type="validating"} 1',
      'webhook_rejection_count{error_type="no_error",name="a.b.c",operation="CREATE",rejection_code="422",type="validating"} 1',
      'webhook_request_total{code="422",name="a.b.c",operation="CREATE",rejected="true",type="validating"} 1',
    ],
  ],
  'one that cannot be reached, closed': [
    { validating: [{ name: 'a.b.c' }], responses: { 'a.b.c': breaks('connect').a } },
    '',
    [
      'webhook_admission_duration_seconds_count{name="a.b.c",operation="CREATE",rejected="true",type="validating"} 1',
      'webhook_rejection_count{error_type="calling_webhook_error",name="a.b.c",operation="CREATE",rejection_code="503",type="validating"} 1',
      'webhook_request_total{code="503",name="a.b.c",operation="CREATE",rejected="true",type="validating"} 1',
    ],
  ],
  'one that cannot be reached, open': [
    { mutating: [{ name: 'a.b.c', failurePolicy: 'Ignore' }], responses: { 'a.b.c': breaks('connect').a } },
    '',
    [
      'webhook_admission_duration_seconds_count{name="a.b.c",operation="CREATE",rejected="false",type="admit"} 1',
      'webhook_fail_open_count{name="a.b.c",type="admit"} 1',
      'webhook_request_total{code="503",name="a.b.c",operation="CREATE",rejected="false",type="admit"} 1',
    ],
  ],
  'a client that left': [
    { validating: [{ name: 'a.b.c', failurePolicy: 'Ignore' }], responses: { 'a.b.c': breaks('canceled').a } },
    '',
    [
      'webhook_admission_duration_seconds_count{name="a.b.c",operation="CREATE",rejected="false",type="validating"} 1',
      'webhook_request_total{code="503",name="a.b.c",operation="CREATE",rejected="false",type="validating"} 1',
    ],
  ],
  'an answer that is no review': [
    { validating: [{ name: 'a.b.c' }], responses: { 'a.b.c': answers(404).a } },
    '',
    [
      'webhook_admission_duration_seconds_count{name="a.b.c",operation="CREATE",rejected="true",type="validating"} 1',
      'webhook_rejection_count{error_type="calling_webhook_error",name="a.b.c",operation="CREATE",rejection_code="404",type="validating"} 1',
      'webhook_request_total{code="404",name="a.b.c",operation="CREATE",rejected="true",type="validating"} 1',
    ],
  ],
  'a patch that does not apply': [
    {
      mutating: [{ name: 'a.b.c', failurePolicy: 'Ignore' }],
      responses: { 'a.b.c': patchedWith([{ op: 'remove', path: '/nowhere' }]).a },
    },
    '',
    [
      'webhook_admission_duration_seconds_count{name="a.b.c",operation="CREATE",rejected="true",type="admit"} 1',
      'webhook_rejection_count{error_type="apiserver_internal_error",name="a.b.c",operation="CREATE",rejection_code="0",type="admit"} 1',
      'webhook_request_total{code="0",name="a.b.c",operation="CREATE",rejected="true",type="admit"} 1',
    ],
  ],
};

test.each(Object.entries(calls))('%s', async (_what, [story, query, lines]) => {
  const seen = about(await linesOf(story, query), 'webhook_');
  expect(seen.toSorted()).toEqual(lines.toSorted().map((line) => `apiserver_admission_${line}`));
});

const condition = (expression: string) => ({ name: 'a.b.c', matchConditions: [{ name: 'c', expression }] });

// Source: apiserver pkg/admission/plugin/webhook/matchconditions/matcher.go and webhook/generic/webhook.go; rule MET-5.
const conditions: Readonly<Record<string, readonly [story: Story, lines: readonly string[]]>> = {
  'a condition that holds leaves no line': [{ validating: [condition('true')] }, []],
  'a false one of a validating webhook': [
    { validating: [condition('false')] },
    [
      'evaluation_seconds_count{kind="webhook",name="a.b.c",operation="CREATE",type="validating"} 1',
      'exclusions_total{kind="webhook",name="a.b.c",operation="CREATE",type="validate"} 1',
    ],
  ],
  'one that fails, ignored': [
    { mutating: [{ ...condition('object.spec.x == 1'), failurePolicy: 'Ignore' }] },
    [
      'evaluation_errors_total{kind="webhook",name="a.b.c",operation="CREATE",type="admit"} 1',
      'evaluation_seconds_count{kind="webhook",name="a.b.c",operation="CREATE",type="admit"} 1',
      'exclusions_total{kind="webhook",name="a.b.c",operation="CREATE",type="admit"} 1',
    ],
  ],
  'one that fails, not ignored': [
    { validating: [condition('object.spec.x == 1')] },
    [
      'evaluation_errors_total{kind="webhook",name="a.b.c",operation="CREATE",type="validating"} 1',
      'evaluation_seconds_count{kind="webhook",name="a.b.c",operation="CREATE",type="validating"} 1',
    ],
  ],
};

test.each(Object.entries(conditions))('%s', async (_what, [story, lines]) => {
  const seen = about(await linesOf(story), 'match_condition_');
  expect(seen.toSorted()).toEqual(lines.toSorted().map((line) => `apiserver_admission_match_condition_${line}`));
});

test('each plugin and each half of admission is one observation', async () => {
  const lines = await linesOf({ mutating: [{ name: 'a.b.c' }] });
  const steps = about(lines, 'step_').filter((line) => line.includes('_count'));
  const name = 'apiserver_admission_step_admission_duration_seconds';
  expect(steps).toEqual([
    `${name}_count{operation="CREATE",rejected="false",type="admit"} 1`,
    `${name}_count{operation="CREATE",rejected="false",type="validate"} 1`,
    `${name}_summary_count{operation="CREATE",rejected="false",type="admit"} 1`,
    `${name}_summary_count{operation="CREATE",rejected="false",type="validate"} 1`,
  ]);
  const plugins = about(lines, 'controller_admission_duration_seconds_count');
  expect(plugins.filter((line) => line.includes('NamespaceLifecycle'))).toHaveLength(1);
  expect(plugins.filter((line) => line.includes('MutatingAdmissionWebhook'))).toEqual([
    'apiserver_admission_controller_admission_duration_seconds_count{name="MutatingAdmissionWebhook",operation="CREATE",rejected="false",type="admit"} 1',
  ]);
});

// Source: apiserver pkg/admission/metrics/metrics.go: every plugin that handles the operation, once in each round.
test('the plugins that call webhooks are observed without webhooks, and again when called again', async () => {
  const counts = async (story: Story): Promise<readonly string[]> =>
    about(await linesOf(story), 'controller_admission_duration_seconds_count')
      .filter((line) => line.includes('AdmissionWebhook"'))
      .map((line) => line.replace(/^.*name="(\w+)".*\} /, '$1 '));
  expect(await counts({})).toEqual(['MutatingAdmissionWebhook 1', 'ValidatingAdmissionWebhook 1']);
  const again = { mutating: [{ name: 'a.b.c' }], responses: { 'a.b.c': patchedWith([addition]).a } };
  expect(await counts(again)).toEqual(['MutatingAdmissionWebhook 2', 'ValidatingAdmissionWebhook 1']);
});

const addition = { op: 'add', path: '/data', value: { k: 'v' } };

interface Known {
  readonly type: string;
  readonly labels: readonly string[];
  readonly buckets?: readonly string[];
}

const known: Record<string, Known> = JSON.parse(readFileSync('test/facts/admission-metrics.json', 'utf8'));

const samplesIn = async (): Promise<readonly string[]> =>
  [
    await linesOf({ mutating: [{ name: 'a.b.c' }] }),
    await linesOf({
      validating: [{ name: 'a.b.c', failurePolicy: 'Ignore' }],
      responses: { 'a.b.c': breaks('connect').a },
    }),
    await linesOf({ validating: [{ name: 'a.b.c' }], responses: { 'a.b.c': refuse.a } }),
  ].flat();

const valuesIn = (lines: readonly string[], pattern: RegExp): readonly string[] => [
  ...new Set(lines.flatMap((line) => [...line.matchAll(pattern)].map(([, value = '']) => value))),
];

// Source: a page of kube-apiserver v1.36.2.
test.each(Object.entries(known))(
  '%s has kube-apiserver’s labels and buckets',
  async (name, { labels, buckets = [] }) => {
    const suffixes = name.endsWith('_count') ? [''] : ['', '_bucket', '_sum', '_count'];
    const samples = await samplesIn();
    const own = samples.filter((line) => suffixes.some((suffix) => new RegExp(`^${name}${suffix}[{ ]`).test(line)));
    expect(own).not.toEqual([]);
    const seen = valuesIn(own, /([a-z_]+)="/g).filter((label) => label !== 'le');
    expect(seen.toSorted()).toEqual([...labels].toSorted());
    const bounds = valuesIn(own, /le="([^"]+)"/g);
    expect(bounds).toEqual(buckets.length === 0 ? bounds : buckets);
  },
);

test('types are kube-apiserver’s', async () => {
  const body = await createMetrics(() => 0).registry.metrics();
  const types = Object.fromEntries(
    [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]),
  );
  expect(types).toMatchObject(Object.fromEntries(Object.entries(known).map(([name, { type }]) => [name, type])));
});

test('requests are counted under upstream’s labels; a path that is not served is not counted', async () => {
  const world = await createTestWorld();
  const metrics = createMetrics(world.clock.now);
  await world.send(
    'PATCH',
    `${configMaps}/a?fieldManager=m`,
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}',
    {
      contentType: 'application/apply-patch+yaml',
    },
  );
  await world.send('GET', configMaps);
  await world.send('GET', '/made/up');
  world.finished.forEach(metrics.record);
  const { contentType } = metrics.registry;
  const body = await metrics.registry.metrics();
  expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(
    body
      .split('\n')
      .filter((line) => line.startsWith('apiserver_request_total'))
      .toSorted(),
  ).toEqual([
    'apiserver_request_total{code="200",component="apiserver",dry_run="",group="",resource="configmaps",scope="namespace",subresource="",verb="LIST",version="v1"} 1',
    'apiserver_request_total{code="201",component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="APPLY",version="v1"} 1',
    'apiserver_request_total{code="404",component="apiserver",dry_run="",group="",resource="",scope="",subresource="",verb="GET",version=""} 1',
  ]);
});

// Source: pod-security-admission metrics/metrics.go populateCache; test/integration/auth/podsecurity_test.go.
test('what PodSecurity exempts is on the page before the first request', async () => {
  const body = await createMetrics(() => 0).registry.metrics();
  expect(
    body
      .split('\n')
      .filter((line) => line.startsWith('pod_security_exemptions_total{'))
      .toSorted(),
  ).toEqual(
    ['create', 'update'].flatMap((operation) =>
      ['controller', 'pod'].map(
        (resource) =>
          `pod_security_exemptions_total{request_operation="${operation}",resource="${resource}",subresource=""} 0`,
      ),
    ),
  );
});
