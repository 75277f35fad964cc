import { millisecondsOf } from './workloads/pod-state.ts';
import { applyObject, postObject, removeObject } from './write-object.ts';
import type { GroupResource, GroupVersionResource } from '../machinery/meta/gvk.ts';
import { asObject, asString } from '../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../machinery/meta/object.ts';
import { ok, type Result } from '../machinery/meta/result.ts';
import { formatTime } from '../machinery/meta/time.ts';
import { createAddressObject, listClusterIps } from '../api/strategy/cluster-ips.ts';
import { apiserverUser, type ApiClient } from './client.ts';
import { type ControllerContext, followResource } from './controller.ts';
import { serviceRange } from './seed-objects.ts';
import { createWorkQueue, type QueueProgress, combineProgress } from './work-queue.ts';
import type { Service } from '../api/types/generated/core-v1.ts';
import type { IPAddress } from '../api/types/generated/networking-v1.ts';

const services: GroupResource = { group: '', resource: 'services' };
const addresses: GroupVersionResource = { group: 'networking.k8s.io', version: 'v1', resource: 'ipaddresses' };
const ranges: GroupVersionResource = { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs' };
const defaultRange = 'kubernetes';
/** How long an IPAddress may exist without its Service, in milliseconds. */
const graceMs = 60_000;

/**
 * The API server's own controllers for Service addresses: creates missing IPAddresses, removes those without a
 * Service, and restores the range `kubernetes`. Follows kubernetes
 * pkg/registry/core/service/ipallocator/controller/repairip.go and
 * pkg/controlplane/controller/defaultservicecidr/default_servicecidr_controller.go.
 */
export function runServiceAddressController(context: ControllerContext, range: string): QueueProgress {
  const { store, served } = context;
  const client = context.clientFor(apiserverUser);
  const isServed = served.all().some(({ group, resource }) => group === addresses.group && resource === 'ipaddresses');
  const ports: AddressPorts = { store, client, range, now: context.clock.now };
  const forServices = createWorkQueue<string>(sameKey, (key) => repairService(ports, key), context);
  const forAddresses = createWorkQueue<string>(
    sameKey,
    async (name) => {
      const left = await repairAddress(ports, name);
      if (left.ok && left.value > 0) forAddresses.addAfter(name, left.value);
      return left;
    },
    context,
  );
  const forRange = createWorkQueue<string>(sameKey, () => restoreRange(ports), context);
  if (!isServed) return combineProgress([]);
  followResource(context, services, ({ type, object }) => {
    const { namespace = '', name = '' } = metadataOf(object);
    const isWhole = listClusterIps(object).every((ip) => isAddressOf(store.get(addresses, '', ip), object));
    if (type !== 'removed' && !isWhole) forServices.add(`${namespace}/${name}`);
  });
  followResource(context, addresses, ({ type, object }) => {
    if (type !== 'removed' && isOwn(object)) forAddresses.addAfter(metadataOf(object).name ?? '', graceMs);
  });
  followResource(context, ranges, ({ type, object }) => {
    if (type === 'removed' && metadataOf(object).name === defaultRange) forRange.add(defaultRange);
  });
  return combineProgress([forServices.progress, forAddresses.progress, forRange.progress]);
}

const sameKey = (key: string): string => key;

interface AddressPorts extends Pick<ControllerContext, 'store'> {
  readonly client: ApiClient;
  readonly range: string;
  readonly now: () => number;
}

async function repairService({ store, client }: AddressPorts, key: string): Promise<Result<unknown>> {
  const [namespace = '', name = ''] = key.split('/');
  const service: Service | undefined = store.get(services, namespace, name);
  if (!service) return ok(undefined);
  for (const ip of listClusterIps(service).filter((one) => !one.includes(':'))) {
    const address: IPAddress | undefined = store.get(addresses, '', ip);
    if (address && belongsToOther(store, address, service)) continue;
    const created = await replaceAddress(client, address, createAddressObject(ip, service));
    if (!created.ok && created.status.reason !== 'AlreadyExists') return created;
  }
  return ok(undefined);
}

/** Of two Services with one address, the one in the IPAddress keeps it. */
function belongsToOther(store: AddressPorts['store'], address: IPAddress, service: Service): boolean {
  const owner = ownerOf(address);
  const other = owner && store.get(services, owner.namespace, owner.name);
  return other !== undefined && metadataOf(other).uid !== metadataOf(service).uid;
}

/** Milliseconds until the next check; 0 for none. */
async function repairAddress({ store, client, now }: AddressPorts, name: string): Promise<Result<number>> {
  const address: IPAddress | undefined = store.get(addresses, '', name);
  const owner = address && ownerOf(address);
  const service = owner && store.get(services, owner.namespace, owner.name);
  if (!address || !isOwn(address) || (service && listClusterIps(service).includes(name))) return ok(0);
  const age = now() - (millisecondsOf(metadataOf(address).creationTimestamp ?? '') ?? 0);
  if (age < graceMs) return ok(graceMs - age);
  const removed = await removeObject(client, addresses, address);
  return removed.ok ? ok(0) : removed;
}

async function restoreRange({ store, client, range, now }: AddressPorts): Promise<Result<unknown>> {
  if (store.get(ranges, '', defaultRange)) return ok(undefined);
  const { status, ...object } = serviceRange(range, formatTime(now()));
  const created = await postObject(client, ranges, object);
  if (!created.ok) return created;
  const { kind, apiVersion } = object;
  const configuration = { kind, apiVersion, metadata: { name: defaultRange }, status };
  const options = { fieldManager: 'kubernetes-service-cidr-controller', subresource: '/status' } as const;
  return applyObject(client, ranges, configuration, options);
}

async function replaceAddress(
  client: ApiClient,
  old: IPAddress | undefined,
  wanted: ReturnType<typeof createAddressObject>,
): Promise<Result<unknown>> {
  if (old) await removeObject(client, addresses, old);
  return postObject(client, addresses, wanted);
}

const isOwn = (address: KubernetesObject): boolean =>
  metadataOf(address).labels?.['ipaddress.kubernetes.io/managed-by'] === 'ipallocator.k8s.io';

/** undefined when it names another kind. */
function ownerOf(address: IPAddress): { readonly namespace: string; readonly name: string } | undefined {
  const { group = '', resource, namespace, name } = asObject(address.spec?.parentRef);
  return group === '' && resource === 'services' ? { namespace: asString(namespace), name: asString(name) } : undefined;
}

function isAddressOf(address: KubernetesObject | undefined, service: Service): boolean {
  const owner = address && ownerOf(address);
  const { namespace, name } = metadataOf(service);
  return address !== undefined && isOwn(address) && owner?.namespace === namespace && owner?.name === name;
}
