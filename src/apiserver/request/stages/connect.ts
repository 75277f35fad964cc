import { parseInt64, parseUint16 } from '../../../machinery/go/strconv.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue, valueAt } from '../../../machinery/json/json.ts';
import { noDeadline } from '../../../machinery/meta/deadline.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import {
  badRequest,
  notFound,
  notImplemented,
  serviceUnavailable,
  type Status,
} from '../../../machinery/meta/status.ts';
import type { YieldIfLong } from '../../../machinery/clock.ts';
import { withParts, type Exchange, requirePart } from '../exchange.ts';
import { containerProblem, missingNode } from './read-log.ts';
import { isTrueParameter } from '../request-info.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { attributesOf, runMutatingChain, runValidatingChain } from './admission.ts';
import { readCurrent } from './load-current.ts';

/**
 * exec, attach, portforward and proxy: CONNECT admission over the query's options; there is no kubelet to connect to.
 * Follows apiserver pkg/endpoints/handlers/rest.go ConnectResource (rules PATH-60, DRY-7).
 */
export const connect = (deps: HandlerDeps): Stage => ({
  name: 'connect',
  run: async (exchange) => {
    if (exchange.request.query.has('dryRun')) return refuse(badRequest('dryRun is not supported'));
    const options = connectOptions(exchange);
    if (!options.ok) return options;
    const attributes = attributesOf(exchange, {
      operation: 'CONNECT',
      name: requirePart(exchange.target, 'target').info.name,
      object: options.value,
      oldObject: null,
      options: null,
      dryRun: false,
    });
    const mutated = await runMutatingChain(deps, exchange, attributes);
    if (!mutated.ok) return mutated;
    const admitted = await runValidatingChain(deps, exchange, { ...attributes, object: mutated.value });
    return admitted.ok ? refuseConnection(deps, exchange) : admitted;
  },
});

const inContainer = new Set(['exec', 'attach']);
const streaming = new Set(['exec', 'attach', 'portforward']);

async function refuseConnection(deps: HandlerDeps, exchange: Exchange): Promise<ReturnType<typeof refuse>> {
  const target = requirePart(exchange.target, 'target');
  const { subresource, resource } = target.resource;
  if (resource === 'services') {
    const problem = await locationProblem(deps, target.info);
    return refuse(problem ?? kubeletMissing(target.resource));
  }
  const current = await readCurrent(deps, target);
  if (!current.ok) return current;
  if (!current.value) return refuse(notFound(target.resource, target.info.name));
  if (resource === 'pods') {
    const problem = podProblem(subresource, current.value.object, exchange);
    if (problem !== undefined) return refuse(badRequest(problem));
    const missing = streaming.has(subresource) ? await missingNode(deps, current.value.object) : undefined;
    if (missing !== undefined) return refuse(missing);
    if (streaming.has(subresource) && !upgrades(exchange)) return refuse(badRequest('Upgrade request required'));
  }
  return refuse(kubeletMissing(target.resource));
}

const kubeletMissing = ({
  resource,
  subresource,
}: {
  readonly resource: string;
  readonly subresource: string;
}): Status =>
  notImplemented(`the request passed admission, but there is no kubelet here to answer ${resource}/${subresource}`);

/** In upstream's order. Follows kubernetes pkg/registry/core/pod/strategy.go. */
function podProblem(subresource: string, pod: KubernetesObject, { request }: Exchange): string | undefined {
  if (subresource === 'proxy' && asString(valueAt(pod, 'status', 'podIP')) === '') return 'address not allowed';
  if (inContainer.has(subresource)) {
    const problem = containerProblem(pod, request.query.get('container') ?? '');
    if (problem !== undefined) return problem;
  }
  const name = metadataOf(pod).name ?? '';
  return asString(valueAt(pod, 'spec', 'nodeName')) === '' ? `pod ${name} does not have a host assigned` : undefined;
}

const upgrades = ({ request }: Exchange): boolean => request.headers['upgrade'] !== undefined;

const fields: Readonly<
  Record<string, readonly (readonly [name: string, type: 'bool' | 'string' | 'strings' | 'int32s'])[]>
> = {
  PodExecOptions: [
    ['stdin', 'bool'],
    ['stdout', 'bool'],
    ['stderr', 'bool'],
    ['tty', 'bool'],
    ['container', 'string'],
    ['command', 'strings'],
  ],
  PodAttachOptions: [
    ['stdin', 'bool'],
    ['stdout', 'bool'],
    ['stderr', 'bool'],
    ['tty', 'bool'],
    ['container', 'string'],
  ],
  PodPortForwardOptions: [['ports', 'int32s']],
};

