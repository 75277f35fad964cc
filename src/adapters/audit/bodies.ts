import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonDocument, JsonObject } from '../../machinery/json/json.ts';
import { readJson } from '../../machinery/json/json-reader.ts';
import type { Finished } from '../../apiserver/request/handle.ts';

/** What an event shows of the body of a request. */
export type SentBody =
  | { readonly outcome: 'none' }
  | { readonly outcome: 'object'; readonly object: JsonDocument }
  /** Upstream cannot print such an event and drops it. */
  | { readonly outcome: 'unprintable' };

/**
 * The body as the audit event has it: the object as decoded, before anything changed it; a patch as it was sent, the
 * options of a deletion in their internal version. Follows apiserver pkg/audit/request.go and pkg/endpoints/handlers (rule AUD-1).
 */
export function sentBody(finished: Finished): SentBody {
  const { request, info, exchange } = finished;
  if (!exchange?.target) return none;
  if (info.verb === 'patch') return hasReadOptions(finished) ? patchBody(request.body) : none;
  if (exchange.sent) return { outcome: 'object', object: exchange.sent };
  const hasOptions = request.body.length > 0 && (info.verb === 'delete' || info.verb === 'deletecollection');
  return hasOptions ? optionsBody(request.body) : none;
}

/** After its options a patch is taken down, before that nothing. */
const hasReadOptions = ({ journal }: Finished): boolean =>
  journal.entries().some((entry) => entry.type === 'stage' && entry.name === 'read-options' && entry.passed);

function optionsBody(body: Uint8Array): SentBody {
  const read = readText(body);
  if (!read || !isJsonObject(read.value)) return none;
  const { kind: _kind, apiVersion: _apiVersion, ...options } = read.value;
  return { outcome: 'object', object: { ...deleteOptions, ...options } };
}

const none: SentBody = { outcome: 'none' };
/** They are read into the internal version. */
const deleteOptions = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal' };

/** A patch in YAML, in broken JSON, or of no bytes at all makes an event that cannot be encoded. */
function patchBody(body: Uint8Array): SentBody {
  const read = readText(body);
  return read ? { outcome: 'object', object: read.value } : { outcome: 'unprintable' };
}

function readText(body: Uint8Array): { readonly value: JsonDocument } | undefined {
  const reading = readJson(new TextDecoder().decode(body));
  return reading.outcome === 'read' ? { value: reading.json.value } : undefined;
}

/** The object without its managedFields, also those of a list's items. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const { items } = object;
  const bare = dropManagers(object);
  return Array.isArray(items)
    ? { ...bare, items: items.map((item) => (isJsonObject(item) ? dropManagers(item) : item)) }
    : bare;
}

function dropManagers(object: JsonObject | KubernetesObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || metadata['managedFields'] === undefined) return object;
  const { managedFields: _dropped, ...rest } = metadata;
  return { ...object, metadata: rest };
}
