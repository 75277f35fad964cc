import { goQuote } from '../apimachinery/field-error.ts';
import { asList, asObject, asString, valueAt } from '../apimachinery/json.ts';
import type { JsonObject } from '../apimachinery/json.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { parseInt64 } from '../apimachinery/parse-integer.ts';
import { badRequest, notFound, serviceUnavailable } from '../apimachinery/status.ts';
import type { Status } from '../apimachinery/status.ts';
import type { Rooms } from './rooms.ts';

/**
 * Why upstream would find nothing to proxy to behind a Service, which is asked for as `name`, `name:port` or
 * `scheme:name:port`; undefined when it would find an address of a Pod. Follows kubernetes
 * pkg/registry/core/service/storage/storage.go ResourceLocation.
 */
export async function locationProblem(
  { storage }: Rooms,
  { namespace, name: id }: { readonly namespace: string; readonly name: string },
): Promise<Status | undefined> {
  const read = async (resource: string, name: string): Promise<KubernetesObject | undefined> =>
    (await storage.read({ resource: { group: '', resource }, namespace, name }))?.object;
  const { name, port } = split(id) ?? {};
  if (name === undefined || port === undefined) return badRequest(`invalid service request ${goQuote(id)}`);
  const number = parseInt64(port);
  let portName = port;
  if (number.outcome === 'parsed') {
    const service = await read('services', name);
    if (!service) return notFound({ group: '', resource: 'services' }, name);
    const declared = asList(valueAt(service, 'spec', 'ports')).map(asObject);
    const found = declared.find((one) => one['port'] === number.value);
    if (!found) return serviceUnavailable(`no service port ${number.value} found for service ${goQuote(name)}`);
    portName = asString(found['name']);
  }
  const endpoints = await read('endpoints', name);
  if (!endpoints) return notFound({ group: '', resource: 'endpoints' }, name);
  const subsets = asList(endpoints['subsets']).map(asObject);
  if (subsets.length === 0) return serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
  for (const address of addressesOf(subsets, portName)) {
    const target = asObject(address['targetRef']);
    if (asString(target['namespace']) !== namespace) continue;
    // oxlint-disable-next-line no-await-in-loop -- the first is enough
    const pod = await read('pods', asString(target['name']));
    const ips = asList(pod && valueAt(pod, 'status', 'podIPs')).map((one) => asObject(one)['ip']);
    if (ips.includes(address['ip'])) return undefined;
  }
  return serviceUnavailable(`no endpoints available for service ${goQuote(id)}`);
}

/** Follows apimachinery pkg/util/net/port_split.go. */
function split(id: string): { readonly name: string; readonly port: string } | undefined {
  const parts = id.split(':', 4);
  const [scheme = '', name = '', port = ''] = parts.length < 3 ? ['', ...parts] : parts;
  return parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme) ? undefined : { name, port };
}

/** Of the subsets that have a port of this name. */
const addressesOf = (subsets: readonly JsonObject[], port: string): readonly JsonObject[] =>
  subsets
    .filter((subset) => asList(subset['ports']).some((one) => asString(asObject(one)['name']) === port))
    .flatMap((subset) => asList(subset['addresses']).map(asObject));
