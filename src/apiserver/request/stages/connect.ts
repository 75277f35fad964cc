import { noDeadline } from '../../../machinery/meta/deadline.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { asString, valueAt } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { parseUint16 } from '../../../machinery/go/parse-integer.ts';
import { ok, refuse } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import { badRequest, notFound, notImplemented } from '../../../machinery/meta/status.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import { changed, held } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import { containerProblem } from '../pod-container.ts';
import { missingNode } from '../pod-node.ts';
import { isTrue } from '../request-info.ts';
import type { Rooms } from '../rooms.ts';
import { locationProblem } from '../service-location.ts';
import type { Stage } from '../stage.ts';
import { attributesOf, mutate, validate } from './admission.ts';
import { readCurrent } from './load-current.ts';

/**
 * exec, attach, portforward and proxy: the options of the query go through admission as CONNECT; behind it there is no
 * kubelet to connect to. Follows apiserver pkg/endpoints/handlers/rest.go ConnectResource (rules PATH-60, DRY-7).
 */
export const connect = (rooms: Rooms): Stage => ({
  name: 'connect',
  run: async (exchange) => {
    if (exchange.request.query.has('dryRun')) return refuse(badRequest('dryRun is not supported'));
    const options = connectOptions(exchange);
    if (!options.ok) return options;
    const attributes = attributesOf(exchange, {
      operation: 'CONNECT',
      name: held(exchange.target, 'target').info.name,
      object: options.value,
      oldObject: null,
      options: null,
      dryRun: false,
    });
    const mutated = await mutate(rooms, exchange, attributes);
    if (!mutated.ok) return mutated;
    const admitted = await validate(rooms, exchange, { ...attributes, object: mutated.value });
    return admitted.ok ? noKubelet(rooms, exchange) : admitted;
  },
});

const inContainer = new Set(['exec', 'attach']);
const streaming = new Set(['exec', 'attach', 'portforward']);

async function noKubelet(rooms: Rooms, exchange: Exchange): Promise<ReturnType<typeof refuse>> {
  const target = held(exchange.target, 'target');
  const { subresource, resource } = target.resource;
  if (resource === 'services') {
    const problem = await locationProblem(rooms, target.info);
    return refuse(problem ?? withoutKubelet(target.resource));
  }
  const current = await readCurrent(rooms, target);
  if (!current.ok) return current;
  if (!current.value) return refuse(notFound(target.resource, target.info.name));
  if (resource === 'pods') {
    const problem = podProblem(subresource, current.value.object, exchange);
    if (problem !== undefined) return refuse(badRequest(problem));
    const missing = streaming.has(subresource) ? await missingNode(rooms, current.value.object) : undefined;
    if (missing !== undefined) return refuse(missing);
    if (streaming.has(subresource) && !upgrades(exchange)) return refuse(badRequest('Upgrade request required'));
  }
  return refuse(withoutKubelet(target.resource));
}

const withoutKubelet = ({
  resource,
  subresource,
}: {
  readonly resource: string;
  readonly subresource: string;
}): Status =>
  notImplemented(`the request passed admission, but there is no kubelet here to answer ${resource}/${subresource}`);

/** Why upstream would not connect to a Pod, found in its order. Follows kubernetes pkg/registry/core/pod/strategy.go. */
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

/** The fields of each options kind, in Go's order, and how the query spells them. */
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

/** The options object of a CONNECT. */
function connectOptions(exchange: Exchange): Result<KubernetesObject> {
  const { resource, info } = held(exchange.target, 'target');
  const { kind } = resource;
  const options: Record<string, JsonValue> = {};
  for (const [name, type] of fields[kind.kind] ?? []) {
    const values = exchange.request.query.getAll(name);
    const read = type === 'int32s' ? portsIn(values) : ok(queryValue(values, type));
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
      return isTrue(values[0] ?? '') ? true : undefined;
    case 'string':
      return values[0] || undefined;
    case 'strings':
      return values;
  }
}

/** Follows apimachinery pkg/apis/meta/v1/conversion.go Convert_Slice_string_To_Slice_int32. */
function portsIn(values: readonly string[]): Result<readonly number[] | undefined> {
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

/** A CONNECT is long-running: only a webhook's own timeoutSeconds bounds it (rule FAIL-40). */
export const withoutDeadline: Stage = {
  name: 'without-deadline',
  run: async (exchange) => ok(changed(exchange, { deadline: noDeadline })),
};
