import { plainValue, readJson } from '../../machinery/json/json-reader.ts';
import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { asObject, asString, isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { apiVersionOf, gvkText, parseApiVersion, type GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { asKubernetesObject, metadataOf, withMetadata, type KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { badRequest, plainError, type Status } from '../../machinery/meta/status.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { decodeRestored, formatRestoreError } from '../codec/patch/decode-restored.ts';
import {
  applyFields,
  formatConfigurationName,
  newApplyConflict,
  type Application,
  type Applied,
} from './apply-fields.ts';
import { compareFields } from './compare.ts';
import { createManagedChange, createVersions, type FieldKinds } from './field-kinds.ts';
import { toFieldSet } from './to-field-set.ts';
import { difference, isLeaf, leaf, type FieldSet } from './field-set.ts';
import {
  decodeManagers,
  type Managers,
  noManagers,
  reconcileManagers,
  setManagers,
  dropManagers,
} from './managed-fields.ts';
import { typeErrors } from './type-errors.ts';
import { updateManagers } from './update-managers.ts';

export interface Configuration {
  readonly live: KubernetesObject | null;
  /** The body, read but not decoded: only the fields that it sets count. */
  readonly patch: JsonObject;
  readonly kind: GroupVersionKind;
  readonly manager: string;
  readonly subresource: string;
  readonly force: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Applies a configuration. Follows apimachinery pkg/util/managedfields/internal: versioncheck.go, lastappliedupdater.go,
 * lastappliedmanager.go, skipnonapplied.go and structuredmerge.go.
 */
export async function applyConfiguration(
  kinds: FieldKinds,
  configuration: Configuration,
): Promise<Result<KubernetesObject>> {
  const { patch, kind, manager } = configuration;
  const sent = { ...parseApiVersion(asString(patch['apiVersion'])), kind: asString(patch['kind']) };
  if (gvkText(sent) !== gvkText(kind)) return refuse(badRequest(`invalid object type: ${gvkText(sent)}`));
  if ((asObject(patch['metadata'])['managedFields'] ?? null) !== null) {
    return refuse(badRequest('metadata.managedFields must be nil'));
  }
  const application = await createApplication(kinds, configuration);
  if (!application) return refuse(plainError(`no corresponding type for ${gvkText(kind)}`));
  const applied = await resolveLastAppliedConflicts(application, await applyFields(application));
  if (applied.outcome !== 'applied') return refuse(applied.status);
  const object =
    applied.object === undefined ? ok(application.live) : decodeApplied(kinds, application, applied.object);
  if (!object.ok) return object;
  const annotated = manager === lastAppliedManager ? setLastApplied(object.value, patch) : object.value;
  return ok(setManagers(annotated, applied.managers));
}

async function createApplication(kinds: FieldKinds, configuration: Configuration): Promise<Application | undefined> {
  const { live: stored, patch, kind, manager, subresource, force, now } = configuration;
  const apiVersion = apiVersionOf(kind);
  const live = stored ? dropManagers(stored) : kinds.find(apiVersion, kind.kind).emptyObject;
  const change = createManagedChange(kinds, { before: live, after: live, subresource });
  if (!change) return undefined;
  const writer = { manager, apiVersion, subresource, time: formatTime(now) };
  const entries = stored ? (metadataOf(stored).managedFields ?? []) : [];
  const versions = createVersions(kinds, kind.kind);
  const known = decodeManagers(entries) ?? noManagers;
  const managers = reconcileManagers(known, versions.typeIn);
  return {
    live,
    patch,
    kind,
    type: change.type,
    typeError: change.typeError,
    writer,
    force,
    reset: change.reset,
    managers: managers.size > 0 ? managers : await createFirstManagers(kinds, live, writer),
    versions,
    changeTo: (after) =>
      createManagedChange(kinds, { before: live, after: asKubernetesObject(after) ?? live, subresource }) ?? change,
  };
}

/** The managers of an untracked object: before-first-apply owns everything. */
async function createFirstManagers(
  kinds: FieldKinds,
  live: KubernetesObject,
  writer: Application['writer'],
): Promise<Managers> {
  const { subresource } = writer;
  const change = createManagedChange(kinds, {
    before: kinds.find(live.apiVersion, live.kind).emptyObject,
    after: live,
    subresource,
  });
  if (!change) return noManagers;
  const managers = await updateManagers(change, noManagers, { ...writer, manager: 'before-first-apply' });
  return 'mistyped' in managers ? noManagers : managers;
}

/** kubectl may take over fields from its own client-side apply. */
async function resolveLastAppliedConflicts(application: Application, applied: Applied): Promise<Applied> {
  if (applied.outcome !== 'conflict' || application.writer.manager !== lastAppliedManager) return applied;
  const remaining = checkLastApplied(application, applied.conflicts);
  if (!remaining) return applied;
  return remaining.outcome === 'allowed'
    ? applyFields({ ...application, force: true })
    : { ...applied, status: remaining.status };
}

function decodeApplied({ codec }: FieldKinds, application: Application, object: JsonValue): Result<KubernetesObject> {
  const { kind } = application;
  const merged = codec.decodeMerged?.(object, kind);
  const result = merged ?? decodeRestored(codec, object, kind);
  if (result.outcome === 'decoded') return ok(codec.applyDefaults(result.object));
  const name = formatConfigurationName(application);
  const error = merged ? result.error : formatRestoreError(kind, result.error);
  return refuse(plainError(`failed to convert new object (${name}) to proper version: ${error}`));
}

const lastAppliedManager = 'kubectl';

const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

type LastAppliedResult = { readonly outcome: 'allowed' } | { readonly outcome: 'conflict'; readonly status: Status };

/**
 * The conflicts left without fields unchanged since the client-side apply; undefined without that annotation. Follows
 * apimachinery pkg/util/managedfields/internal/lastappliedmanager.go.
 */
export function checkLastApplied(
  { live, type, managers }: Pick<Application, 'live' | 'type' | 'managers'>,
  conflicts: ReadonlyMap<string, FieldSet>,
): LastAppliedResult | undefined {
  const applied = readLastApplied(live);
  if (!applied || applied['apiVersion'] !== live.apiVersion || typeErrors(type, applied) !== undefined)
    return undefined;
  const { changed, removed } = compareFields(type, applied, live);
  const same = difference(difference(toFieldSet(type, applied), changed ?? leaf), removed ?? leaf);
  const remaining = [...conflicts].map(([identity, fields]) => [identity, difference(fields, same)] as const);
  const conflicting = new Map(remaining.filter(([, fields]) => !isLeaf(fields)));
  return conflicting.size === 0
    ? { outcome: 'allowed' }
    : { outcome: 'conflict', status: newApplyConflict(conflicting, managers) };
}

function readLastApplied(object: KubernetesObject): JsonObject | undefined {
  const text = asString(metadataOf(object).annotations?.[lastAppliedAnnotation]);
  const reading = text === '' ? undefined : readJson(text);
  const value: JsonValue = reading?.outcome === 'read' ? plainValue(reading.json.value) : null;
  return isJsonObject(value) ? value : undefined;
}

/** Follows apimachinery pkg/util/managedfields/internal/lastappliedupdater.go. */
export function setLastApplied(object: KubernetesObject, patch: JsonObject): KubernetesObject {
  const { annotations } = metadataOf(object);
  if (asString(annotations?.[lastAppliedAnnotation]) === '') return object;
  return withMetadata(object, {
    annotations: { ...annotations, [lastAppliedAnnotation]: `${writeJsonForGo(sortDeep(dropLastApplied(patch)))}\n` },
  });
}

function dropLastApplied(patch: JsonObject): JsonObject {
  const { metadata } = patch;
  if (!isJsonObject(metadata) || !isJsonObject(metadata['annotations'])) return patch;
  const { [lastAppliedAnnotation]: _last, ...annotations } = metadata['annotations'];
  return { ...patch, metadata: { ...metadata, annotations } };
}

function sortDeep(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortDeep);
  if (!isJsonObject(value)) return value;
  const fields = Object.keys(value).toSorted();
  return Object.fromEntries(fields.map((field) => [field, sortDeep(value[field] ?? null)]));
}
