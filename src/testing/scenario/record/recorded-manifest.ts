import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { parse } from 'yaml';
import type { Trace, TracedRequest } from '../../../explain/trace/trace.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  valueAt,
  withValue,
} from '../../../machinery/json/json.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import { tracedVerb } from './object-key.ts';
import { plainObject } from './plain-object.ts';
import { isFieldWarning } from './recorded-expectation.ts';

export interface ActionContext {
  /** A later write names this generated name: keep it. */
  readonly isNamedLater: (trace: Trace) => boolean;
  /** A webhook adds to the annotations: the object needs some. */
  readonly isAnnotated: (trace: Trace) => boolean;
  /** The scenario's `load` stores it, not a step. */
  readonly isLoaded: (trace: Trace) => boolean;
}

/** The sent manifest; for bodies other than JSON or YAML, the object that admission received. */
export function recordManifest(trace: Trace, { isNamedLater, isAnnotated }: ActionContext): JsonObject | undefined {
  const source = sentManifest(trace);
  const about = source && manifestKind(source, trace);
  if (!source || !about || about.kind === '') return undefined;
  const { metadata, ...rest } = plainObject({ ...source, ...about }, isAnnotated(trace));
  return {
    ...about,
    metadata: {
      ...nameAndNamespace(asObject(metadata), trace, isNamedLater(trace)),
      ...otherMetadata(asObject(metadata), trace),
    },
    ...(about.kind.endsWith('WebhookConfiguration') ? withoutBundle(rest) : rest),
    ...(trace.request.subresource === 'status' ? { status: source['status'] } : {}),
  };
}

function sentManifest(trace: Trace): JsonObject | undefined {
  const { request, objectReceived, response } = trace;
  const sent = response.warnings.some(isFieldWarning) ? undefined : parseRecordedBody(request);
  if (sent !== undefined) return sent;
  const isOwn = request.subresource === '' || request.verb === 'create';
  return (isOwn && objectReceived) || undefined;
}

/** A body may omit apiVersion and kind, which its path has. */
function manifestKind(
  { apiVersion, kind }: JsonObject,
  { request: { group, version }, objectReceived }: Trace,
): Pick<KubernetesObject, 'apiVersion' | 'kind'> {
  const received = asObject(objectReceived ?? undefined);
  return {
    apiVersion: asString(apiVersion) || asString(received['apiVersion']) || apiVersionOf({ group, version }),
    kind: asString(kind) || asString(received['kind']),
  };
}

/** Stubs need no certificate. */
const withoutBundle = (rest: JsonObject): JsonObject => ({
  ...rest,
  ...(rest['webhooks'] === undefined
    ? {}
    : {
        webhooks: asList(rest['webhooks']).map((one) =>
          withValue(asObject(one), ['clientConfig', 'caBundle'], undefined),
        ),
      }),
});

/** A generated name only when a later write uses it. */
function nameAndNamespace(metadata: JsonObject, { request }: Trace, isNamedLater: boolean): JsonObject {
  const isGenerated = asString(metadata['name']) === '' && asString(metadata['generateName']) !== '';
  const name = asString(metadata['name']) || (isGenerated && !isNamedLater ? '' : request.name);
  return { ...(name === '' ? {} : { name }), ...recordedNamespace(request) };
}

function otherMetadata(
  { name: _name, namespace: _namespace, ...others }: JsonObject,
  { request, response }: Trace,
): JsonObject {
  // The request had a stale revision: so must the step.
  const isStale = request.verb === 'update' && response.status?.['reason'] === 'Conflict';
  return isStale ? { ...others, resourceVersion: '1' } : others;
}

/** undefined without such a body in the trace. */
export function parseRecordedBody({ body, contentType = '' }: TracedRequest): JsonObject | undefined {
  if (isJsonObject(body)) return body;
  if (typeof body !== 'string' || !contentType.includes('yaml')) return undefined;
  try {
    const value: unknown = parse(body, { version: '1.1', uniqueKeys: false });
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `pod-web` */
export const manifestFileName = (object: JsonObject): string =>
  [
    asString(object['kind']).toLowerCase(),
    asString(valueAt(object, 'metadata', 'name')) ||
      asString(valueAt(object, 'metadata', 'generateName')).replace(/-$/, ''),
  ]
    .filter((part) => part !== '')
    .join('-')
    .replaceAll(/[^\w.-]/g, '-');

/** `deployments.apps`; core resources as kubectl takes them: `pod`. */
export function kubectlResource({ group, resource, verb }: TracedRequest): string {
  if (group !== '') return `${resource}.${group}`;
  return verb === 'deletecollection' || resource === 'endpoints' ? resource : resource.replace(/s$/, '');
}

export function recordedTarget(trace: Trace): JsonObject {
  const { request } = trace;
  const { name, subresource, path } = request;
  const verb = tracedVerb(request);
  // The rest of a proxy path follows it.
  const [, tail = ''] = subresource === 'proxy' ? path.split('/proxy/') : [];
  const parts = [kubectlResource(request), name, subresource, tail].filter((part) => part !== '');
  return { [verb]: parts.join('/'), ...recordedNamespace(request) };
}

export const recordedNamespace = ({ namespace, resource }: TracedRequest): JsonObject =>
  namespace === '' || namespace === 'default' || resource === 'namespaces' ? {} : { namespace };
