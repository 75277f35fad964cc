import { errorText } from '../../../machinery/errors.ts';
import { readJson } from '../../../machinery/json/json-reader.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { internalError } from '../../../machinery/meta/status.ts';
import { admissionPlugins } from '../plugins/plugin-order.ts';
import type { AdmissionAttributes, Operation } from './attributes.ts';
import { decodePatched } from './decode-patched.ts';
import { newForbidden } from './refusal.ts';
import type { AsyncPlugin, Decide, PluginAnswer, PluginPorts } from './plugin.ts';

/** A user-defined admission plugin: `kadmit serve --plugin FILE`, `plugins` of a scenario and of the library. */
export interface OwnPlugin {
  /** Unique among all plugins; used in traces. */
  readonly name: string;
  /** Default: CREATE and UPDATE. */
  readonly operations?: readonly Operation[];
  /** The next plugin; default: before ResourceQuota. */
  readonly before?: string;
  readonly after?: string;
  readonly mutate?: (request: OwnRequest) => void | Promise<void>;
  readonly validate?: (request: OwnRequest) => void | Promise<void>;
}

/** The request with a copy of its object. */
export interface OwnRequest extends Omit<AdmissionAttributes, 'object' | 'codec'> {
  /** null for a DELETE. */
  readonly object: OwnObject | null;
  /** Refuses with 403. */
  readonly deny: (message: string) => never;
  readonly warn: (text: string) => void;
}

export interface OwnObject {
  apiVersion: string;
  kind: string;
  metadata?: {
    name?: string;
    namespace?: string;
    labels?: Record<string, string | undefined>;
    annotations?: Record<string, string | undefined>;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

class Denial extends Error {}

/** An error thrown by the plugin becomes a 500 that names it. */
export function wrapOwnPlugin({ name, operations = ['CREATE', 'UPDATE'], mutate, validate }: OwnPlugin): AsyncPlugin {
  return {
    name,
    operations,
    ...(mutate && { mutate: callOwnPlugin(name, mutate) }),
    ...(validate && { validate: callOwnPlugin(name, validate) }),
  };
}

function callOwnPlugin(name: string, act: NonNullable<OwnPlugin['mutate']>): Decide {
  return async (request, ports): Promise<Result<PluginAnswer>> => {
    const { codec: _codec, ...attributes } = request;
    const warnings: string[] = [];
    const object: OwnObject | null = structuredClone(request.object);
    const deny = (message: string): never => {
      throw new Denial(message);
    };
    try {
      await act({ ...attributes, object, deny, warn: (text) => void warnings.push(text) });
      return ok({ object: objectAfter(request, object, ports), warnings });
    } catch (error) {
      if (error instanceof Denial) return refuse(newForbidden(request, error.message));
      return refuse(internalError(`admission plugin "${name}" failed: ${errorText(error)}`));
    }
  };
}

/** The same object if nothing changed. Throws for one that its kind does not allow. */
function objectAfter(
  request: AdmissionAttributes,
  object: OwnObject | null,
  ports: Pick<PluginPorts, 'codec' | 'catalogue'>,
): KubernetesObject | null {
  if (!isJsonObject(object) || textOf(object) === textOf(request.object)) return request.object;
  const reading = readJson(writeJson(object));
  const value = reading.outcome === 'read' ? reading.json.value : null;
  const decoded = decodePatched(value, request.kind, request, ports);
  if (decoded.outcome === 'decoded') return decoded.object;
  throw new Error(decoded.error);
}

/** Throws for a cyclic object. */
const textOf = (object: object | null): string =>
  JSON.stringify(object, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

const compiledIn = admissionPlugins.inOrder;

/** All plugin names in order; several own plugins beside one keep the given order. */
export function insertOwnPlugins(names: readonly string[], own: readonly OwnPlugin[]): readonly string[] {
  const order = [...names];
  const following = new Map<string, string>();
  for (const { name, before, after } of own) {
    const anchor = before ?? following.get(after ?? '') ?? after ?? 'ResourceQuota';
    const place = order.indexOf(anchor);
    const isAfter = before === undefined && after !== undefined;
    order.splice(place < 0 ? order.length : place + (isAfter ? 1 : 0), 0, name);
    if (isAfter) following.set(after, name);
  }
  return order;
}

/** `TeamLabel runs after LimitRanger and before Priority`. */
export function describePluginOrder(name: string, order: readonly string[]): string {
  const place = order.indexOf(name);
  const [previous, next] = [order[place - 1], order[place + 1]];
  const parts = [previous === undefined ? [] : [`after ${previous}`], next === undefined ? [] : [`before ${next}`]];
  return `${name} runs ${parts.flat().join(' and ')}`;
}

/** Returns the plugin, or the error as text. */
export function readOwnPlugin(value: unknown, others: readonly OwnPlugin[]): OwnPlugin | string {
  if (!isOwnPlugin(value)) {
    return 'a plugin is { name, mutate(request) {…} } or { name, validate(request) {…} }, or has both';
  }
  const { name, before, after, operations = [] } = value;
  const known = [...compiledIn, ...others.map((one) => one.name)];
  if (known.includes(name)) return `there is a plugin ${name} already`;
  if (before !== undefined && after !== undefined)
    return `${name} is to run before ${before} and after ${after}: say one`;
  const anchor = before ?? after;
  if (anchor !== undefined && !known.includes(anchor)) {
    return `there is no plugin ${anchor} that ${name} could run ${before === undefined ? 'after' : 'before'}`;
  }
  const wrong = operations.find((one) => !allOperations.includes(one));
  return wrong === undefined ? value : `${name} has an operation ${wrong}; there are ${allOperations.join(', ')}`;
}

const allOperations: readonly string[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

function isOwnPlugin(value: unknown): value is OwnPlugin {
  if (!isJsonObject(value)) return false;
  const { name, before, after, mutate, validate, operations }: Readonly<Record<string, unknown>> = value;
  return (
    typeof name === 'string' &&
    name !== '' &&
    [before, after].every((one) => one === undefined || typeof one === 'string') &&
    [mutate, validate].every((one) => one === undefined || typeof one === 'function') &&
    (mutate ?? validate) !== undefined &&
    (operations === undefined || Array.isArray(operations))
  );
}
