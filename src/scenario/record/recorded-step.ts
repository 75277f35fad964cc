import { parse } from 'yaml';
import { apiVersionOf } from '../../apimachinery/gvk.ts';
import { asList, asObject, asString, isJsonObject, valueAt, withValue } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { patchBetween } from '../../trace/create-trace.ts';
import type { Trace, TracedRequest } from '../../trace/trace.ts';
import { aboutFields } from './recorded-expectation.ts';
import { verbOf } from './object-key.ts';
import { plainObject, plainPatch } from './plain-object.ts';

/** What a step does: its fields without `as`, `dryRun` and `expect`. A manifest stands in it as an object. */
export type RecordedAction =
  | { readonly outcome: 'recorded'; readonly verb: string; readonly fields: JsonObject }
  | { readonly outcome: 'untold'; readonly why: string };

export interface ActionContext {
  /** Is an object of this generated name spoken of later? Then it needs the name it got. */
  readonly isNamedLater: (trace: Trace) => boolean;
  /** Does a webhook add to the annotations of the object, so that it needs some? */
  readonly isAnnotated: (trace: Trace) => boolean;
  /** Was the object put there by the scenario, and not by a step? */
  readonly isLoaded: (trace: Trace) => boolean;
}

/** The action of a write; `untold` when the trace does not have what was sent. */
export function actionOf(trace: Trace, context: ActionContext): RecordedAction {
  const { request } = trace;
  switch (verbOf(request)) {
    case 'create':
      return manifestAction(trace, context);
    case 'update':
      return request.resource === 'pods' && request.subresource === ''
        ? podChange(trace)
        : manifestAction(trace, context);
    case 'patch':
      return patchAction(trace, context);
    case 'delete':
      return recorded('delete', { ...targetOf(trace), ...optionsOf(trace) });
    case 'deletecollection':
      return recorded('deletecollection', {
        deletecollection: wordOf(request),
        ...namespaceOf(request),
        ...selectorsOf(request),
      });
    default:
      return recorded('connect', { ...targetOf(trace), ...queryOf(request) });
  }
}

const recorded = (verb: string, { [verb]: subject, ...rest }: JsonObject): RecordedAction => ({
  outcome: 'recorded',
  verb,
  fields: { [verb]: subject, ...rest },
});

const untold = (why: string): RecordedAction => ({ outcome: 'untold', why });

function manifestAction(trace: Trace, context: ActionContext): RecordedAction {
  const { request } = trace;
  const object = manifestOf(trace, context);
  if (object === undefined) return untold('what was sent is not in the trace');
  return recorded(request.verb, { [request.verb]: object, ...subresourceOf(request), ...managerOf(request) });
}

