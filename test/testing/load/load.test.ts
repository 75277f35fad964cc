import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { asString, valueAt } from '../../../src/machinery/json/json.ts';
import { benchCommand } from '../../../src/app/cli/bench/bench.ts';
import { checkThreshold, latencyOf, readThreshold } from '../../../src/testing/load/threshold.ts';
import { drawVerb, type LoadPlan, type LoadRequest, readMix, runLoad } from '../../../src/testing/load/run-load.ts';
import { webhookLatencies } from '../../../src/testing/load/webhook-latency.ts';
import { startKadmit } from '../../../src/library.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

test.each([
  { of: [], is: { count: 0, mean: 0, p50: 0, p95: 0, p99: 0, max: 0 } },
  { of: [7], is: { count: 1, mean: 7, p50: 7, p95: 7, p99: 7, max: 7 } },
  { of: [2, 1], is: { count: 2, mean: 1.5, p50: 1, p95: 2, p99: 2, max: 2 } },
  {
    of: Array.from({ length: 100 }, (_, at) => 100 - at),
    is: { count: 100, mean: 50.5, p50: 50, p95: 95, p99: 99, max: 100 },
  },
])('percentiles of $of.length times are those of nearest rank', ({ of, is }) => {
  expect(latencyOf(of)).toEqual(is);
});

test.each([
  ['create=1', { create: 1, update: 0, patch: 0, delete: 0 }],
  ['create=2, delete=1', { create: 2, update: 0, patch: 0, delete: 1 }],
])('the mix %s', (text, mix) => {
  expect(readMix(text)).toEqual({ outcome: 'read', mix });
});

test.each([
  ['get=1', /is not a mix/],
  ['create', /is not a mix/],
  ['create=-1', /is not a mix/],
  ['update=1', /has no create/],
])('%s is refused as a mix', (text, problem) => {
  expect(readMix(text)).toEqual({ outcome: 'wrong', problem: expect.stringMatching(problem) });
});

test('verbs are drawn by their shares, from one end of chance to the other', () => {
  const mix = { create: 2, update: 1, patch: 0, delete: 1 };
  expect([0, 0.49, 0.5, 0.74, 0.75, 0.999].map((draw) => drawVerb(mix, draw))).toEqual([
    'create',
    'create',
    'update',
    'update',
    'delete',
    'delete',
  ]);
});

const some = latencyOf([10, 20]);
const webhook = {
  name: 'a.example.com',
  type: 'mutating',
  calls: 2,
  rejected: 0,
  mean: 3,
  p50: 3,
  p95: 4,
  p99: 5,
} as const;
const measured = {
  all: some,
  byVerb: { create: some },
  webhooks: [webhook, { ...webhook, name: 'b', p99: 9 }],
  errors: 0.02,
  rate: 0.95,
};

test.each([
  ['p99<21ms', true, '20ms'],
  ['p99<20ms', false, '20ms'],
  ['max<0.02s', false, '20ms'],
  ['create.p50<11ms', true, '10ms'],
  ['delete.p50<11ms', false, 'nothing'],
  ['webhook:a.example.com.p99<6ms', true, '5ms'],
  ['webhook:*.p99<6ms', false, '9ms'],
  ['webhook:c.p99<6ms', false, 'nothing'],
  ['errors<3%', true, '2%'],
  ['errors<2%', false, '2%'],
  ['rate>90%', true, '95%'],
  ['rate>95%', false, '95%'],
])('%s is kept to: %s', (text, met, value) => {
  const reading = readThreshold(text);
  expect(reading.outcome === 'read' && checkThreshold(reading.threshold, measured)).toEqual({
    threshold: text,
    met,
    value,
  });
});

test.each(['p99', 'p98<1ms', 'p99>1ms', 'p99<1', 'errors<1', 'get.p99<1ms', ''])('%j is not a threshold', (text) => {
  expect(readThreshold(text).outcome).toBe('wrong');
});

test('no errors keep to any share of errors', () => {
  const reading = readThreshold('errors<0%');
  expect(reading.outcome === 'read' && checkThreshold(reading.threshold, { ...measured, errors: 0 }).met).toBe(true);
});

