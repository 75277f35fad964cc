import { errorText } from '../../../machinery/errors.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import { readJson } from '../../../machinery/json/json-reader.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { internalError } from '../../../machinery/meta/status.ts';
import type { AdmissionAttributes, Operation } from './attributes.ts';
import { decodePatched } from './decode-patched.ts';
import { newForbidden } from './forbidden.ts';
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
