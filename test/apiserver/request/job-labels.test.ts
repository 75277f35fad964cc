import { expect, test } from 'vitest';
import { register } from '../../harness/configurations.ts';
import { at } from '../../harness/world-answer.ts';
import { createTestWorld } from '../../harness/world.ts';

// Defaulting makes the labels of a job without any its template's map, and the generated labels are put into that map.
// Sources: kubernetes pkg/apis/batch/v1/defaults.go SetDefaults_Job, pkg/registry/batch/job/strategy.go generateSelector;
// compared with kube-apiserver v1.36.2.

const collection = '/apis/batch/v1/namespaces/default/jobs';
const containers = [{ name: 'c', image: 'i' }];
const job = (metadata: object, template: object, spec: object = {}): object => ({
  metadata,
  spec: { ...spec, template: { metadata: template, spec: { restartPolicy: 'Never', containers } } },
});
const generated = ['batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name', 'controller-uid', 'job-name'];
const own = { labels: { a: 'b' } };
const manual = { manualSelector: true, selector: { matchLabels: { a: 'b' } } };

const rows: readonly (readonly [what: string, sent: object, labels: readonly string[] | undefined])[] = [
  ['labels in the template alone', job({ name: 'j' }, own), ['a', ...generated]],
  ['no entry in its own labels', job({ name: 'j', labels: {} }, own), ['a', ...generated]],
  ['a label of its own', job({ name: 'j', labels: { x: 'y' } }, own), ['x']],
  ['the same labels as its template', job({ name: 'j', ...own }, own), ['a']],
  ['no labels at all: it takes its template’s when it is read', job({ name: 'j' }, {}), generated],
  ['a generated name, for which upstream copies the object', job({ generateName: 'j-' }, own), ['a']],
  ['a selector of its own', job({ name: 'j' }, own, manual), ['a']],
];

const labelsOf = (body: unknown): readonly string[] | undefined => {
  const labels = at(body, 'metadata', 'labels');
  return labels === undefined ? undefined : Object.keys(labels as object);
};

test.each(rows)('a job with %s', async (_what, sent, labels) => {
  const world = await createTestWorld();
  const dry = await world.send('POST', `${collection}?dryRun=All`, sent);
  const made = await world.send('POST', collection, sent);
  const stored = await world.send('GET', `${collection}/${String(at(made.body, 'metadata', 'name'))}`);
  expect([dry, made, stored].map(({ body }) => labelsOf(body))).toEqual([labels, labels, labels]);
});

test('a job that is created by apply has them too', async () => {
  const world = await createTestWorld();
  const applied = { apiVersion: 'batch/v1', kind: 'Job', ...job({ name: 'j' }, own) };
  const made = await world.send('PATCH', `${collection}/j?fieldManager=m`, applied, {
    contentType: 'application/apply-patch+yaml',
  });
  expect(labelsOf(made.body)).toEqual(['a', ...generated]);
});

test('a webhook that patches the job has it decoded again: its labels are a map of their own', async () => {
  const patch = [{ op: 'add', path: '/metadata/annotations', value: { by: 'm' } }];
  const world = await createTestWorld({ responses: { 'm.x.io': () => ({ patch }) } });
  const rules = [{ operations: ['*'], apiGroups: ['batch'], apiVersions: ['v1'], resources: ['jobs'] }];
  await register(world, 'mutating', { name: 'm.x.io', rules });
  const made = await world.send('POST', collection, job({ name: 'j' }, own));
  expect([made.code, labelsOf(made.body)]).toEqual([201, ['a']]);
});

// Source: kubernetes pkg/apis/batch/validation validateGeneratedSelector; compared with kube-apiserver v1.36.2.
test('an update without the selector is not compared with the generated labels', async () => {
  const world = await createTestWorld();
  await world.send('POST', collection, job({ name: 'j' }, own));
  const put = await world.send('PUT', `${collection}/j`, { metadata: { name: 'j' }, spec: {} });
  expect(put.code).toBe(422);
  expect(put.message).not.toContain('must be');
});