// The text format of Prometheus as kube-apiserver writes it: apiserver pkg/admission/metrics/metrics.go.
const metrics = (fast: number, slow: number, rejected: number): string => {
  const base = 'apiserver_admission_webhook_admission_duration_seconds';
  const labels = (more: string, isRejected = 'false'): string =>
    `{name="a.example.com",operation="CREATE",rejected="${isRejected}",type="admit"${more}}`;
  return [
    `# HELP ${base} [STABLE] words`,
    `${base}_bucket${labels(',le="0.005"')} ${fast}`,
    `${base}_bucket${labels(',le="0.025"')} ${fast + slow}`,
    `${base}_bucket${labels(',le="+Inf"')} ${fast + slow}`,
    `${base}_sum${labels('')} ${fast * 0.001 + slow * 0.02}`,
    `${base}_count${labels('')} ${fast + slow}`,
    `${base}_bucket${labels(',le="0.005"', 'true')} ${rejected}`,
    `${base}_bucket${labels(',le="0.025"', 'true')} ${rejected}`,
    `${base}_bucket${labels(',le="+Inf"', 'true')} ${rejected}`,
    `${base}_sum${labels('', 'true')} 0`,
    `${base}_count${labels('', 'true')} ${rejected}`,
  ].join('\n');
};

test('the latency of webhooks is the growth of their metrics', () => {
  expect(webhookLatencies(metrics(100, 0, 1), metrics(150, 50, 1))).toEqual([
    { name: 'a.example.com', type: 'mutating', calls: 100, rejected: 0, mean: 10.5, p50: 5, p95: 23, p99: 24.6 },
  ]);
  expect(webhookLatencies('', metrics(0, 0, 2))).toMatchObject([{ calls: 2, rejected: 2 }]);
  expect(webhookLatencies(metrics(1, 1, 1), metrics(1, 1, 1))).toEqual([]);
  expect(webhookLatencies('', 'nothing of the kind')).toEqual([]);
});

const plan: LoadPlan = {
  targets: ['a', 'b'].map((name) => ({
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { k: 'v' } },
    collection: '/api/v1/namespaces/default/configmaps',
  })),
  mix: { create: 2, update: 1, patch: 1, delete: 1 },
  rate: 10,
  milliseconds: 2000,
  concurrency: 2,
  dryRun: false,
  label: 'x',
};

/** A server whose clock goes on by itself: each request takes so long. */
function clocked(takes: number, answer: (request: LoadRequest) => number = () => 200) {
  const sent: LoadRequest[] = [];
  let [now, draw] = [0, 0];
  return {
    sent,
    ports: {
      send: (request: LoadRequest) => {
        sent.push(request);
        now += takes;
        const code = answer(request);
        // A server fills fields in, which an update sends back.
        const stored = {
          ...request.body,
          filled: 'in',
          metadata: { ...(request.body?.['metadata'] as object), resourceVersion: '1' },
        };
        return Promise.resolve({ code, body: code < 400 ? stored : { message: 'refused' } });
      },
      now: () => now,
      sleep: (milliseconds: number) => {
        now += milliseconds;
        return Promise.resolve();
      },
      chance: () => {
        draw = (draw + 0.21) % 1;
        return draw;
      },
      isOver: () => false,
    },
  };
}

test('as many requests are sent as are due, of all verbs, and nothing is left behind', async () => {
  const { sent, ports } = clocked(1);
  const { all, byVerb, due, errors } = await runLoad(plan, ports);
  expect({ due, sent: all.count, errors }).toEqual({ due: 20, sent: 20, errors: [] });
  expect(Object.keys(byVerb).toSorted()).toEqual(['create', 'delete', 'patch', 'update']);
  const created = sent
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => asString(valueAt(body, 'metadata', 'name')));
  const deleted = sent
    .filter(({ method }) => method === 'DELETE')
    .map(({ path }) => /configmaps\/([^?]+)/.exec(path)?.[1] ?? '');
  expect(deleted.toSorted()).toEqual(created.toSorted());
  expect(created.some((name) => name.startsWith('a-x-')) && created.some((name) => name.startsWith('b-x-'))).toBe(true);
});

test('an update sends what the server made of the object, in the revision that it read', async () => {
  const { sent, ports } = clocked(1);
  await runLoad(plan, ports);
  const update = sent.find(({ method }) => method === 'PUT')?.body;
  expect(update).toMatchObject({ filled: 'in', metadata: { annotations: { 'kadmit.dev/load': expect.any(String) } } });
  expect(update?.['metadata']).toHaveProperty('resourceVersion', '1');
});

