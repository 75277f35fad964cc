import { goQuote } from '../../machinery/meta/field-error.ts';
import { asList, asObject, asString, valueAt } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { parseInt64 } from '../../machinery/go/parse-integer.ts';
import { ok, refuse } from '../../machinery/meta/result.ts';
import type { Result } from '../../machinery/meta/result.ts';
import { badRequest, notFound, serviceUnavailable } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';
import type { YieldIfLong } from '../../machinery/yield-if-long.ts';
import type { Rooms } from './rooms.ts';

/** An object of the core group in the namespace. */
type Read = (resource: string, name: string) => Promise<KubernetesObject | undefined>;

/**
 * Why upstream would find nothing to proxy to behind a Service, which is asked for as `name`, `name:port` or
 * `scheme:name:port`; undefined when it would find an address of a Pod. Follows kubernetes
 * pkg/registry/core/service/storage/storage.go ResourceLocation.
 */
export async function locationProblem(
  { storage, yieldIfLong }: Rooms,
  { namespace, name: id }: { readonly namespace: string; readonly name: string },
): Promise<Status | undefined> {
  const read: Read = async (resource, name) =>
    (await storage.read({ resource: { group: '', resource }, namespace, name }))?.object;
  const asked = split(id);
  if (!asked) return badRequest(`invalid service request ${goQuote(id)}`);
  const { name } = asked;
  const port = await portName(read, asked);
  if (!port.ok) return port.status;
  const endpoints = await read('endpoints', name);
  if (!endpoints) return notFound(services, name);
  const subsets = asList(endpoints['subsets']).map(asObject);
  if (subsets.length === 0) return serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
  const isReady = await hasPod(read, addressesOf(subsets, port.value), { namespace, yieldIfLong });
  return isReady ? undefined : serviceUnavailable(`no endpoints available for service ${goQuote(id)}`);
}

/** Upstream words what is missing with the resource of the request, also for the endpoints: store.go qualifiedResourceFromContext. */
const services = { group: '', resource: 'services' };

interface Asked {
  readonly name: string;
  readonly port: string;
}

/** A port that is a number is one of the Service's, and has its name there. */
async function portName(read: Read, { name, port }: Asked): Promise<Result<string>> {
  const number = parseInt64(port);
  if (number.outcome === 'unparsable') return ok(port);
  const service = await read('services', name);
  if (!service) return refuse(notFound(services, name));
  const declared = asList(valueAt(service, 'spec', 'ports')).map(asObject);
  const found = declared.find((one) => one['port'] === number.value);
  if (found) return ok(asString(found['name']));
  return refuse(serviceUnavailable(`no service port ${number.value} found for service ${goQuote(name)}`));
}

/** Is one of the addresses that of a Pod of the namespace? */
async function hasPod(
  read: Read,
  addresses: readonly JsonObject[],
  { namespace, yieldIfLong }: { readonly namespace: string; readonly yieldIfLong: YieldIfLong },
): Promise<boolean> {
  for (const { ip, targetRef } of addresses) {
    // oxlint-disable-next-line no-await-in-loop -- there may be very many
    await yieldIfLong();
    const target = asObject(targetRef);
    if (asString(target['namespace']) !== namespace) continue;
    // oxlint-disable-next-line no-await-in-loop -- the first is enough
    const pod = await read('pods', asString(target['name']));
    if (asList(pod && valueAt(pod, 'status', 'podIPs')).some((one) => asObject(one)['ip'] === ip)) return true;
  }
  return false;
}

/** Follows apimachinery pkg/util/net/port_split.go. */
function split(id: string): Asked | undefined {
  const parts = id.split(':', 4);
  const [scheme = '', name = '', port = ''] = parts.length < 3 ? ['', ...parts] : parts;
  return parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme) ? undefined : { name, port };
}

/** Of the subsets that have a port of this name. */
const addressesOf = (subsets: readonly JsonObject[], port: string): readonly JsonObject[] =>
  subsets
    .filter((subset) => asList(subset['ports']).some((one) => asString(asObject(one)['name']) === port))
    .flatMap((subset) => asList(subset['addresses']).map(asObject));
