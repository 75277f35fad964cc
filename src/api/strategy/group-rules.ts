import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { metadataOf, type KubernetesObject } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { balancerIpWarnings } from '../validation/core/ip-warnings.ts';
import { pathSegment } from '../validation/meta/object-meta.ts';
import { storageClassWarnings } from './warnings.ts';
import { fieldsChanged, withField, type ResourceRules } from './resource-rules.ts';
import type { StrategyContext } from './strategy.ts';

/**
 * Follows kube-aggregator pkg/registry/apiservice/strategy.go. Its validation includes metadata: the name follows from
 * the spec.
 */
export const apiServiceRules: ResourceRules = {
  scope: 'Cluster',
  anyFinalizer: true,
  reportsMetadata: true,
  needsResourceVersion: true,
  emptyStatus: {},
  statusKeepsMetadata: true,
  prepareForCreate: (service, { now }) =>
    ok(isLocalApiService(service) ? withField(service, 'status', createLocalApiServiceStatus(now)) : service),
};

const isLocalApiService = (service: JsonObject): boolean => !isJsonObject(asObject(service['spec'])['service']);

/** The status of an APIService without a service; `now` in ms since 1970. */
export const createLocalApiServiceStatus = (now: number): JsonObject => ({
  conditions: [
    {
      type: 'Available',
      status: 'True',
      lastTransitionTime: formatTime(now),
      reason: 'Local',
      message: 'Local APIServices are always available',
    },
  ],
});

const allowAnyName = (): readonly string[] => [];

/** Follows kubernetes pkg/registry/certificates/certificates/strategy.go. */
const certificateSigningRequestRules: ResourceRules = {
  scope: 'Cluster',
  name: allowAnyName,
  emptyStatus: {},
  prepareForCreate: (request, { user }) => ok(withRequester(request, user)),
  restore: {
    '': (request, old) => withField(withField(request, 'spec', old['spec']), 'status', old['status']),
    status: (request, old) => {
      const { certificate, conditions } = asObject(request['status']);
      const kept = keepDecisions(asList(conditions), asList(asObject(old['status'])['conditions']));
      return withStatus(request, old, kept, certificate);
    },
    approval: (request, old) => {
      const { conditions } = asObject(request['status']);
      return withStatus(request, old, asList(conditions), asObject(old['status'])['certificate']);
    },
  },
  prepareForUpdate: (request, old, subresource, { now }) =>
    ok(subresource === '' ? request : withConditionTimes(request, old, formatTime(now))),
};

/** The requester comes from the request, not from the client's object. */
function withRequester(request: KubernetesObject, user: StrategyContext['user']): KubernetesObject {
  const { username, uid, groups, extra } = user;
  const requester = {
    username: username || undefined,
    uid: uid || undefined,
    groups: groups.length > 0 ? groups : undefined,
    extra: Object.keys(extra).length > 0 ? extra : undefined,
  };
  return withField(request, 'spec', { ...asObject(request['spec']), ...requester });
}

/** Restores Approved and Denied conditions if their number is unchanged; validation rejects other changes. */
const keepDecisions = (conditions: readonly JsonValue[], old: readonly JsonValue[]): readonly JsonValue[] =>
  ['Approved', 'Denied'].reduce<readonly JsonValue[]>((so, type) => {
    const isIt = (condition: JsonValue): boolean => asString(asObject(condition)['type']) === type;
    const before = old.filter(isIt);
    if (before.length !== so.filter(isIt).length) return so;
    let next = 0;
    return so.map((condition) => (isIt(condition) ? (before[next++] ?? condition) : condition));
  }, conditions);

function withStatus(
  request: KubernetesObject,
  old: KubernetesObject,
  conditions: readonly JsonValue[],
  certificate: JsonValue | undefined,
): KubernetesObject {
  const status: JsonObject = {
    ...(conditions.length > 0 ? { conditions } : {}),
    ...(certificate === undefined ? {} : { certificate }),
  };
  return withField(withField(request, 'spec', old['spec']), 'status', status);
}

/** Sets missing times: lastUpdateTime to now, lastTransitionTime to that of the replaced condition. */
function withConditionTimes(request: KubernetesObject, old: KubernetesObject, now: string): KubernetesObject {
  const status = asObject(request['status']);
  const before = asList(asObject(old['status'])['conditions']).map(asObject);
  if (asList(status['conditions']).length === 0) return request;
  const conditions = asList(status['conditions']).map((item) => {
    const condition = asObject(item);
    const same = before.find(({ type, status: value }) => type === condition['type'] && value === condition['status']);
    return {
      ...condition,
      lastUpdateTime: condition['lastUpdateTime'] ?? now,
      lastTransitionTime: condition['lastTransitionTime'] ?? same?.['lastTransitionTime'] ?? now,
    };
  });
  return withField(request, 'status', { ...status, conditions });
}

