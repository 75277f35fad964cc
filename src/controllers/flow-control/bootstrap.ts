import type { GroupResource } from '../../machinery/meta/gvk.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { FlowSchemaCondition } from '../../api/types/generated/flowcontrol-v1.ts';

/** An object of priority and fairness that every API server has. */
export interface FlowObject {
  readonly resource: GroupResource;
  readonly name: string;
  readonly object: KubernetesObject & { readonly spec: JsonObject };
  /** Its spec is restored whatever its annotation says. */
  readonly isMandatory: boolean;
}

const group = 'flowcontrol.apiserver.k8s.io';
export const flowSchemas: GroupResource = { group, resource: 'flowschemas' };
export const priorityLevels: GroupResource = { group, resource: 'prioritylevelconfigurations' };
export const autoUpdate = 'apf.kubernetes.io/autoupdate-spec';

const mandatory = ['exempt', 'catch-all'];

const createFlowObject = (resource: GroupResource, kind: string, name: string, spec: JsonObject): FlowObject => {
  const metadata = { name, generation: 1, annotations: { [autoUpdate]: 'true' } };
  const isMandatory = mandatory.includes(name);
  return { resource, name, isMandatory, object: { kind, apiVersion: `${group}/v1`, metadata, spec, status: {} } };
};

const exempt = { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } };

const limitedLevel = (
  nominalConcurrencyShares: number,
  lendablePercent: number,
  limitResponse: JsonObject,
): JsonObject => ({
  type: 'Limited',
  limited: { nominalConcurrencyShares, limitResponse, lendablePercent },
});

const queueing = (queues: number, handSize: number): JsonObject => ({
  type: 'Queue',
  queuing: { queues, handSize, queueLengthLimit: 50 },
});

/** Follows apiserver pkg/apis/flowcontrol/bootstrap/default.go. */
const levels: readonly FlowObject[] = Object.entries({
  system: limitedLevel(30, 33, queueing(64, 6)),
  'node-high': limitedLevel(40, 25, queueing(64, 6)),
  'leader-election': limitedLevel(10, 0, queueing(16, 4)),
  'workload-high': limitedLevel(40, 50, queueing(128, 6)),
  'workload-low': limitedLevel(100, 90, queueing(128, 6)),
  'global-default': limitedLevel(20, 50, queueing(128, 6)),
  exempt,
  'catch-all': limitedLevel(5, 0, { type: 'Reject' }),
}).map(([name, spec]) => createFlowObject(priorityLevels, 'PriorityLevelConfiguration', name, spec));

const groupSubject = (name: string): JsonObject => ({ kind: 'Group', group: { name } });
const userSubject = (name: string): JsonObject => ({ kind: 'User', user: { name } });
const serviceAccountsSubject = { kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } };
const allUsers = [groupSubject('system:unauthenticated'), groupSubject('system:authenticated')];
const manager = userSubject('system:kube-controller-manager');
const scheduler = userSubject('system:kube-scheduler');

const resources = (verbs: readonly string[], apiGroups: readonly string[], names: readonly string[]): JsonObject => ({
  verbs,
  apiGroups,
  resources: names,
});
const anywhere = { clusterScope: true, namespaces: ['*'] };
const everything = {
  resourceRules: [{ ...resources(['*'], ['*'], ['*']), ...anywhere }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};
const leases = (verbs: readonly string[]): JsonObject => ({
  ...resources(verbs, ['coordination.k8s.io'], ['leases']),
  namespaces: ['*'],
});

interface BootstrapFlow {
  readonly level: string;
  readonly precedence: number;
  readonly by?: 'ByUser' | 'ByNamespace';
  readonly subjects: readonly JsonObject[];
  readonly rules?: JsonObject;
}

const flows: Readonly<Record<string, BootstrapFlow>> = {
  'system-nodes': { level: 'system', precedence: 500, by: 'ByUser', subjects: [groupSubject('system:nodes')] },
  'system-node-high': {
    level: 'node-high',
    precedence: 400,
    by: 'ByUser',
    subjects: [groupSubject('system:nodes')],
    rules: { resourceRules: [{ ...resources(['*'], [''], ['nodes', 'nodes/status']), ...anywhere }, leases(['*'])] },
  },
  probes: {
    level: 'exempt',
    precedence: 2,
    subjects: allUsers,
    rules: { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }] },
  },
  'system-leader-election': {
    level: 'leader-election',
    precedence: 100,
    by: 'ByUser',
    subjects: [manager, scheduler, serviceAccountsSubject],
    rules: { resourceRules: [leases(['get', 'create', 'update'])] },
  },
  'kube-controller-manager': { level: 'workload-high', precedence: 800, by: 'ByNamespace', subjects: [manager] },
  'kube-scheduler': { level: 'workload-high', precedence: 800, by: 'ByNamespace', subjects: [scheduler] },
  'kube-system-service-accounts': {
    level: 'workload-high',
    precedence: 900,
    by: 'ByNamespace',
    subjects: [serviceAccountsSubject],
  },
  'service-accounts': {
    level: 'workload-low',
    precedence: 9000,
    by: 'ByUser',
    subjects: [groupSubject('system:serviceaccounts')],
  },
  'global-default': { level: 'global-default', precedence: 9900, by: 'ByUser', subjects: allUsers },
  exempt: { level: 'exempt', precedence: 1, subjects: [groupSubject('system:masters')] },
  'catch-all': { level: 'catch-all', precedence: 10_000, by: 'ByUser', subjects: allUsers },
};

const schemas: readonly FlowObject[] = Object.entries(flows).map(([name, flow]) =>
  createFlowObject(flowSchemas, 'FlowSchema', name, {
    priorityLevelConfiguration: { name: flow.level },
    matchingPrecedence: flow.precedence,
    ...(flow.by === undefined ? {} : { distinguisherMethod: { type: flow.by } }),
    rules: [{ subjects: flow.subjects, ...(flow.rules ?? everything) }],
  }),
);

/** Levels first, then the flows that reference them. */
export const flowObjects: readonly FlowObject[] = [...levels, ...schemas];

/** Does the level of a FlowSchema exist? `now` in RFC 3339. */
export const danglingCondition = (level: string, exists: boolean, now: string): FlowSchemaCondition => ({
  type: 'Dangling',
  status: exists ? 'False' : 'True',
  lastTransitionTime: now,
  reason: exists ? 'Found' : 'NotFound',
  message: `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)} ${
    exists ? 'and it exists' : 'but there is no such object'
  }`,
});

/** The objects of a new server with their conditions. `now` in RFC 3339. */
export const flowSeeds = (
  now: string,
): readonly { readonly resource: GroupResource; readonly object: KubernetesObject }[] =>
  flowObjects.map(({ resource, object, name }) => {
    const flow = resource === flowSchemas ? flows[name] : undefined;
    if (!flow) return { resource, object };
    return { resource, object: { ...object, status: { conditions: [danglingCondition(flow.level, true, now)] } } };
  });
