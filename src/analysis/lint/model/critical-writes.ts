import { asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import type { Labels } from '../../../machinery/selectors/label-requirement.ts';
import type { KnownLabels, PossibleWrite } from './rule-subsumption.ts';
import { findObject, type LintSet, templatesFor } from './lint-set.ts';
import type { ServedRow } from './served-rows.ts';

/** Writes that a backend in the cluster needs to recover. */
export function backendWrites(
  set: LintSet,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): readonly PossibleWrite[] {
  const pod = podLabels(set, namespace, name);
  return [
    possibleWrites(set, ['CREATE', 'pods', ''], { title: 'create a Pod', namespace, labels: pod }),
    possibleWrites(set, ['CREATE', 'pods', 'binding'], { title: 'bind a Pod to a Node', namespace, labels: noLabels }),
    possibleWrites(set, ['UPDATE', 'pods', 'status'], { title: 'report the status of a Pod', namespace, labels: pod }),
    possibleWrites(set, ['CREATE', 'discovery.k8s.io/endpointslices', ''], {
      title: 'publish its endpoints',
      namespace,
      labels: someLabels({ 'kubernetes.io/service-name': name }),
    }),
  ].flat();
}

/** A backend's Service, and the Namespace of it and its Pods. */
export function serviceWrites(
  set: LintSet,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): readonly PossibleWrite[] {
  const object = findObject(set, 'Service', namespace, name)?.object;
  const own = { labels: toLabels(valueAt(object, 'metadata', 'labels')), isWhole: object !== undefined };
  const [ofService, ofNamespace] = [
    { namespace, labels: own },
    { namespace, labels: namespaceLabels(set, namespace) },
  ];
  return [
    possibleWrites(set, ['CREATE', 'namespaces', ''], { ...ofNamespace, title: 'create its Namespace' }),
    possibleWrites(set, ['CREATE', 'services', ''], { ...ofService, title: 'create its Service' }),
    possibleWrites(set, ['UPDATE', 'services', ''], { ...ofService, title: 'change its Service' }),
  ].flat();
}

/** Writes that a node needs to become Ready. */
export const nodeWrites = (set: LintSet): readonly PossibleWrite[] =>
  [
    possibleWrites(set, ['CREATE', 'nodes', ''], { title: 'register a Node', namespace: '', labels: someLabels({}) }),
    possibleWrites(set, ['UPDATE', 'nodes', 'status'], {
      title: 'report the status of a Node',
      namespace: '',
      labels: someLabels({}),
    }),
    possibleWrites(set, ['UPDATE', 'coordination.k8s.io/leases', ''], {
      title: 'renew the Lease of a Node',
      namespace: 'kube-node-lease',
      labels: noLabels,
    }),
    possibleWrites(set, ['CREATE', 'certificates.k8s.io/certificatesigningrequests', ''], {
      title: 'request a certificate for a kubelet',
      namespace: '',
      labels: noLabels,
    }),
  ].flat();

export const systemWrites = (set: LintSet): readonly PossibleWrite[] =>
  [
    possibleWrites(set, ['CREATE', 'pods', ''], {
      title: 'create a Pod',
      namespace: 'kube-system',
      labels: someLabels({}),
    }),
    possibleWrites(set, ['UPDATE', 'coordination.k8s.io/leases', ''], {
      title: 'renew the Lease of a leader',
      namespace: 'kube-system',
      labels: noLabels,
    }),
  ].flat();

const noLabels: KnownLabels = { labels: {}, isWhole: true };
const someLabels = (labels: Labels): KnownLabels => ({ labels, isWhole: false });

function possibleWrites(
  set: LintSet,
  [operation, path, subresource]: readonly ['CREATE' | 'UPDATE', string, string],
  about: Pick<PossibleWrite, 'title' | 'namespace' | 'labels'>,
): readonly PossibleWrite[] {
  const row = findRow(set, path, subresource);
  return row === undefined
    ? []
    : [{ ...about, operation, row, namespaceLabels: namespaceLabels(set, about.namespace) }];
}

const findRow = ({ rows }: LintSet, path: string, subresource: string): ServedRow | undefined => {
  const [group, resource] = path.includes('/') ? path.split('/') : ['', path];
  return rows.find(
    (row) =>
      row.group === group && row.resource === resource && row.subresource === subresource && row.version === 'v1',
  );
};

/** Of the Namespace, if present; every namespace has its name label. */
function namespaceLabels(set: LintSet, name: string): KnownLabels {
  const object = findObject(set, 'Namespace', '', name);
  const labels = { ...toLabels(valueAt(object?.object, 'metadata', 'labels')), 'kubernetes.io/metadata.name': name };
  const isSystem = name.startsWith('kube-');
  return { labels, isWhole: object !== undefined || isSystem };
}

/** Of the workload that the Service selects, otherwise the Service's selector. */
function podLabels(set: LintSet, namespace: string, service: string): KnownLabels {
  const selector = asObject(valueAt(findObject(set, 'Service', namespace, service)?.object, 'spec', 'selector'));
  const [template] = templatesFor(set, namespace, selector);
  if (template === undefined) return someLabels(toLabels(selector));
  return { labels: toLabels(valueAt(template, 'metadata', 'labels')), isWhole: true };
}

const toLabels = (value: Parameters<typeof asObject>[0]): Labels =>
  Object.fromEntries(Object.entries(asObject(value)).map(([key, one]) => [key, asString(one)]));