const rbacRules: ResourceRules = { name: pathSegment, allowCreateOnUpdate: true };
const eventRules: ResourceRules = { reportsMetadata: true, allowCreateOnUpdate: true };

const deprecatedSelectorLabel = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';
const matchNone: JsonObject = { matchExpressions: [{ key: deprecatedSelectorLabel, operator: 'Exists' }] };

/** A selector has the label of policy/v1beta1 alone or not at all. Follows kubernetes pkg/registry/policy/poddisruptionbudget/strategy.go. */
function dropInternalLabel(budget: KubernetesObject, old?: KubernetesObject): KubernetesObject {
  const selectorOf = (object: KubernetesObject): JsonObject => asObject(asObject(object['spec'])['selector']);
  const selector = selectorOf(budget);
  const kept = asList(selector['matchExpressions']).filter((one) => asObject(one)['key'] !== deprecatedSelectorLabel);
  if (kept.length === asList(selector['matchExpressions']).length) return budget;
  if (sameJson(selector, matchNone) || (old && sameJson(selector, selectorOf(old)))) return budget;
  const { matchExpressions: _expressions, ...rest } = selector;
  const stripped = kept.length === 0 ? rest : { ...rest, matchExpressions: kept };
  return withField(budget, 'spec', { ...asObject(budget['spec']), selector: stripped });
}

export const groupRules: Readonly<Record<string, ResourceRules>> = {
  '/events': eventRules,
  'events.k8s.io/events': eventRules,
  'networking.k8s.io/ingresses': {
    newGeneration: fieldsChanged('spec'),
    emptyStatus: { loadBalancer: {} },
    warningsOnCreate: classAnnotationWarning,
    warningsOnUpdate: (ingress, _old, subresource) => (subresource === 'status' ? balancerIpWarnings(ingress) : []),
  },
  'policy/poddisruptionbudgets': {
    reportsMetadata: true,
    needsResourceVersion: true,
    newGeneration: fieldsChanged('spec'),
    emptyStatus: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    prepareForCreate: (budget) => ok(dropInternalLabel(budget)),
    prepareForUpdate: (budget, old) => ok(dropInternalLabel(budget, old)),
  },
  'autoscaling/horizontalpodautoscalers': {
    newGeneration: fieldsChanged('spec'),
    emptyStatus: createAutoscalerStatus,
  },
  'certificates.k8s.io/certificatesigningrequests': certificateSigningRequestRules,
  'storage.k8s.io/storageclasses': {
    scope: 'Cluster',
    returnsDeletedObject: true,
    warningsOnCreate: storageClassWarnings,
    warningsOnUpdate: storageClassWarnings,
  },

  'rbac.authorization.k8s.io/roles': rbacRules,
  'rbac.authorization.k8s.io/rolebindings': rbacRules,
  'rbac.authorization.k8s.io/clusterroles': { ...rbacRules, scope: 'Cluster' },
  'rbac.authorization.k8s.io/clusterrolebindings': { ...rbacRules, scope: 'Cluster' },

  'apiregistration.k8s.io/apiservices': apiServiceRules,
  'apiextensions.k8s.io/customresourcedefinitions': {
    scope: 'Cluster',
    anyFinalizer: true,
    needsResourceVersion: true,
    newGeneration: fieldsChanged('spec'),
    emptyStatus: createDefinitionStatus,
  },
};

/** Follows kubernetes pkg/registry/networking/ingress/strategy.go WarningsOnCreate. */
function classAnnotationWarning(ingress: KubernetesObject): readonly string[] {
  const annotation = 'kubernetes.io/ingress.class';
  const isSet = metadataOf(ingress).annotations?.[annotation] !== undefined;
  if (!isSet || asObject(ingress['spec'])['ingressClassName'] !== undefined) return [];
  return [`annotation "${annotation}" is deprecated, please use 'spec.ingressClassName' instead`];
}

function createAutoscalerStatus({ apiVersion }: KubernetesObject): JsonObject {
  return apiVersion === 'autoscaling/v1'
    ? { currentReplicas: 0, desiredReplicas: 0 }
    : { desiredReplicas: 0, currentMetrics: null };
}

/** Follows apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go. */
function createDefinitionStatus(definition: KubernetesObject): JsonObject {
  const versions = asList(asObject(definition['spec'])['versions']).map(asObject);
  const storage = versions.find((version) => version['storage'] === true);
  return {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: storage ? [asString(storage['name'])] : null,
  };
}
