import { asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { patchBetween } from '../../../explain/trace/patch-between.ts';
import type { Trace, TracedRequest } from '../../../explain/trace/trace.ts';
import { verbOf } from './object-key.ts';
import { plainPatch } from './plain-object.ts';
import { bodyOf, manifestOf } from './recorded-manifest.ts';
import type { ActionContext } from './recorded-manifest.ts';
import { namespaceOf, targetOf, wordOf } from './recorded-target.ts';

/** What a step does: its fields without `as`, `dryRun` and `expect`. A manifest stands in it as an object. */
export type RecordedAction =
  | { readonly outcome: 'recorded'; readonly verb: string; readonly fields: JsonObject }
  | { readonly outcome: 'untold'; readonly why: string };

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

function patchAction(trace: Trace, context: ActionContext): RecordedAction {
  const { request } = trace;
  const { contentType = '', body } = request;
  if (contentType.includes('apply-patch')) return applyAction(trace, context);
  if (body === undefined || typeof body !== 'object' || body === null) return untold('the patch is not in the trace');
  const patch: JsonValue = isJsonObject(body) ? plainPatch(body) : body;
  return recorded('patch', { ...targetOf(trace), [patchTypeOf(contentType)]: patch, ...managerOf(request) });
}

function patchTypeOf(contentType: string): string {
  if (contentType.includes('json-patch')) return 'json';
  return contentType.includes('strategic') ? 'strategic' : 'merge';
}

function applyAction(trace: Trace, context: ActionContext): RecordedAction {
  const object = manifestOf(trace, context);
  if (object === undefined) return untold('what was sent is not in the trace');
  const query = new URLSearchParams(trace.request.query);
  const manager = query.get('fieldManager') ?? 'kadmit';
  // What the scenario loads belongs to somebody else.
  const isForced = query.get('force') === 'true' || (trace.verdict === 'admitted' && context.isLoaded(trace));
  return recorded('apply', {
    apply: object,
    ...subresourceOf(trace.request),
    ...(manager === 'kadmit' ? {} : { fieldManager: manager }),
    ...(isForced ? { force: true } : {}),
  });
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

/** kubectl's own managers say nothing unless somebody applies. */
function managerOf(request: TracedRequest): JsonObject {
  const manager = new URLSearchParams(request.query).get('fieldManager') ?? '';
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
  const query = new URLSearchParams(request.query);
  const given = ['labelSelector', 'fieldSelector'].flatMap((name) =>
    query.get(name) ? [[name, query.get(name)]] : [],
  );
  return Object.fromEntries(given) as JsonObject; // Texts by their names.
}

function queryOf(request: TracedRequest): JsonObject {
  const query = new URLSearchParams(request.query);
  const names = [...new Set(query.keys())].filter((name) => name !== 'timeout');
  if (names.length === 0) return {};
  const entries = names.map((name) => [
    name,
    query.getAll(name).length > 1 ? query.getAll(name) : (query.get(name) ?? ''),
  ]);
  return { query: Object.fromEntries(entries) as JsonObject }; // Texts and lists of them.
}
