import { controllerReference } from '../ownership.ts';
import type { ControllerContext } from '../../controller.ts';
import type { ObjectName } from '../follow-pods.ts';
import { labelOf } from '../history/revisions.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../../api/types/generated/discovery-v1.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import type { ApiClient } from '../../client.ts';
import { putObject, removeObject, postObject, ignoreTerminatingNamespace } from '../../write-object.ts';
import { namespaceOf, nameOf, isDeleted } from '../fields.ts';
import type { AddressType } from './service-endpoint.ts';
import { withTriggerAnnotation } from './trigger-times.ts';

/** Endpoints with equal ports share slices. */
export interface EndpointGroup {
  readonly addressType: AddressType;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

interface SlicePlan {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly delete: readonly EndpointSlice[];
}

interface DesiredSlices {
  readonly groups: readonly EndpointGroup[];
  /** Each of these exists even without endpoints. */
  readonly addressTypes: readonly AddressType[];
  readonly labels: Readonly<Record<string, string>>;
  /** The Service or Endpoints. */
  readonly owner: KubernetesObject;
  /** The maximum endpoints per slice. */
  readonly max: number;
}

/** The writes that update the slices, as few as possible. Follows k8s.io/endpointslice reconciler.go. */
export function planSlices(existing: readonly EndpointSlice[], desired: DesiredSlices): SlicePlan {
  const groups = desired.groups.filter(({ endpoints }) => endpoints.length > 0);
  const plans = groups.map((group) =>
    planGroup(
      existing.filter((slice) => belongsToGroup(slice, group)),
      group,
      desired,
    ),
  );
  const used = new Set(plans.flatMap(({ remaining }) => remaining.map(nameOf)));
  const idle = existing.filter((slice) => !used.has(nameOf(slice)));
  const parts = plans.map(({ plan }) => plan);
  const empties = desired.addressTypes.filter((type) => !groups.some(({ addressType }) => addressType === type));
  const placeholders = empties.map((type) => ({
    bare: withMetadata(newSlice(desired.owner, type), { labels: desired.labels }),
    reusable: idle.filter((slice) => slice.addressType === type),
  }));
  const hasPlaceholder = ({ bare, reusable }: (typeof placeholders)[number]): boolean =>
    reusable.length === 1 && reusable.every((slice) => isPlaceholder(slice, bare));
  const satisfied = placeholders.filter(hasPlaceholder).flatMap(({ reusable }) => reusable);
  const missing = placeholders.filter((one) => !hasPlaceholder(one)).map(({ bare }) => bare);
  const excess = idle.filter((slice) => !satisfied.includes(slice));
  return reuseSlices({
    create: [...parts.flatMap(({ create }) => create), ...missing],
    update: parts.flatMap(({ update }) => update),
    delete: excess,
  });
}

/** Without endpoints and ports: nil, as protobuf decodes empty lists. Follows newEndpointSlice. */
const newSlice = (owner: KubernetesObject, addressType: AddressType): EndpointSlice => ({
  kind: 'EndpointSlice',
  apiVersion: 'discovery.k8s.io/v1',
  metadata: {
    generateName: `${nameOf(owner)}-`,
    namespace: namespaceOf(owner),
    ownerReferences: [controllerReference(owner)],
  },
  addressType,
  endpoints: null,
  ports: null,
});

const portsText = (ports: readonly EndpointPort[]): string =>
  ports
    .map(({ name, protocol, port, appProtocol }) => JSON.stringify([name, protocol, port, appProtocol]))
    .sort()
    .join();

const belongsToGroup = (slice: EndpointSlice, { addressType, ports }: EndpointGroup): boolean =>
  slice.addressType === addressType && portsText(asList(slice.ports)) === portsText(ports);

const isPlaceholder = (slice: EndpointSlice, bare: EndpointSlice): boolean =>
  asList(slice.endpoints).length === 0 &&
  asList(slice.ports).length === 0 &&
  sameJson(metadataOf(slice).labels ?? {}, metadataOf(bare).labels ?? {});

interface GroupPlan {
  readonly remaining: readonly EndpointSlice[];
  readonly plan: Omit<SlicePlan, 'delete'>;
}

const endpointKey = ({ addresses, hostname, targetRef, nodeName }: Endpoint): string =>
  JSON.stringify([addresses, hostname, targetRef?.uid ?? null, nodeName]);

/** Endpoints stay in their slice; new ones fill changed slices, then free space, then new slices. */
function planGroup(
  slices: readonly EndpointSlice[],
  group: EndpointGroup,
  { labels, owner, max }: DesiredSlices,
): GroupPlan {
  const desired = new Map(group.endpoints.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const drafts = slices.map((slice) => {
    const before = asList(slice.endpoints);
    const endpoints = before.map((endpoint) => desired.get(endpointKey(endpoint))).filter((one) => one !== undefined);
    for (const endpoint of endpoints) desired.delete(endpointKey(endpoint));
    const isChanged = !sameJson(endpoints, before) || !sameJson(metadataOf(slice).labels ?? {}, labels);
    return { slice, endpoints, isChanged };
  });
  const remaining = drafts.filter(({ endpoints }) => endpoints.length > 0);
  const left = [...desired.values()];
  const byRoom = [...remaining].sort((a, b) => Number(b.isChanged) - Number(a.isChanged));
  for (const draft of byRoom) {
    const more = left.splice(0, Math.max(0, max - draft.endpoints.length));
    draft.endpoints.push(...more);
    if (more.length > 0) draft.isChanged = true;
  }
  const create: EndpointSlice[] = [];
  while (left.length > 0) {
    const fresh = withMetadata(newSlice(owner, group.addressType), { labels });
    create.push({ ...fresh, ports: group.ports, endpoints: left.splice(0, max) });
  }
  const update = remaining
    .filter(({ isChanged }) => isChanged)
    .map(({ slice, endpoints }) => withMetadata({ ...slice, endpoints }, { labels }));
  return { remaining: remaining.map(({ slice }) => slice), plan: { create, update } };
}

/** Reuses a slice to delete in place of one to create. Follows finalize. */
function reuseSlices(plan: SlicePlan): SlicePlan {
  const create = [...plan.create];
  const update = [...plan.update];
  const toDelete = plan.delete.filter((slice) => {
    const index = create.findIndex(({ addressType }) => addressType === slice.addressType);
    const [next] = index < 0 ? [] : create.splice(index, 1);
    if (!next) return true;
    const { endpoints = null, ports = null } = next;
    update.push(withMetadata({ ...slice, endpoints, ports }, { labels: metadataOf(next).labels }));
    return false;
  });
  return { create, update, delete: toDelete };
}

export const endpointSlices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
export const serviceLabel = 'kubernetes.io/service-name';

/** The slices of a Service that this controller manages. */
export const managedSlices = (
  store: ControllerContext['store'],
  { namespace, name }: ObjectName,
  managedBy: string,
): readonly EndpointSlice[] =>
  store
    .list(endpointSlices, namespace)
    .filter(
      (slice) =>
        labelOf(slice, serviceLabel) === name && labelOf(slice, managedByLabel) === managedBy && !isDeleted(slice),
    );

/** Executes a plan; every written slice has the trigger time. */
export async function writeSlices(
  client: ApiClient,
  plan: SlicePlan,
  triggerTime: string | undefined,
): Promise<Result<unknown>> {
  for (const slice of plan.create) {
    const created = await postObject(client, endpointSlices, withTrigger(slice, triggerTime));
    if (!created.ok) return ignoreTerminatingNamespace(created);
  }
  for (const slice of plan.update) {
    const written = await putObject(client, endpointSlices, withTrigger(slice, triggerTime));
    if (!written.ok) return written;
  }
  for (const slice of plan.delete) {
    const deleted = await removeObject(client, endpointSlices, slice);
    if (!deleted.ok) return deleted;
  }
  return ok(undefined);
}

function withTrigger(slice: EndpointSlice, triggerTime: string | undefined): KubernetesObject {
  const annotations = withTriggerAnnotation(slice, triggerTime);
  return withMetadata(slice, { annotations: Object.keys(annotations).length === 0 ? undefined : annotations });
}
