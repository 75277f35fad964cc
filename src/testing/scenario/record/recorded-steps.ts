import { patchBetween } from '../../../explain/trace/object-states.ts';
import type { Trace, TracedRequest } from '../../../explain/trace/trace.ts';
import { asObject, asString, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { requestAddress, wasStored, tracedVerb } from './object-key.ts';
import { plainPatch } from './plain-object.ts';
import { addsAnnotation } from './recorded-faults.ts';
import { recordExpectation } from './recorded-expectation.ts';
import { type ScenarioFiles, manifestYaml } from './scenario-files.ts';
import {
  type ActionContext,
  parseRecordedBody,
  manifestFileName,
  recordManifest,
  recordedNamespace,
  recordedTarget,
  kubectlResource,
} from './recorded-manifest.ts';
import type { RecordedStubs } from './recorded-stubs.ts';
import type { RecordedUsers } from './recorded-user.ts';
import type { Recording } from './recording.ts';

export interface StepsContext {
  readonly stubs: RecordedStubs;
  readonly users: RecordedUsers;
  /** Takes manifests too long for a step. */
  readonly files: ScenarioFiles;
}

/** With a `configure` where a webhook starts or stops failing. */
export function createSteps(
  { writes, golden }: Recording,
  { stubs, users, files }: StepsContext,
): { readonly steps: readonly JsonObject[]; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const context = actionContext(writes);
  const steps = writes.flatMap((write, index): readonly JsonObject[] => {
    const action = recordAction(write, context);
    if (action.outcome === 'unknown') {
      notes.push(`${write.request.verb} ${write.request.path} is no step: ${action.why}`);
      return [];
    }
    const subject = action.fields[action.verb];
    const isManifest = typeof subject === 'object' && subject !== null;
    const fields = isManifest
      ? { ...action.fields, [action.verb]: inlineOrFile(asObject(subject), files) }
      : action.fields;
    const file = golden && isManifest && leavesObject(write) ? goldenFile(index, asObject(subject)) : undefined;
    const as = users.asOf(write);
    const expect = recordExpectation(write, { ambiguous: stubs.ambiguous, golden: file });
    const step = {
      ...fields,
      ...(as === undefined ? {} : { as }),
      ...(write.request.dryRun ? { dryRun: true } : {}),
      ...(Object.keys(expect).length === 0 ? {} : { expect }),
    };
    return [...configureSteps(index, stubs), step];
  });
  return { steps, notes };
}

function configureSteps(index: number, { webhooks }: RecordedStubs): readonly JsonObject[] {
  return webhooks.flatMap(({ name, configuration, faults: { changes } }) => {
    const faults = changes.get(index);
    return faults === undefined
      ? []
      : [{ configure: configuration === undefined ? name : `${configuration}/${name}`, faults }];
  });
}

const maxLines = 14;

/** Inline if short, else in a file. */
function inlineOrFile(object: JsonObject, files: ScenarioFiles): JsonObject | string {
  const lines = manifestYaml(object).split('\n').length;
  return lines <= maxLines ? object : files.add(manifestFileName(object), [object]);
}

const leavesObject = ({ verdict, request, objectAfter }: Trace): boolean =>
  verdict === 'admitted' && objectAfter !== null && request.subresource === '';

const goldenFile = (index: number, object: JsonObject): string =>
  `${index + 1}-${manifestFileName(object)}.golden.yaml`;

function actionContext(writes: readonly Trace[]): ActionContext {
  const isSame = (one: Trace, other: Trace): boolean =>
    one.request.name !== '' && requestAddress(one.request) === requestAddress(other.request);
  return {
    isAnnotated: (trace) => writes.some((one) => (one === trace || isSame(one, trace)) && addsAnnotation(one)),
    isNamedLater: (trace) => writes.slice(writes.indexOf(trace) + 1).some((later) => isSame(trace, later)),
    isLoaded: (trace) => {
      const first = writes.find((one) => isSame(one, trace));
      return first !== undefined && !(wasStored(first) && first.objectBefore === null);
    },
  };
}

/** Fields without `as`, `dryRun` and `expect`; a manifest is an object here. */
type RecordedAction =
  | { readonly outcome: 'recorded'; readonly verb: string; readonly fields: JsonObject }
  | { readonly outcome: 'unknown'; readonly why: string };

/** `unknown` when the trace lacks what was sent. */
function recordAction(trace: Trace, context: ActionContext): RecordedAction {
  const { request } = trace;
  switch (tracedVerb(request)) {
    case 'create':
      return manifestAction(trace, context);
    case 'update':
      return request.resource === 'pods' && request.subresource === ''
        ? podPatch(trace)
        : manifestAction(trace, context);
    case 'patch':
      return patchAction(trace, context);
    case 'delete':
      return recordedAction('delete', { ...recordedTarget(trace), ...deleteOptions(trace) });
    case 'deletecollection':
      return recordedAction('deletecollection', {
        deletecollection: kubectlResource(request),
        ...recordedNamespace(request),
        ...selectorFields(request),
      });
    default:
      return recordedAction('connect', { ...recordedTarget(trace), ...queryField(request) });
  }
}

const recordedAction = (verb: string, { [verb]: subject, ...rest }: JsonObject): RecordedAction => ({
  outcome: 'recorded',
  verb,
  fields: { [verb]: subject, ...rest },
});

const unknownAction = (why: string): RecordedAction => ({ outcome: 'unknown', why });

function manifestAction(trace: Trace, context: ActionContext): RecordedAction {
  const { request } = trace;
  const object = recordManifest(trace, context);
  if (object === undefined) return unknownAction('what was sent is not in the trace');
  return recordedAction(request.verb, {
    [request.verb]: object,
    ...subresourceField(request),
    ...managerField(request),
  });
}

function patchAction(trace: Trace, context: ActionContext): RecordedAction {
  const { request } = trace;
  const { contentType = '', body } = request;
  if (contentType.includes('apply-patch')) return applyAction(trace, context);
  if (body === undefined || typeof body !== 'object' || body === null)
    return unknownAction('the patch is not in the trace');
  const patch: JsonValue = isJsonObject(body) ? plainPatch(body) : body;
  return recordedAction('patch', {
    ...recordedTarget(trace),
    [toPatchType(contentType)]: patch,
    ...managerField(request),
  });
}

function toPatchType(contentType: string): string {
  if (contentType.includes('json-patch')) return 'json';
  return contentType.includes('strategic') ? 'strategic' : 'merge';
}

function applyAction(trace: Trace, context: ActionContext): RecordedAction {
  const object = recordManifest(trace, context);
  if (object === undefined) return unknownAction('what was sent is not in the trace');
  const query = new URLSearchParams(trace.request.query);
  const manager = query.get('fieldManager') ?? 'kadmit';
  // Loaded objects have another field manager.
  const isForced = query.get('force') === 'true' || (trace.verdict === 'admitted' && context.isLoaded(trace));
  return recordedAction('apply', {
    apply: object,
    ...subresourceField(trace.request),
    ...(manager === 'kadmit' ? {} : { fieldManager: manager }),
    ...(isForced ? { force: true } : {}),
  });
}

/** A replaced Pod would lose its token volume, whose name is random: record a patch. */
function podPatch(trace: Trace): RecordedAction {
  const { objectBefore, objectReceived } = trace;
  if (!objectBefore || !objectReceived) return unknownAction('the Pod before and after it is not in the trace');
  const changes = patchBetween(objectBefore, objectReceived).filter(({ path }) => !serverPath.test(asString(path)));
  const target = recordedTarget({ ...trace, request: { ...trace.request, verb: 'patch' } });
  return recordedAction('patch', { ...target, json: changes });
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

function subresourceField({ subresource, resource, group }: TracedRequest): JsonObject {
  if (subresource === '') return {};
  if (plainSubresources.has(subresource)) return { subresource };
  return { subresource: `${group === '' ? resource : `${resource}.${group}`}/${subresource}` };
}

/** kubectl's own manager names do not matter, except for apply. */
function managerField(request: TracedRequest): JsonObject {
  const manager = new URLSearchParams(request.query).get('fieldManager') ?? '';
  return manager === '' || manager.startsWith('kubectl') ? {} : { fieldManager: manager };
}

const ownOptions = new Set(['apiVersion', 'kind', 'dryRun']);

function deleteOptions({ request, verdict }: Trace): JsonObject {
  const body = parseRecordedBody(request) ?? {};
  const fields = Object.entries(body).filter(
    ([field, value]) =>
      !ownOptions.has(field) &&
      // kubectl's default, and uids of the recorded run.
      !(field === 'propagationPolicy' && value === 'Background') &&
      !(field === 'preconditions' && verdict === 'admitted'),
  );
  return fields.length === 0 ? {} : { options: Object.fromEntries(fields) };
}

function selectorFields(request: TracedRequest): JsonObject {
  const query = new URLSearchParams(request.query);
  const given = ['labelSelector', 'fieldSelector'].flatMap((name) =>
    query.get(name) ? [[name, query.get(name)]] : [],
  );
  return Object.fromEntries(given) as JsonObject; // Texts by their names.
}

function queryField(request: TracedRequest): JsonObject {
  const query = new URLSearchParams(request.query);
  const names = [...new Set(query.keys())].filter((name) => name !== 'timeout');
  if (names.length === 0) return {};
  const entries = names.map((name) => [
    name,
    query.getAll(name).length > 1 ? query.getAll(name) : (query.get(name) ?? ''),
  ]);
  return { query: Object.fromEntries(entries) as JsonObject }; // Texts and lists of them.
}
