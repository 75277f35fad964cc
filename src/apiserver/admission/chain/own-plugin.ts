import { errorText } from '../../../machinery/error-text.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import { readJson } from '../../../machinery/json/json-reader.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, refuse } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import { internalError } from '../../../machinery/meta/status.ts';
import type { AdmissionAttributes, Operation } from './attributes.ts';
import { decodePatched } from './decode-patched.ts';
import { newForbidden } from './forbidden.ts';
import type { AsyncPlugin, Decide, PluginAnswer, PluginPorts } from './plugin.ts';

/** An admission plugin of the user's own: `kadmit serve --plugin FILE`, `plugins` of a scenario and of the library. */
export interface OwnPlugin {
  /** What traces call it; not the name of another plugin. */
  readonly name: string;
  /** Create and update unless something else is said. */
  readonly operations?: readonly Operation[];
  /** The plugin that it runs before, or after; without either it runs before ResourceQuota. */
  readonly before?: string;
  readonly after?: string;
  /** May change `request.object`. */
  readonly mutate?: (request: OwnRequest) => void | Promise<void>;
  readonly validate?: (request: OwnRequest) => void | Promise<void>;
}

/** The request, with an object of its own, and what the plugin may say to it. */
export interface OwnRequest extends Omit<AdmissionAttributes, 'object' | 'codec'> {
  /** As the plugins before left it; null for a DELETE. */
  readonly object: OwnObject | null;
  /** Ends the request with 403. */
  readonly deny: (message: string) => never;
  readonly warn: (text: string) => void;
}

/** An object that `mutate` may change in place. */
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

/** The plugin as the chain takes it: what it throws is a 500 that names it. */
export function ownInChain({ name, operations = ['CREATE', 'UPDATE'], mutate, validate }: OwnPlugin): AsyncPlugin {
  return {
    name,
    operations,
    ...(mutate && { mutate: deciding(name, mutate) }),
    ...(validate && { validate: deciding(name, validate) }),
  };
}

function deciding(name: string, act: NonNullable<OwnPlugin['mutate']>): Decide {
  return async (request, ports): Promise<Result<PluginAnswer>> => {
    const { codec: _codec, ...asked } = request;
    const warnings: string[] = [];
    const object: OwnObject | null = structuredClone(request.object);
    const deny = (message: string): never => {
      throw new Denial(message);
    };
    try {
      await act({ ...asked, object, deny, warn: (text) => void warnings.push(text) });
      return ok({ object: objectAfter(request, object, ports), warnings });
    } catch (error) {
      if (error instanceof Denial) return refuse(newForbidden(request, error.message));
      return refuse(internalError(`admission plugin "${name}" failed: ${errorText(error)}`));
    }
  };
}

/** The object as its kind has it, the very same when it says the same. Throws for one that the kind does not allow. */
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

/** Throws for what holds itself. */
const textOf = (object: object | null): string =>
  JSON.stringify(object, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
