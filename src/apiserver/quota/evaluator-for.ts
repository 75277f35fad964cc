import type { Service, ServicePort, PersistentVolumeClaim } from '../../api/types/generated/core-v1.ts';
import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { type GroupResource, groupResourceText } from '../../machinery/meta/gvk.ts';
import { type Evaluator, type QuotaWrite, scopeMatchesNames } from './evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';
import { createResourceClaimEvaluator } from './resource-claim-evaluator.ts';
import { count, type Usage } from './usage.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import { compareQuantities, parseQuantity, type Quantity, roundUpQuantity } from '../../machinery/meta/quantity.ts';

const names = new Set(['count/services', 'services', 'services.nodeports', 'services.loadbalancers']);

/** Follows kubernetes pkg/quota/v1/evaluator/core/services.go. */
const serviceEvaluator: Evaluator = {
  handles: ({ operation, subresource }) => (operation === 'CREATE' || operation === 'UPDATE') && subresource === '',
  matchingNames: (counted) => counted.filter((name) => names.has(name)),
  usage: serviceUsage,
};

function serviceUsage(service: Service): Usage {
  const { type, ports: listed, allocateLoadBalancerNodePorts } = asObject(service.spec);
  const ports = asList(listed);
  const isBalanced = type === 'LoadBalancer';
  const counted = isBalanced && allocateLoadBalancerNodePorts === false ? ports.filter(hasNodePort) : ports;
  return new Map([
    ['count/services', count(1)],
    ['services', count(1)],
    ['services.nodeports', count(isBalanced || type === 'NodePort' ? counted.length : 0)],
    ['services.loadbalancers', count(isBalanced ? 1 : 0)],
  ]);
}

const hasNodePort = ({ nodePort }: ServicePort): boolean => nodePort !== undefined && nodePort !== 0;

const countedAs = 'count/persistentvolumeclaims';
const claims = 'persistentvolumeclaims';
const storage = 'requests.storage';
/** `gold.storageclass.storage.k8s.io/requests.storage`. */
const ofClass = '.storageclass.storage.k8s.io/';

/** Upstream intends relevant status changes, but its comparison accepts all. */
const handles = ({ operation, subresource, object, oldObject }: QuotaWrite): boolean =>
  subresource === ''
    ? operation === 'CREATE' || operation === 'UPDATE'
    : subresource === 'status' && object !== null && oldObject !== null;

/** Follows kubernetes pkg/quota/v1/evaluator/core/persistent_volume_claims.go. */
const claimEvaluator: Evaluator = {
  handles,
  matchingNames: (requested) =>
    requested.filter(
      (name) =>
        [countedAs, claims, storage].includes(name) || [claims, storage].some((one) => name.endsWith(ofClass + one)),
    ),
  usage: claimUsage,
  isInScope: (scope, claim) =>
    scope.scopeName === 'VolumeAttributesClass' && scopeMatchesNames(scope, attributesClassesOf(claim)),
};

function claimUsage(claim: PersistentVolumeClaim): Usage {
  const used = new Map([
    [claims, count(1)],
    [countedAs, count(1)],
  ]);
  const name = storageClassOf(claim);
  const requested = storageOf(claim);
  if (name !== '') used.set(`${name}${ofClass}${claims}`, count(1));
  if (requested !== undefined) used.set(storage, requested);
  if (requested !== undefined && name !== '') used.set(`${name}${ofClass}${storage}`, requested);
  return used;
}

/** The beta annotation overrides the field. */
const storageClassOf = (claim: PersistentVolumeClaim): string =>
  metadataOf(claim).annotations?.['volume.beta.kubernetes.io/storage-class'] ??
  asString(asObject(claim.spec).storageClassName);

/** In whole bytes: the larger of requested and allocated. */
function storageOf(claim: PersistentVolumeClaim): Quantity | undefined {
  const requested = bytes(claim.spec?.resources?.requests?.['storage']);
  const allocated = bytes(claim.status?.allocatedResources?.['storage']);
  if (requested === undefined || allocated === undefined) return requested;
  return compareQuantities(allocated, requested) > 0 ? allocated : requested;
}

function bytes(value: string | undefined): Quantity | undefined {
  const reading = value === undefined ? undefined : parseQuantity(value);
  return reading?.outcome === 'parsed' ? roundUpQuantity(reading.quantity, 0) : undefined;
}

/** VolumeAttributesClasses: requested, current and target. */
const attributesClassesOf = (claim: PersistentVolumeClaim): readonly string[] => [
  ...new Set(
    [
      claim.spec?.volumeAttributesClassName,
      claim.status?.currentVolumeAttributesClassName,
      claim.status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
    ]
      .map(asString)
      .filter((name) => name !== ''),
  ),
];

/** `count/RESOURCE.GROUP`. */
const countName = ({ group, resource }: GroupResource): string =>
  `count/${group === '' ? resource : groupResourceText({ group, resource })}`;

/**
 * Counts objects as `count/…` and older names. Follows apiserver pkg/quota/v1/generic/evaluator.go
 * NewObjectCountEvaluator.
 */
function objectCountEvaluator(resource: GroupResource): Evaluator {
  const names = [countName(resource)];
  if (resource.group === '' && legacyCountNames.has(resource.resource)) names.push(resource.resource);
  const one = new Map(names.map((name) => [name, count(1)]));
  return {
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    matchingNames: (counted) => counted.filter((name) => one.has(name)),
    usage: () => one,
  };
}

/** Follows kubernetes pkg/quota/v1/evaluator/core/registry.go legacyObjectCountAliases. */
const legacyCountNames = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);

/** undefined for events and virtual resources. Follows kubernetes pkg/quota/v1/install/registry.go. */
export function evaluatorFor(resource: GroupResource, cluster: ClusterView): Evaluator | undefined {
  const name = groupResourceText(resource);
  if (uncounted.has(name)) return undefined;
  if (name === resourceClaims) return createResourceClaimEvaluator(cluster);
  return evaluators.get(name) ?? objectCountEvaluator(resource);
}

const resourceClaims = groupResourceText({ group: 'resource.k8s.io', resource: 'resourceclaims' });

const evaluators: ReadonlyMap<string, Evaluator> = new Map([
  [groupResourceText({ group: '', resource: 'pods' }), podEvaluator],
  [groupResourceText({ group: '', resource: 'services' }), serviceEvaluator],
  [groupResourceText({ group: '', resource: 'persistentvolumeclaims' }), claimEvaluator],
]);

const uncounted = new Set(
  [
    { group: '', resource: 'bindings' },
    { group: '', resource: 'componentstatuses' },
    { group: '', resource: 'events' },
    { group: 'events.k8s.io', resource: 'events' },
    { group: 'authentication.k8s.io', resource: 'tokenreviews' },
    { group: 'authentication.k8s.io', resource: 'selfsubjectreviews' },
    { group: 'authorization.k8s.io', resource: 'subjectaccessreviews' },
    { group: 'authorization.k8s.io', resource: 'localsubjectaccessreviews' },
    { group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' },
    { group: 'authorization.k8s.io', resource: 'selfsubjectrulesreviews' },
  ].map(groupResourceText),
);
