import type { KnownWebhook } from '../expect/step-observation.ts';
import { errorText } from '../../../machinery/errors.ts';
import { asList, asObject, type JsonObject } from '../../../machinery/json/json.ts';
import { yamlText } from '../expect/text.ts';
import type { LoadedManifest, Scenario } from '../format.ts';
import { isConfiguration, nameOf } from '../known-webhooks.ts';
import type { Combination } from '../matrix.ts';
import type { Worlds } from '../world.ts';
import { type OutageBackend, listBackends } from './backends.ts';
import { summarizeOutage, type OutageSetup, inOutage, type WriteResult, tryWrites } from './outage-run.ts';
import { type StandardWrite, standardWrites } from './standard-writes.ts';
import { isNeeded, dependencyCycles, type Dependency, dependenciesIn, recoveryOrder } from './dependency-cycles.ts';
import type { OutageRun, MutualDependency, OutageReport } from './report.ts';

/**
 * Takes down each backend of the loaded webhooks, refusing and hanging, then all of them; tries standard writes; reports which are blocked
 * and whether backends recover. Does not run the scenario's steps. Never throws.
 */
export async function runOutage({ scenario, combination }: Combination, worlds: Worlds): Promise<OutageReport> {
  const { name, file, description } = scenario;
  const about = { scenario: { name, file, description }, combination };
  try {
    return { ...about, ...(await runOutages(scenario, worlds)) };
  } catch (error) {
    const message = errorText(error);
    return { ...about, outcome: 'broken', problem: { message }, ...emptyReport };
  }
}

const emptyReport = {
  backends: [],
  drills: [],
  recovery: [],
  knots: [],
  waiting: [],
  outOfTime: [],
  deletable: [],
} as const;

async function runOutages(scenario: Scenario, worlds: Worlds): Promise<Omit<OutageReport, 'scenario' | 'combination'>> {
  const outageSetup = await createOutageSetup(scenario, worlds);
  const { backends } = outageSetup;
  const drills: OutageRun[] = [];
  const drill = async (down: readonly OutageBackend[], how: OutageRun['how']): Promise<readonly WriteResult[]> => {
    const tried = await tryWrites(outageSetup, down, how);
    drills.push(summarizeOutage(tried, backends, { down, how }));
    return tried;
  };
  const needs: Dependency[] = [];
  for (const backend of backends) {
    needs.push(...dependenciesIn(await drill([backend], 'refuse'), backends));
    await drill([backend], 'hang');
  }
  if (backends.length > 1) for (const how of ['refuse', 'hang'] as const) await drill(backends, how);
  const names = backends.map((one) => one.name);
  const recovery = recoveryOrder(names, needs);
  const cyclic = dependencyCycles(needs);
  const helps = cyclic.length > 0 && (await recoversWithExemptions(cyclic, outageSetup));
  const stuck = names.filter((name) => !recovery.flat().includes(name));
  const outOfTime = stuck.length > 0 ? [] : await stuckWhileHanging(outageSetup);
  return {
    outcome: stuck.length + outOfTime.length > 0 ? 'stuck' : 'recovers',
    backends: backends.map(outageBackend),
    drills,
    recovery,
    knots: mutualDependencies(cyclic, helps),
    waiting: stuck.filter((name) => !cyclic.some(({ on }) => on.backend === name)),
    outOfTime,
    deletable: await deletableConfigurations(outageSetup),
  };
}

const outageBackend = ({ name, namespace, webhooks }: OutageBackend): OutageReport['backends'][number] => ({
  name,
  inCluster: namespace !== undefined,
  webhooks: webhooks.map((one) => ({ name: one.name, configuration: one.configuration })),
});

/** All hang; recovered backends leave more time to the others, until nothing changes. */
async function stuckWhileHanging(outageSetup: OutageSetup): Promise<readonly string[]> {
  let down = outageSetup.backends;
  for (;;) {
    const refused = (await tryWrites(outageSetup, down, 'hang')).filter(({ answer }) => answer.code >= 400);
    const stuck = down.filter((backend) => refused.some(({ write }) => isNeeded(write, backend)));
    if (stuck.length === 0 || stuck.length === down.length) return stuck.map(({ name }) => name);
    down = stuck;
  }
}

/** Writes that fail without an outage are dropped. */
async function createOutageSetup(scenario: Scenario, worlds: Worlds): Promise<OutageSetup> {
  const backends = listBackends(scenario.load);
  const loaded = scenario.load.flatMap(({ object }) => (object['kind'] === 'Namespace' ? [nameOf(object)] : []));
  const own = backends.flatMap(({ namespace }) => (namespace === undefined ? [] : [namespace]));
  const missing = own.filter((one) => !loaded.includes(one) && !predefinedNamespaces.includes(one));
  const namespaces = [...new Set(['default', 'kube-system', ...loaded, ...own])];
  const load = [...scenario.load, ...[...new Set(missing)].map(namespaceManifest)];
  const outageSetup = {
    worlds,
    scenario: { ...scenario, load },
    backends,
    namespaces,
    writes: standardWrites(namespaces, backends),
  };
  const withoutOutage = await tryWrites(outageSetup, [], 'refuse');
  return { ...outageSetup, writes: withoutOutage.filter(({ answer }) => answer.code < 400).map(({ write }) => write) };
}