test('an object that another client wrote between a read and its update is read again; reads are no part of the load', async () => {
  let conflicts = 0;
  const { sent, ports } = clocked(10, ({ method }) => (method === 'PUT' && (conflicts += 1) % 3 === 1 ? 409 : 200));
  const { errors, byVerb } = await runLoad({ ...plan, rate: 1, milliseconds: 20_000, concurrency: 1 }, ports);
  expect(errors).toEqual([]);
  expect(conflicts).toBeGreaterThan(3);
  const reads = sent.filter(({ method }) => method === 'GET');
  expect(reads).toHaveLength(sent.filter(({ method }) => method === 'PUT').length);
  expect([byVerb['update']?.p50, byVerb['update']?.max]).toEqual([10, 20]);
});

test('an update of an object that another client always writes first is given up', async () => {
  const { ports } = clocked(1, ({ method }) => (method === 'PUT' ? 409 : 200));
  const { errors, byVerb } = await runLoad(plan, ports);
  expect(errors).toMatchObject([{ verb: 'update', code: 409, count: byVerb['update']?.count }]);
});

// Coordinated omission: what had to wait for its turn was late for its client too.
test('a server that cannot keep up is not measured as fast', async () => {
  const { ports } = clocked(300);
  const { all } = await runLoad({ ...plan, concurrency: 1 }, ports);
  expect(all.max).toBeGreaterThan(3000);
});

test('refusals are counted by verb and code, and what was refused is deleted all the same', async () => {
  const { sent, ports } = clocked(1, ({ method }) => (method === 'PATCH' ? 403 : 200));
  const { errors } = await runLoad(plan, ports);
  expect(errors).toEqual([{ verb: 'patch', code: 403, count: expect.any(Number), message: 'refused' }]);
  const count = (method: string): number => sent.filter((one) => one.method === method).length;
  expect(count('DELETE')).toBe(count('POST'));
});

test('a dry run creates alone, and has nothing to delete', async () => {
  const { sent, ports } = clocked(1);
  await runLoad({ ...plan, dryRun: true }, ports);
  expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['POST']));
  expect(sent.every(({ path }) => path.endsWith('dryRun=All'))).toBe(true);
});

const folder = temporaryFolder();

const run = async (...args: readonly string[]) => {
  const lines: string[] = [];
  const code = await benchCommand.run(
    args,
    { out: (text) => void lines.push(text), error: (text) => void lines.push(text) },
    {},
  );
  return { code, text: lines.join('\n') };
};
const manifest = join(folder, 'settings.yaml');
writeFileSync(manifest, '{ apiVersion: v1, kind: ConfigMap, metadata: { name: settings }, data: { a: b } }');

test('a running server is loaded, its webhooks are reported, and created objects are removed', async () => {
  const kadmit = await startKadmit();
  try {
    const rules = [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
    ] as const;
    await kadmit.webhook('label.example.com', { type: 'mutating', rules }, () => ({ allowed: true }));
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, kadmit.kubeconfig, { mode: 0o600 });
    const common = [manifest, '--kubeconfig', kubeconfig, '--rate', '100', '--duration', '200ms', '-o', 'json'];
    const { code, text } = await run(...common, '--threshold', 'errors<1%,webhook:label.example.com.p99<60s');
    const document: unknown = JSON.parse(text);
    const validate = new Ajv({ strict: true }).compile(
      JSON.parse(readFileSync('docs/reference/bench.schema.json', 'utf8')),
    );
    validate(document);
    expect(validate.errors).toBeNull();
    expect(document).toMatchObject({ sent: 20, failed: 0, webhooks: [{ name: 'label.example.com' }] });
    expect(code).toBe(0);
    expect((await run(...common, '--threshold', 'p50<0ms')).code).toBe(1);
    const left = await kadmit.client.list('configmaps', { namespace: 'default' });
    expect(left.map(({ metadata }) => metadata.name)).toEqual(['kube-root-ca.crt']);
  } finally {
    await kadmit.close();
  }
});

test.each([
  [[], /MANIFEST or -f FILE is required/],
  [[manifest, '--rate', '0'], /--rate "0" is not a number/],
  [[manifest, '--threshold', 'fast'], /is not a threshold/],
  [[manifest, '--mix', 'get=1'], /is not a mix/],
  [[join(folder, 'none.yaml')], /none\.yaml/],
  [[manifest, '--kubeconfig', join(folder, 'no')], /cannot be read/],
])('%j is refused with one line', async (args, words) => {
  const { code, text } = await run(...args);
  expect({ code, lines: text.split('\n').length }).toEqual({ code: 2, lines: 1 });
  expect(text).toMatch(words);
});
