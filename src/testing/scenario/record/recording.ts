import { maskSecretsIn, maskTrace } from '../../../explain/trace/mask.ts';
import { asObject, asString, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import type { Trace } from '../../../explain/trace/trace.ts';

export interface Recording {
  /** Become steps, oldest first (chooseWrites). */
  readonly writes: readonly Trace[];
  /** All traces of the server, oldest first. */
  readonly traces: readonly Trace[];
  /** Current objects of wantedObjects. */
  readonly currentObjects: readonly JsonObject[];
  readonly name: string;
  readonly description: string;
  /** For the first line, which editors read. */
  readonly schema: string;
  /** Adds a golden file to each step that leaves an object. */
  readonly golden: boolean;
  /** Does not mask Secrets. */
  readonly reveal: boolean;
}

/** File texts by path, and notes for the reader. */
export interface RecordedScenario {
  readonly files: ReadonlyMap<string, string>;
  readonly steps: number;
  readonly webhooks: number;
  readonly notes: readonly string[];
}

/** Index of the trace of the first write. */
export const recordingStart = ({ traces, writes }: Recording): number =>
  writes[0] ? Math.max(traces.indexOf(writes[0]), 0) : 0;

/** Masks Secrets. Traces before the first write matter for a deletecollection only. */
export function maskRecording(recording: Recording): Recording {
  const { traces, writes, currentObjects: found } = recording;
  const start = recordingStart(recording);
  const needsAll = writes.some(({ request }) => request.verb === 'deletecollection');
  const hidden = new Map<Trace, Trace>();
  for (const trace of needsAll ? traces : traces.slice(start)) hidden.set(trace, withoutSecrets(trace));
  const hide = (trace: Trace): Trace => hidden.get(trace) ?? trace;
  return {
    ...recording,
    traces: traces.map(hide),
    writes: writes.map(hide),
    currentObjects: found.map(withoutSecretsIn),
  };
}

/** Masked Secrets that a server still accepts. */
function withoutSecrets(trace: Trace): Trace {
  const masked = maskTrace(trace);
  if (masked === trace) return trace;
  const isSecret = masked.request.resource === 'secrets' && masked.request.group === '';
  const { request, objectBefore, objectAfter, objectReceived, admission } = masked;
  const body = request.body === undefined ? {} : { body: storableSecrets(request.body, isSecret) };
  return {
    ...masked,
    request: { ...request, ...body },
    objectBefore: objectBefore && asObject(storableSecrets(objectBefore, isSecret)),
    objectAfter: objectAfter && asObject(storableSecrets(objectAfter, isSecret)),
    ...(objectReceived ? { objectReceived: asObject(storableSecrets(objectReceived, isSecret)) } : {}),
    admission: admission.map((one) =>
      one.type === 'webhook' && one.patch && isSecret
        ? { ...one, patch: one.patch.map((operation) => asObject(storableSecrets(operation, isSecret))) }
        : one,
    ),
  };
}

function withoutSecretsIn(object: JsonObject): JsonObject {
  const masked = maskSecretsIn(object);
  return masked === object ? object : asObject(storableSecrets(masked, false));
}

/** `data` is base64, and some keys contain JSON. `isSecret`: the value is a Secret, its patch or a part of one. */
function storableSecrets(value: JsonValue, isSecret: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => storableSecrets(item, isSecret));
  if (!isJsonObject(value)) return value;
  const isSecretPart = isSecret || value['kind'] === 'Secret';
  if (isSecretPart && asString(value['path']).startsWith('/data')) return storableOperation(value);
  return Object.fromEntries(
    Object.entries(value).map(([field, child]) => [
      field,
      field === 'data' && isSecretPart ? encodeData(child ?? null, '') : storableSecrets(child ?? null, false),
    ]),
  );
}

const storableOperation = (value: JsonObject): JsonObject =>
  value['value'] === undefined
    ? value
    : { ...value, value: encodeData(value['value'], asString(value['path']).slice('/data/'.length)) };

const jsonKeys = new Set(['.dockerconfigjson', '.dockercfg']);

function encodeData(value: JsonValue, key: string): JsonValue {
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([field, child]) => [field, encodeData(child ?? null, field)]));
  }
  if (typeof value !== 'string') return value;
  return btoa(jsonKeys.has(key) ? '{"auths":{}}' : value.replaceAll(/[‹›]/g, ''));
}
