import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { configMap } from './objects.mjs';
import { median } from './table.mjs';

const [rounds, creates] = [9, 60];

/** What a create costs that many policies judge, or none of many; what many definitions cost a world and its forks. */
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
    ...(await measureDefinitions(createWorld)),
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

const definitions = 300;

async function measureDefinitions(createWorld) {
  const world = await createWorld();
  const before = process.memoryUsage().rss;
  const applying = process.cpuUsage();
  for (let index = 0; index < definitions; index += 1) await world.client.apply(definition(index));
  const { user, system } = process.cpuUsage(applying);
  const seconds = (user + system) / 1e6;
  const memory = (process.memoryUsage().rss - before) / 2 ** 20;
  const forks = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const forking = process.cpuUsage();
    const fork = await world.fork();
    const took = process.cpuUsage(forking);
    forks.push((took.user + took.system) / 1000);
    await fork.close();
  }
  await world.close();
  const fork = median(forks);
  return [
    { what: '300 definitions applied', figure: `${seconds.toFixed(1)} s`, goal: '< 3 s', met: seconds < 3 },
    { what: 'memory of 300 definitions', figure: `${memory.toFixed(0)} MiB`, goal: '< 150 MiB', met: memory < 150 },
    { what: 'a fork with 300 definitions', figure: `${fork.toFixed(1)} ms`, goal: '<= 5 ms', met: fork <= 5 },
  ];
}

/** With a schema of forty fields, some of them in lists and with rules. */
function definition(index) {
  const [plural, kind] = [`widgets${index}`, `Widget${index}`];
  const text = { type: 'string', maxLength: 100 };
  const fields = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`field${at}`, text]));
  const items = { type: 'object', properties: { name: text, ...fields } };
  const rules = [{ rule: 'size(self.field0) > 0', message: 'field0 is needed' }];
  const spec = {
    type: 'object',
    properties: { ...fields, parts: { type: 'array', maxItems: 10, items } },
    'x-kubernetes-validations': rules,
  };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.bench.example.com` },
    spec: {
      group: 'bench.example.com',
      scope: 'Namespaced',
      names: { plural, singular: `widget${index}`, kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}