/** What was sent, as a manifest; a body in another format than JSON or YAML is the object as it came to admission. */
function manifestOf(trace: Trace, { isNamedLater, isAnnotated }: ActionContext): JsonObject | undefined {
  const { request, objectReceived, response } = trace;
  const sent = bodyOf(request);
  const isLenient = response.warnings.some(aboutFields);
  const isOwn = request.subresource === '' || request.verb === 'create';
  const source = sent === undefined || isLenient ? (isOwn ? objectReceived : undefined) : sent;
  if (!source) return undefined;
  const about = {
    apiVersion:
      source['apiVersion'] ??
      objectReceived?.['apiVersion'] ??
      apiVersionOf({ group: request.group, version: request.version }),
    kind: source['kind'] ?? objectReceived?.['kind'],
  };
  if (asString(about.kind) === '') return undefined;
  const { metadata, ...rest } = plainObject({ ...source, ...about }, isAnnotated(trace));
  const status = request.subresource === 'status' ? { status: source['status'] } : {};
  const withoutBundles = asString(about.kind).endsWith('WebhookConfiguration') ? withoutBundle(rest) : rest;
  return {
    ...about,
    metadata: placedMetadata(asObject(metadata), trace, isNamedLater(trace)),
    ...withoutBundles,
    ...status,
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

function placedMetadata(metadata: JsonObject, { request, response }: Trace, isNamedLater: boolean): JsonObject {
  const { name, namespace: _namespace, ...others } = metadata;
  const isGenerated = asString(name) === '' && asString(metadata['generateName']) !== '';
  const wanted = isGenerated && !isNamedLater ? undefined : asString(name) || request.name;
  const isElsewhere = request.namespace !== '' && request.namespace !== 'default' && request.resource !== 'namespaces';
  // The revision was not the stored one, and must not be here.
  const isStale = request.verb === 'update' && response.status?.['reason'] === 'Conflict';
  return {
    ...(wanted === undefined || wanted === '' ? {} : { name: wanted }),
    ...(isElsewhere ? { namespace: request.namespace } : {}),
    ...others,
    ...(isStale ? { resourceVersion: '1' } : {}),
  };
}

/** What was sent as an object; undefined when the trace has no such body. */
function bodyOf({ body, contentType = '' }: TracedRequest): JsonObject | undefined {
  if (isJsonObject(body)) return body;
  if (typeof body !== 'string' || !contentType.includes('yaml')) return undefined;
  try {
    const value: unknown = parse(body, { version: '1.1' });
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function patchAction(trace: Trace, context: ActionContext): RecordedAction {
  const { request } = trace;
  const { contentType = '', body } = request;
  if (contentType.includes('apply-patch')) {
    const action = manifestAction(trace, context);
    if (action.outcome === 'untold') return action;
    const { patch: object, fieldManager: _manager, ...rest } = action.fields;
    const manager = queryOfText(request).get('fieldManager') ?? 'kadmit';
    const isForced =
      queryOfText(request).get('force') === 'true' || (trace.verdict === 'admitted' && context.isLoaded(trace));
    const details = {
      ...(manager === 'kadmit' ? {} : { fieldManager: manager }),
      ...(isForced ? { force: true } : {}),
    };
    return recorded('apply', { apply: object, ...rest, ...details });
  }
  const type = contentType.includes('json-patch')
    ? 'json'
    : contentType.includes('merge-patch') && !contentType.includes('strategic')
      ? 'merge'
      : 'strategic';
  if (body === undefined || typeof body !== 'object' || body === null) return untold('the patch is not in the trace');
  const patch: JsonValue = isJsonObject(body) ? plainPatch(body) : body;
  return recorded('patch', { ...targetOf(trace), [type]: patch, ...managerOf(request) });
}

/** A Pod cannot be replaced by the one that was sent: its token volume has another name in each run. A patch says the same. */
function podChange(trace: Trace): RecordedAction {
  const { objectBefore, objectReceived } = trace;
  if (!objectBefore || !objectReceived) return untold('the Pod before and after it is not in the trace');
  const changes = patchBetween(objectBefore, objectReceived).filter(({ path }) => !serverPath.test(asString(path)));
  const target = targetOf({ ...trace, request: { ...trace.request, verb: 'patch' } });
  return recorded('patch', { ...target, json: changes });
}

const serverPath =
  /^\/(?:metadata\/(?:annotations\/kubectl\.kubernetes\.io~1last-applied-configuration|managedFields|resourceVersion|generation)|status)(?:\/|$)/;

/** `deployments.apps`; one of the core reads better as kubectl takes it: `pod`. */
function wordOf({ group, resource, verb }: TracedRequest): string {
  if (group !== '') return `${resource}.${group}`;
  return verb === 'deletecollection' || resource === 'endpoints' ? resource : resource.replace(/s$/, '');
}

function targetOf(trace: Trace): JsonObject {
  const { request } = trace;
  const { name, subresource, path } = request;
  const verb = verbOf(request);
  // What follows a proxy is a part of its path.
  const [, tail = ''] = subresource === 'proxy' ? path.split('/proxy/') : [];
  const parts = [wordOf(request), name, subresource, tail].filter((part) => part !== '');
  return { [verb]: parts.join('/'), ...namespaceOf(request) };
}

const namespaceOf = ({ namespace, resource }: TracedRequest): JsonObject =>
  namespace === '' || namespace === 'default' || resource === 'namespaces' ? {} : { namespace };

const plainSubresources = new Set([
  'status',
  'eviction',
  'binding',
  'ephemeralcontainers',
  'token',
  'approval',
  'finalize',
]);

function subresourceOf({ subresource, resource, group }: TracedRequest): JsonObject {
  if (subresource === '') return {};
  if (plainSubresources.has(subresource)) return { subresource };
  return { subresource: `${group === '' ? resource : `${resource}.${group}`}/${subresource}` };
}

const queryOfText = ({ query }: TracedRequest): URLSearchParams => new URLSearchParams(query);

/** kubectl's own managers say nothing unless somebody applies. */
function managerOf(request: TracedRequest): JsonObject {
  const manager = queryOfText(request).get('fieldManager') ?? '';
  return manager === '' || manager.startsWith('kubectl') ? {} : { fieldManager: manager };
}

const ownOptions = new Set(['apiVersion', 'kind', 'dryRun']);

function optionsOf({ request, verdict }: Trace): JsonObject {
  const body = bodyOf(request) ?? {};
  const fields = Object.entries(body).filter(
    ([field, value]) =>
      !ownOptions.has(field) &&
      // kubectl's default, and uids that another run has not.
      !(field === 'propagationPolicy' && value === 'Background') &&
      !(field === 'preconditions' && verdict === 'admitted'),
  );
  return fields.length === 0 ? {} : { options: Object.fromEntries(fields) };
}

function selectorsOf(request: TracedRequest): JsonObject {
  const query = queryOfText(request);
  const given = ['labelSelector', 'fieldSelector'].flatMap((name) =>
    query.get(name) ? [[name, query.get(name)]] : [],
  );
  return Object.fromEntries(given) as JsonObject; // Texts by their names.
}

function queryOf(request: TracedRequest): JsonObject {
  const query = queryOfText(request);
  const names = [...new Set(query.keys())].filter((name) => name !== 'timeout');
  if (names.length === 0) return {};
  const entries = names.map((name) => [
    name,
    query.getAll(name).length > 1 ? query.getAll(name) : (query.get(name) ?? ''),
  ]);
  return { query: Object.fromEntries(entries) as JsonObject }; // Texts and lists of them.
}

/** `pod-web`, for the name of a file. */
export const fileNameOf = (object: JsonObject): string =>
  [
    asString(object['kind']).toLowerCase(),
    asString(valueAt(object, 'metadata', 'name')) ||
      asString(valueAt(object, 'metadata', 'generateName')).replace(/-$/, ''),
  ]
    .filter((part) => part !== '')
    .join('-')
    .replaceAll(/[^\w.-]/g, '-');
