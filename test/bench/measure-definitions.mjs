import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { jsonRequest, openLine } from './https-line.mjs';
import { pod } from './objects.mjs';
import { startKadmit } from './processes.mjs';
import { median } from './table.mjs';

const definitions = 300;

/** What many definitions cost a world and its forks, and what their objects cost beside Pods. */
export async function measureDefinitions(certDir) {
  const { createWorld } = await import(pathToFileURL(resolve('dist/library.js')).href);
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
  const [ratio, listed] = [await costBesidePods(createWorld), await kubectlLists(certDir)];
  return [
    { what: '300 definitions applied', figure: `${seconds.toFixed(1)} s`, goal: '< 3 s', met: seconds < 3 },
    { what: 'memory of 300 definitions', figure: `${memory.toFixed(0)} MiB`, goal: '< 150 MiB', met: memory < 150 },
    { what: 'a fork with 300 definitions', figure: `${fork.toFixed(1)} ms`, goal: '<= 5 ms', met: fork <= 5 },
    {
      what: 'create of a custom resource that is like a Pod',
      figure: `${ratio.toFixed(2)} of the Pod`,
      goal: '<= 1.2',
      met: ratio <= 1.2,
    },
    { what: 'kubectl get crd with 300', figure: `${listed.toFixed(0)} ms`, goal: '< 300 ms', met: listed < 300 },
  ];
}

const [rounds, creates] = [9, 60];

/** Creates of objects whose spec is a stored Pod's, by a schema made from it, beside creates of such Pods. */
async function costBesidePods(createWorld) {
  const world = await createWorld();
  const { spec } = await world.client.create(pod('first'));
  const one = definition(0);
  one.spec.versions[0].schema.openAPIV3Schema.properties.spec = schemaOf(spec);
  await world.client.apply(one);
  const { apiVersion, kind } = { apiVersion: 'bench.example.com/v1', kind: one.spec.names.kind };
  const custom = (name) => ({ apiVersion, kind, metadata: pod(name).metadata, spec });
  const ratios = [];
  let made = 0;
  const costOf = async (make) => {
    const before = process.cpuUsage();
    for (let turn = 0; turn < creates; turn += 1) await world.client.create(make(`o-${(made += 1)}`));
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  for (let round = 0; round <= rounds; round += 1) {
    const ratio = (await costOf(custom)) / (await costOf(pod));
    // The first round only warms up.
    if (round > 0) ratios.push(ratio);
  }
  await world.close();
  return median(ratios);
}

function schemaOf(value) {
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(merged(value)) };
  if (typeof value !== 'object') return { type: Number.isInteger(value) ? 'integer' : typeof value };
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, schemaOf(inner)])),
  };
}

const merged = (items) => (typeof items[0] === 'object' ? Object.assign({}, ...items) : items[0]);

async function kubectlLists(certDir) {
  const kubeconfig = resolve(certDir, 'kubeconfig');
  const kadmit = await startKadmit({ certDir, kubeconfig });
  const line = openLine(kadmit);
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (let index = 0; index < definitions; index += 1) {
    const { code, body } = await line.send(jsonRequest('POST', path, definition(index)));
    if (code !== 201) throw new Error(`${code}: ${body.toString()}`);
  }
  line.close();
  const times = Array.from({ length: 6 }, () => {
    const began = performance.now();
    execFileSync('kubectl', ['--kubeconfig', kubeconfig, 'get', 'crd'], { stdio: 'pipe' });
    return performance.now() - began;
  });
  await kadmit.stop();
  // The first one asks for discovery too.
  return median(times.slice(1));
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