function connectOptions(exchange: Exchange): Result<KubernetesObject> {
  const { resource, info } = requirePart(exchange.target, 'target');
  const { kind } = resource;
  const options: Record<string, JsonValue> = {};
  for (const [name, type] of fields[kind.kind] ?? []) {
    const values = exchange.request.query.getAll(name);
    const read = type === 'int32s' ? readPorts(values) : ok(queryValue(values, type));
    if (!read.ok) return read;
    if (read.value !== undefined) options[name] = read.value;
  }
  const isProxy = fields[kind.kind] === undefined;
  return ok({
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    ...options,
    ...(isProxy && info.subpath !== '' ? { path: info.subpath } : {}),
  });
}

function queryValue(values: readonly string[], type: 'bool' | 'string' | 'strings'): JsonValue | undefined {
  if (values.length === 0) return type === 'strings' ? null : undefined;
  switch (type) {
    case 'bool':
      return isTrueParameter(values[0] ?? '') ? true : undefined;
    case 'string':
      return values[0] || undefined;
    case 'strings':
      return values;
  }
}

/** Follows apimachinery pkg/apis/meta/v1/conversion.go Convert_Slice_string_To_Slice_int32. */
function readPorts(values: readonly string[]): Result<readonly number[] | undefined> {
  if (values.length === 0) return ok(undefined);
  const texts = values.join(',').split(',');
  const ports: number[] = [];
  for (const text of texts) {
    const read = parseUint16(text);
    if (read.outcome !== 'parsed') return refuse(badRequest(`cannot convert to []int32: ${read.error}`));
    ports.push(read.value);
  }
  return ok(ports);
}

/** Only timeoutSeconds bounds the calls of a CONNECT (rule FAIL-40). */
export const clearDeadline: Stage = {
  name: 'without-deadline',
  run: async (exchange) => ok(withParts(exchange, { deadline: noDeadline })),
};

type Read = (resource: string, name: string) => Promise<KubernetesObject | undefined>;

/**
 * `name`, `name:port` or `scheme:name:port`; undefined when an address of a Pod is found. Follows kubernetes
 * pkg/registry/core/service/storage/storage.go ResourceLocation.
 */
async function locationProblem(
  { storage, yieldIfLong }: HandlerDeps,
  { namespace, name: id }: { readonly namespace: string; readonly name: string },
): Promise<Status | undefined> {
  const read: Read = async (resource, name) =>
    (await storage.read({ resource: { group: '', resource }, namespace, name }))?.object;
  const parts = split(id);
  if (!parts) return badRequest(`invalid service request ${goQuote(id)}`);
  const { name } = parts;
  const port = await portName(read, parts);
  if (!port.ok) return port.status;
  const endpoints = await read('endpoints', name);
  if (!endpoints) return notFound(services, name);
  const subsets = asList(endpoints['subsets']).map(asObject);
  if (subsets.length === 0) return serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
  const isReady = await hasPod(read, addressesOf(subsets, port.value), { namespace, yieldIfLong });
  return isReady ? undefined : serviceUnavailable(`no endpoints available for service ${goQuote(id)}`);
}

/** The message names the request's resource also for endpoints: store.go qualifiedResourceFromContext. */
const services = { group: '', resource: 'services' };

interface ServiceAddress {
  readonly name: string;
  readonly port: string;
}

/** A port number is looked up in the Service. */
async function portName(read: Read, { name, port }: ServiceAddress): Promise<Result<string>> {
  const number = parseInt64(port);
  if (number.outcome === 'unparsable') return ok(port);
  const service = await read('services', name);
  if (!service) return refuse(notFound(services, name));
  const declared = asList(valueAt(service, 'spec', 'ports')).map(asObject);
  const found = declared.find((one) => one['port'] === number.value);
  if (found) return ok(asString(found['name']));
  return refuse(serviceUnavailable(`no service port ${number.value} found for service ${goQuote(name)}`));
}

/** Whether an address is that of a Pod in the namespace. */
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
function split(id: string): ServiceAddress | undefined {
  const parts = id.split(':', 4);
  const [scheme = '', name = '', port = ''] = parts.length < 3 ? ['', ...parts] : parts;
  return parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme) ? undefined : { name, port };
}

const addressesOf = (subsets: readonly JsonObject[], port: string): readonly JsonObject[] =>
  subsets
    .filter((subset) => asList(subset['ports']).some((one) => asString(asObject(one)['name']) === port))
    .flatMap((subset) => asList(subset['addresses']).map(asObject));
