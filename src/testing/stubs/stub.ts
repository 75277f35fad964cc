import { errorText } from '../../machinery/errors.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { plainValue } from '../../machinery/json/json-reader.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAt,
  withValue,
} from '../../machinery/json/json.ts';
import { ownValue } from '../../machinery/meta/object.ts';
import { decodePatch } from '../../machinery/patch/json-patch-decode.ts';
import { applyJsonPatch } from '../../machinery/patch/json-patch.ts';
import { escapedStep, readPath, setField } from './set-field.ts';
import { readScriptAnswer } from './script-answer.ts';
import type { Behaviour, ReviewFunction } from './webhook-spec.ts';
import { encodeBytes } from '../../machinery/go/base64-bytes.ts';

export type StubAnswer =
  /** `response` of the AdmissionReview, with the uid of the request. */
  | { readonly outcome: 'answered'; readonly response: JsonObject }
  /** The stub cannot do as configured: a real webhook would respond 500 with this. */
  | { readonly outcome: 'failed'; readonly error: string };

/** Progress of one review. */
interface ReviewDraft {
  readonly review: JsonObject;
  /** null for a DELETE, and for a CONNECT without options. */
  readonly object: JsonObject | null;
  /** The object after the operations so far. */
  readonly patched: JsonObject | null;
  readonly operations: readonly JsonObject[];
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly denial: JsonObject | undefined;
  /** Response fields that a script sets itself. */
  readonly raw: JsonObject;
  readonly error: string | undefined;
}

/** Never throws. */
export async function respondToReview(does: readonly Behaviour[], review: JsonObject): Promise<StubAnswer> {
  const request = asObject(review['request']);
  const object = isJsonObject(request['object']) ? request['object'] : null;
  let draft: ReviewDraft = {
    review,
    object,
    patched: object,
    operations: [],
    warnings: [],
    auditAnnotations: {},
    denial: undefined,
    raw: {},
    error: undefined,
  };
  for (const behaviour of does) {
    draft = await applyBehaviour(behaviour, draft);
    if (draft.error !== undefined) return { outcome: 'failed', error: draft.error };
    if (draft.denial) break;
  }
  return { outcome: 'answered', response: responseOf(flushEdits(draft), asString(request['uid'])) };
}

function responseOf({ operations, warnings, auditAnnotations, denial, raw }: ReviewDraft, uid: string): JsonObject {
  const patch =
    denial || operations.length === 0 ? {} : { patchType: 'JSONPatch', patch: encodeBase64(writeJson(operations)) };
  return {
    uid,
    allowed: !denial,
    ...(denial && Object.keys(denial).length > 0 ? { status: denial } : {}),
    ...patch,
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(Object.keys(auditAnnotations).length > 0 ? { auditAnnotations } : {}),
    ...raw,
  };
}

async function applyBehaviour(behaviour: Behaviour, draft: ReviewDraft): Promise<ReviewDraft> {
  switch (behaviour.type) {
    case 'allow':
      return draft;
    case 'deny':
      return { ...draft, denial: denialOf(behaviour) };
    case 'label':
      return withMetadata(draft, 'labels', behaviour.labels);
    case 'annotate':
      return withMetadata(draft, 'annotations', behaviour.annotations);
    case 'sidecar':
      return editObject(draft, (object) =>
        withContainer(object, behaviour.container, behaviour.init ? 'initContainers' : 'containers'),
      );
    case 'set':
      return Object.entries(behaviour.fields).reduce(withField, draft);
    case 'patch':
      return withOperations(draft, behaviour.operations);
    case 'warn':
      return { ...draft, warnings: [...draft.warnings, ...behaviour.warnings] };
    case 'audit':
      return withAudit(draft, behaviour.annotations);
    case 'echo':
      return echoRequest(draft);
    case 'script':
      return withScript(draft, behaviour.run);
  }
}

const denialOf = ({ message, code, reason }: Extract<Behaviour, { type: 'deny' }>): JsonObject => ({
  ...(message === undefined ? {} : { message }),
  ...(reason === undefined ? {} : { reason }),
  ...(code === undefined ? {} : { code }),
});

const editObject = (draft: ReviewDraft, edit: (object: JsonObject) => JsonObject): ReviewDraft =>
  draft.object ? { ...draft, object: edit(draft.object) } : draft;

const withMetadata = (
  draft: ReviewDraft,
  field: 'labels' | 'annotations',
  added: Readonly<Record<string, string>>,
): ReviewDraft =>
  editObject(draft, (object) => {
    const { metadata } = object; // The options of a CONNECT have none.
    if (!isJsonObject(metadata)) return object;
    return { ...object, metadata: { ...metadata, [field]: { ...asObject(metadata[field]), ...added } } };
  });

function withField(draft: ReviewDraft, [path, value]: readonly [string, JsonValue]): ReviewDraft {
  if (draft.error !== undefined || !draft.object) return draft;
  const reading = readPath(path);
  if (reading.outcome === 'unreadable') return { ...draft, error: `set: ${reading.error}` };
  const setting = setField(draft.object, reading.steps, value);
  if (setting.outcome === 'unsettable') return { ...draft, error: `set ${path}: ${setting.error}` };
  return { ...draft, object: asObject(setting.value) };
}

function flushEdits(draft: ReviewDraft): ReviewDraft {
  const { object, patched, operations } = draft;
  if (!object || !patched) return draft;
  return { ...draft, patched: object, operations: [...operations, ...patchBetween(patched, object)] };
}

