import { asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { maskSecretsIn, maskTrace } from '../../../explain/trace/mask.ts';
import type { Trace } from '../../../explain/trace/trace.ts';

/** A trace in which nobody can read what Secrets hold, and whose Secrets a server takes all the same. */
export function withoutSecrets(trace: Trace): Trace {
  const masked = maskTrace(trace);
  if (masked === trace) return trace;
  const isSecret = masked.request.resource === 'secrets' && masked.request.group === '';
  const { request, objectBefore, objectAfter, objectReceived, admission } = masked;
  const body = request.body === undefined ? {} : { body: storable(request.body, isSecret) };
  return {
    ...masked,
    request: { ...request, ...body },
    objectBefore: objectBefore && asObject(storable(objectBefore, isSecret)),
    objectAfter: objectAfter && asObject(storable(objectAfter, isSecret)),
    ...(objectReceived ? { objectReceived: asObject(storable(objectReceived, isSecret)) } : {}),
    admission: admission.map((one) =>
      one.type === 'webhook' && one.patch && isSecret
        ? { ...one, patch: one.patch.map((operation) => asObject(storable(operation, isSecret))) }
        : one,
    ),
  };
}

/** The same of an object. */
export function withoutSecretsIn(object: JsonObject): JsonObject {
  const masked = maskSecretsIn(object);
  return masked === object ? object : asObject(storable(masked, false));
}

/** `data` holds base64, and some keys hold JSON; `isSecret`: the value is a Secret, a patch of one or a part of such a patch. */
function storable(value: JsonValue, isSecret: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => storable(item, isSecret));
  if (!isJsonObject(value)) return value;
  const isOne = isSecret || value['kind'] === 'Secret';
  if (isOne && asString(value['path']).startsWith('/data')) return operation(value);
  return Object.fromEntries(
    Object.entries(value).map(([field, child]) => [
      field,
      field === 'data' && isOne ? encoded(child ?? null, '') : storable(child ?? null, false),
    ]),
  );
}

const operation = (value: JsonObject): JsonObject =>
  value['value'] === undefined
    ? value
    : { ...value, value: encoded(value['value'], asString(value['path']).slice('/data/'.length)) };

const json = new Set(['.dockerconfigjson', '.dockercfg']);

function encoded(value: JsonValue, key: string): JsonValue {
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([field, child]) => [field, encoded(child ?? null, field)]));
  }
  if (typeof value !== 'string') return value;
  return btoa(json.has(key) ? '{"auths":{}}' : value.replaceAll(/[‹›]/g, ''));
}