const predefinedNamespaces: readonly string[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Creates the namespace of a Service that no manifest creates. */
const namespaceManifest = (name: string): Scenario['load'][number] => ({
  object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  place: { file: '', line: 1, column: 1 },
});

/** One per rule of a webhook. */
function mutualDependencies(tied: readonly Dependency[], helps: boolean): readonly MutualDependency[] {
  const keyOf = ({ on }: Dependency): string => `${on.configuration}/${on.name} ${on.rule}`;
  return [...new Set(tied.map(keyOf))].flatMap((key) => {
    const all = tied.filter((need) => keyOf(need) === key);
    const [first] = all;
    return first ? [mutualDependency(first, all, helps)] : [];
  });
}

function mutualDependency({ on }: Dependency, all: readonly Dependency[], helps: boolean): MutualDependency {
  const writes = [...new Set(all.flatMap((need) => need.writes))];
  const exemption = exemptionFor(writes);
  const { namespaces, resources } = exemption;
  const parts = [
    ...(namespaces.length === 0 ? [] : [`a namespaceSelector that leaves out ${namespaces.join(', ')}`]),
    ...(resources.length === 0 ? [] : [`a matchCondition that leaves out ${resources.join(', ')}`]),
  ];
  return {
    ...on,
    keeps: all.map(({ backend }) => backend),
    blocked: writes.map(({ title }) => title),
    advice: {
      text: `${parts.join(' and ')}; or failurePolicy Ignore`,
      fields: yamlText(exemptionFields(exemption)),
      helps,
    },
  };
}

/** Runs again with the advised exemptions in every webhook of a cycle. */
async function recoversWithExemptions(tied: readonly Dependency[], outageSetup: OutageSetup): Promise<boolean> {
  const webhooks = new Map(tied.map(({ on }) => [`${on.configuration}/${on.name}`, on]));
  const exemptions = [...webhooks.values()].map((on) => {
    const own = tied.filter((need) => need.on.name === on.name && need.on.configuration === on.configuration);
    return { ...on, exemption: exemptionFor(own.flatMap(({ writes }) => writes)) };
  });
  const scenario = { ...outageSetup.scenario, load: withExemptions(outageSetup.scenario.load, exemptions) };
  const needs: Dependency[] = [];
  for (const backend of outageSetup.backends) {
    needs.push(
      ...dependenciesIn(await tryWrites({ ...outageSetup, scenario }, [backend], 'refuse'), outageSetup.backends),
    );
  }
  const names = outageSetup.backends.map(({ name }) => name);
  return recoveryOrder(names, needs).flat().length === names.length;
}

/** Webhooks do not intercept configurations; this proves it. */
function deletableConfigurations(outageSetup: OutageSetup): Promise<readonly string[]> {
  const paths = new Map(
    outageSetup.backends.flatMap(({ webhooks }) =>
      webhooks.map(({ configuration, type }) => {
        const path = `/apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations/${configuration}`;
        return [path, configuration] as const;
      }),
    ),
  );
  return inOutage(outageSetup, { down: outageSetup.backends, how: 'refuse' }, async (world) => {
    const deleted: string[] = [];
    for (const [path, configuration] of paths) {
      const { code } = await world.send({ method: 'DELETE', path });
      if (code < 400) deleted.push(configuration);
    }
    return deleted;
  });
}

/** Exempts writes: namespaces by a selector, cluster-scoped resources by a matchCondition. */
interface Exemption {
  readonly namespaces: readonly string[];
  readonly resources: readonly string[];
}

function exemptionFor(writes: readonly StandardWrite[]): Exemption {
  const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];
  return {
    namespaces: unique(writes.flatMap(({ namespace }) => (namespace === '' ? [] : [namespace]))),
    resources: unique(writes.flatMap(({ namespace, resource }) => (namespace === '' ? [resource] : []))),
  };
}

function exemptionFields({ namespaces, resources }: Exemption): JsonObject {
  const quoted = resources.map((one) => `'${one}'`).join(', ');
  return {
    ...(namespaces.length === 0 ? {} : { namespaceSelector: { matchExpressions: [notIn(namespaces)] } }),
    ...(resources.length === 0
      ? {}
      : { matchConditions: [{ name: 'exempt-bootstrap', expression: `!(request.resource.resource in [${quoted}])` }] }),
  };
}

const notIn = (values: readonly string[]): JsonObject => ({
  key: 'kubernetes.io/metadata.name',
  operator: 'NotIn',
  values,
});

/** In addition to what the webhooks select already. */
function withExemptions(
  load: readonly LoadedManifest[],
  exemptions: readonly (KnownWebhook & { readonly exemption: Exemption })[],
): readonly LoadedManifest[] {
  return load.map((manifest) => {
    const { object } = manifest;
    if (!isConfiguration(object)) return manifest;
    const webhooks = asList(object['webhooks']).map((entry) => {
      const webhook = asObject(entry);
      return exemptions
        .filter(({ name, configuration }) => name === webhook['name'] && configuration === nameOf(object))
        .reduce((current, { exemption }) => withFields(current, exemptionFields(exemption)), webhook);
    });
    return { ...manifest, object: { ...object, webhooks } };
  });
}

function withFields(webhook: JsonObject, fields: JsonObject): JsonObject {
  const selector = asObject(webhook['namespaceSelector']);
  const added = asObject(fields['namespaceSelector']);
  const expressions = [...asList(selector['matchExpressions']), ...asList(added['matchExpressions'])];
  const conditions = [...asList(webhook['matchConditions']), ...asList(fields['matchConditions'])];
  return {
    ...webhook,
    ...(expressions.length === 0 ? {} : { namespaceSelector: { ...selector, matchExpressions: expressions } }),
    ...(conditions.length === 0 ? {} : { matchConditions: conditions }),
  };
}