/** Operations are sent as given; the server reports those that do not apply. */
function withOperations(draft: ReviewDraft, added: readonly JsonObject[]): ReviewDraft {
  if (!draft.object) return draft;
  const before = flushEdits(draft);
  const object = applyOperations(draft.object, added);
  return { ...before, object, patched: object, operations: [...before.operations, ...added] };
}

function applyOperations(object: JsonObject, operations: readonly JsonObject[]): JsonObject {
  const decoded = decodePatch(writeJson(operations));
  if (decoded.outcome === 'undecodable') return object;
  const applied = applyJsonPatch(object, decoded.patch);
  if (applied.outcome !== 'patched') return object;
  const value = plainValue(applied.document);
  return isJsonObject(value) ? value : object;
}

const withAudit = (draft: ReviewDraft, added: Readonly<Record<string, string>>): ReviewDraft => ({
  ...draft,
  auditAnnotations: { ...draft.auditAnnotations, ...added },
});

/** A line as a warning, the whole request as an audit annotation. */
function echoRequest(draft: ReviewDraft): ReviewDraft {
  const request = asObject(draft.review['request']);
  const logged = { ...draft, warnings: [...draft.warnings, requestLine(request)] };
  return withAudit(logged, { request: writeJson(request) });
}

function requestLine(request: JsonObject): string {
  const text = (field: string): string => asString(request[field]);
  const { resource, group } = asObject(request['resource']);
  const names = [asString(resource), text('subResource')].filter((part) => part !== '').join('/');
  const kind = asString(group) === '' ? names : `${names}.${asString(group)}`;
  const name = [text('namespace'), text('name')].filter((part) => part !== '').join('/');
  const user = asString(asObject(request['userInfo'])['username']);
  const dryRun = request['dryRun'] === true ? ', dry run' : '';
  return `saw ${text('operation')} ${kind}${name === '' ? '' : ` ${name}`} by ${user}${dryRun}`;
}

/** The script may change it. structuredClone takes three times as long, but copies integers beyond 2^53. */
function copyReview(review: JsonObject): JsonObject {
  try {
    const copy: JsonObject = JSON.parse(JSON.stringify(review));
    return copy;
  } catch {
    return structuredClone(review);
  }
}

async function withScript(draft: ReviewDraft, run: ReviewFunction): Promise<ReviewDraft> {
  const { object, review } = draft;
  const currentReview = object ? withValue(review, ['request', 'object'], object) : review;
  let logged: unknown;
  try {
    logged = await run(copyReview(currentReview));
  } catch (error) {
    return { ...draft, error: errorText(error) };
  }
  const answer = readScriptAnswer(logged);
  if (answer.outcome === 'unreadable') return { ...draft, error: answer.error };
  const { warnings, auditAnnotations, denial, operations, raw } = answer;
  const changed = { ...withAudit(draft, auditAnnotations), warnings: [...draft.warnings, ...warnings], denial };
  const answered = { ...changed, raw: { ...draft.raw, ...raw } };
  return operations.length === 0 ? answered : withOperations(answered, operations);
}

const templatePath = ['spec', 'template', 'spec'];

const podSpecs: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  PodTemplate: ['template', 'spec'],
  Deployment: templatePath,
  StatefulSet: templatePath,
  DaemonSet: templatePath,
  ReplicaSet: templatePath,
  ReplicationController: templatePath,
  Job: templatePath,
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/** Unchanged when the container exists, or the object has no Pod spec. */
export function withContainer(
  object: JsonObject,
  container: JsonObject,
  list: 'containers' | 'initContainers',
): JsonObject {
  const path = ownValue(podSpecs, asString(object['kind']));
  if (!path || !isJsonObject(valueAt(object, ...path))) return object;
  const present = asList(valueAt(object, ...path, list));
  if (present.some((one) => asObject(one)['name'] === container['name'])) return object;
  return withValue(object, [...path, list], [...present, container]);
}

/** A concise JSON Patch: `add` for new values, `replace` for changed ones, `/-` for appended list items. */
function patchBetween(before: JsonValue, after: JsonValue, path = ''): readonly JsonObject[] {
  if (sameJson(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) return fieldsPatch(before, after, path);
  if (Array.isArray(before) && Array.isArray(after) && after.length >= before.length) {
    return listPatch(before, after, path);
  }
  return [{ op: 'replace', path, value: after }];
}

function fieldsPatch(before: JsonObject, after: JsonObject, path: string): readonly JsonObject[] {
  const gone = Object.keys(before).filter((field) => before[field] !== undefined && after[field] === undefined);
  const changedFields = Object.entries(after).flatMap(([field, value]) => {
    if (value === undefined) return [];
    const at = `${path}/${escapedStep(field)}`;
    const old = Object.hasOwn(before, field) ? before[field] : undefined;
    return old === undefined ? [{ op: 'add', path: at, value }] : patchBetween(old, value, at);
  });
  return [...gone.map((field) => ({ op: 'remove', path: `${path}/${escapedStep(field)}` })), ...changedFields];
}

const listPatch = (before: readonly JsonValue[], after: readonly JsonValue[], path: string): readonly JsonObject[] =>
  after.flatMap((value, index) => {
    const old = before[index];
    return old === undefined ? [{ op: 'add', path: `${path}/-`, value }] : patchBetween(old, value, `${path}/${index}`);
  });

export const encodeBase64 = (text: string): string => encodeBytes(new TextEncoder().encode(text));
