import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { configMap } from './objects.mjs';
import { median } from './table.mjs';

const [rounds, creates] = [9, 60];

/** What a create costs that many policies judge, or none of many. */
export async function measureMany() {
  const { createWorld } = await import(pathToFileURL(resolve('dist/library.js')).href);
  const plain = await createWorld();
  const judged = await createWorld();
  for (let index = 0; index < 50; index += 1) await addPolicy(judged, index, 'configmaps');
  const spared = await createWorld();
  for (let index = 0; index < 1000; index += 1) await addPolicy(spared, index, 'secrets');
  const figures = [];
  for (let round = 0; round <= rounds; round += 1) {
    const costs = [];
    for (const world of [plain, judged, spared]) costs.push(await costOf(world, round));
    // The first round only warms up.
    if (round > 0) figures.push(costs);
  }
  const perExpression = median(figures.map(([without, by50]) => (by50 - without) / 100));
  const unmatched = median(figures.map(([without, , by1000]) => by1000 / without - 1));
  for (const world of [plain, judged, spared]) await world.close();
  return [
    {
      what: 'an expression of 50 policies with two validations each',
      figure: `${perExpression.toFixed(1)} µs`,
      goal: '<= 4 µs',
      met: perExpression <= 4,
    },
    {
      what: '1,000 policies that match nothing add to a create',
      figure: `${(100 * unmatched).toFixed(0)} %`,
      goal: '< 5 %',
      met: unmatched < 0.05,
    },
  ];
}

let made = 0;

async function costOf(world, round) {
  const before = process.cpuUsage();
  for (let turn = 0; turn < creates; turn += 1) await world.client.create(configMap(`o-${round}-${(made += 1)}`));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / creates;
}

const group = { apiVersion: 'admissionregistration.k8s.io/v1' };

async function addPolicy(world, index, resource) {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] };
  const validations = [
    { expression: "object.metadata.name != 'forbidden'" },
    { expression: 'has(object.data) && object.data.all(key, size(object.data[key]) < 1000)' },
  ];
  const metadata = { name: `policy-${index}` };
  const spec = { matchConstraints: { resourceRules: [rule] }, validations };
  await world.client.create({ ...group, kind: 'ValidatingAdmissionPolicy', metadata, spec });
  const bound = { policyName: metadata.name, validationActions: ['Deny'] };
  await world.client.create({ ...group, kind: 'ValidatingAdmissionPolicyBinding', metadata, spec: bound });
}
