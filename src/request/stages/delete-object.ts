import { keepSpare } from '../../apimachinery/copy-in-turns.ts';
import { inTurns } from '../../apimachinery/in-turns.ts';
import { typeOf } from '../../apimachinery/body-type.ts';
import { goQuote } from '../../apimachinery/field-error.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { isJsonObject } from '../../apimachinery/json.ts';
import { readJson } from '../../apimachinery/json-reader.ts';
import { tooManyValuesText } from '../../apimachinery/most-values.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { ok, refuse } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import { semanticEqual } from '../../apimachinery/semantic-equal.ts';
import {
  badRequest,
  forbidden,
  notFound,
  requestEntityTooLarge,
  unsupportedMediaType,
} from '../../apimachinery/status.ts';
import type { Status } from '../../apimachinery/status.ts';
import { isCustomRow } from '../../custom/custom-row.ts';
import { definitionResource } from '../../custom/definition.ts';
import { planDefinitionDeletion } from '../definition-deletion.ts';
import { planDeletion } from '../deletion.ts';
import { groupResourceText } from '../../apimachinery/gvk.ts';
import { deleteOptionsInQuery, deleteOptionsJson, deleteOptionsOf } from '../delete-options.ts';
import type { DeleteOptions } from '../delete-options.ts';
import { answered, held } from '../exchange.ts';
import type { Current, Exchange, Target } from '../exchange.ts';
import { planNamespaceDeletion } from '../namespace-deletion.ts';
import type { AdmissionTurn } from '../journal.ts';
import type { Rooms } from '../rooms.ts';
import type { Stage } from '../stage.ts';
import { lateRefusal } from '../time-is-up.ts';
import { attributesOf, mutate, validate } from './admission.ts';
import { decodeUtf8, mediaTypeOf, unknownFormat } from './decode-body.ts';
import { keyOf, readCurrent, storedAs } from './load-current.ts';
import { beginPorts } from './prepare-for-storage.ts';

/** DELETE of one object. Follows apiserver pkg/endpoints/handlers/delete.go and registry/store.go (rules PATH-40 to PATH-45). */
export const deleteObject = (rooms: Rooms): Stage => ({
  name: 'delete-object',
  run: async (exchange) => {
    const options = await readDeleteOptions(rooms, exchange);
    if (!options.ok) return options;
    const target = held(exchange.target, 'target');
    if (isSystemPriority(target)) return refuse(forbidden(target.resource, target.info.name, systemPriority));
    const deletion = { options: options.value, name: target.info.name, admittedName: target.info.name };
    const deleted = await removeOne(rooms, exchange, deletion);
    if (!deleted.ok) return deleted;
    const code = !deleted.value.gone && options.value.orphanDependents === false ? 202 : 200;
    return ok(answered(exchange, code, deletionAnswer(target, deleted.value)));
  },
});

const systemPriorities = ['system-node-critical', 'system-cluster-critical'];
const systemPriority = 'this is a system priority class and cannot be deleted';

/** Nobody is asked about these, unless they are in a collection. Follows kubernetes pkg/registry/scheduling/priorityclass/storage. */
const isSystemPriority = ({ resource, info }: Target): boolean =>
  resource.resource === 'priorityclasses' && !isCustomRow(resource) && systemPriorities.includes(info.name);

/** One deletion: of which object, and by what name admission knows it ('' in a deletecollection, rule PATH-50). */
export interface Deletion {
  readonly options: DeleteOptions;
  readonly name: string;
  readonly admittedName: string;
  /** Of a collection: which object it is. */
  readonly turn?: AdmissionTurn;
  /** An eviction deletes without asking admission again. */
  readonly unasked?: boolean;
}

/** What is left of the object, and whether it is gone. */
export interface Deleted {
  readonly object: KubernetesObject;
  readonly gone: boolean;
}

/** The options of a DELETE; some resources warn of what happens when they do not say what becomes of dependents. */
export async function readDeleteOptions(rooms: Rooms, exchange: Exchange): Promise<Result<DeleteOptions>> {
  const options = await decodeDeleteOptions(rooms, exchange);
  if (!options.ok) return options;
  const { propagationPolicy, orphanDependents } = options.value;
  const warning = held(exchange.target, 'target').strategy.defaultGarbageCollectionWarning;
  const isSaid = propagationPolicy !== undefined || orphanDependents !== undefined;
  if (warning !== undefined && !isSaid) exchange.journal.warn(warning);
  return options;
}

/** From the body (JSON, YAML or protobuf), else from the query. */
async function decodeDeleteOptions(rooms: Rooms, exchange: Exchange): Promise<Result<DeleteOptions>> {
  const { body, headers, query } = exchange.request;
  if (body.length === 0) return deleteOptionsInQuery(query);
  switch (mediaTypeOf(headers['content-type'])) {
    case '':
    case 'application/json':
      return inTurns(() => optionsInJson(rooms, decodeUtf8(body)), exchange.request.pause);
    case 'application/yaml': {
      const json = await rooms.bodies.yamlToJson(decodeUtf8(body));
      return json.ok
        ? inTurns(() => optionsInJson(rooms, json.text), exchange.request.pause)
        : refuse(unreadable(json.error, `error converting YAML to JSON: ${json.error}`));
    }
    case 'application/vnd.kubernetes.protobuf': {
      const read = await rooms.bodies.readProtobuf(body);
      return read.ok ? deleteOptionsOf(read.object) : refuse(unreadable(read.error));
    }
    default:
      return refuse(unsupportedMediaType(unknownFormat));
  }
}

const unreadable = (error: string, text = error): Status =>
  error === tooManyValuesText ? requestEntityTooLarge(error) : badRequest(text);

/** What cannot be read is 400, in the decoder's words. Follows apiserver pkg/endpoints/handlers/delete.go. */
function optionsInJson({ codec }: Rooms, text: string): Result<DeleteOptions> {
  const reading = readJson(text);
  if (reading.outcome === 'unreadable') {
    return refuse(badRequest(`couldn't get version/kind; json parse error: ${reading.error}`));
  }
  const { json } = reading;
  const typed = typeOf(json);
  if (typed.outcome === 'untyped') {
    return refuse(badRequest(typed.error));
  }
  if (typed.kind !== '' && typed.kind !== 'DeleteOptions') {
    return refuse(badRequest(noSuchOptions(typed.kind, typed.apiVersion || 'meta.k8s.io/v1')));
  }
  const decoded = codec.decodeType(json.value, 'meta.v1.DeleteOptions', json);
  if (decoded.outcome === 'undecodable') return refuse(badRequest(decoded.error));
  return deleteOptionsOf(isJsonObject(decoded.value) ? decoded.value : {});
}

const noSuchOptions = (kind: string, version: string): string =>
  `no kind ${goQuote(kind)} is registered for version ${goQuote(version)} in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:28"`;

export async function removeOne(rooms: Rooms, exchange: Exchange, deletion: Deletion): Promise<Result<Deleted>> {
  for (;;) {
    const result = await tryRemove(rooms, exchange, deletion);
    if (result !== 'again') return result;
    const late = lateRefusal(exchange);
    if (late) return refuse(late);
    exchange.journal.turn({ ...deletion.turn, again: 'another-write' });
  }
}

/** `again`: another write came between the decision and the act. */
type Attempt = Result<Deleted> | 'again';

async function tryRemove(rooms: Rooms, exchange: Exchange, deletion: Deletion): Promise<Attempt> {
  const target = held(exchange.target, 'target');
  const found = await readCurrent(rooms, { ...target, info: { ...target.info, name: deletion.name } });
  if (!found.ok) return found;
  if (!found.value) return refuse(notFound(target.resource, deletion.name));
  return removeObject(rooms, exchange, found.value, deletion);
}

/** Follows apiserver pkg/registry/generic/registry/store.go Delete. */
async function removeObject(rooms: Rooms, exchange: Exchange, current: Current, deletion: Deletion): Promise<Attempt> {
  const { strategy, resource } = held(exchange.target, 'target');
  const plans = planners.get(groupResourceText(resource)) ?? planDeletion;
  const planned = plans(current.object, deletion.options, strategy, rooms.clock.now());
  if (!planned.ok) return planned;
  const plan = planned.value;
  if (plan.plan === 'already-deleting') return ok({ object: current.view, gone: false });
  const asked = { ...deletion, options: plan.options };
  if (plan.plan === 'remove') return removeNow(rooms, exchange, current, asked);
  const admitted = await admitDeletion(rooms, exchange, current.view, asked);
  if (!admitted.ok) return admitted;
  const written = await write(rooms, exchange, current, plan);
  if (written === 'again') return written;
  if (plan.waits || plan.options.dryRun.length > 0) return ok({ object: written.view, gone: !plan.waits });
  exchange.journal.turn({ ...deletion.turn, again: 'removal' });
  return removeNow(rooms, exchange, written, asked);
}

/** Resources whose deletion has stages of its own. */
const planners: ReadonlyMap<string, typeof planDeletion> = new Map([
  ['namespaces', planNamespaceDeletion],
  [groupResourceText(definitionResource), planDefinitionDeletion],
]);

async function removeNow(rooms: Rooms, exchange: Exchange, current: Current, deletion: Deletion): Promise<Attempt> {
  const admitted = await admitDeletion(rooms, exchange, current.view, deletion);
  if (!admitted.ok) return admitted;
  if (deletion.options.dryRun.length > 0) return ok({ object: current.view, gone: true });
  await inTurns(() => keepSpare(current.object), exchange.request.pause);
  const removed = await rooms.storage.remove(keyOf(held(exchange.target, 'target'), deletion.name), current.revision);
  if (removed.outcome !== 'stored') return 'again';
  await held(exchange.target, 'target').strategy.afterDelete?.(current.object, beginPorts(rooms, exchange));
  return ok({ object: current.view, gone: true });
}

/** Both halves of the chain, back to back, with the stored object as oldObject (rule PATH-46). */
async function admitDeletion(
  rooms: Rooms,
  exchange: Exchange,
  oldObject: KubernetesObject,
  { options, admittedName, unasked }: Deletion,
): Promise<Result<KubernetesObject | null>> {
  if (unasked === true) return ok(null);
  const attributes = attributesOf(exchange, {
    operation: 'DELETE',
    name: admittedName,
    object: null,
    oldObject,
    options: deleteOptionsJson(options),
    dryRun: options.dryRun.length > 0,
  });
  const mutated = await mutate(rooms, exchange, attributes);
  return mutated.ok ? validate(rooms, exchange, attributes) : mutated;
}

interface Write {
  readonly next: KubernetesObject;
  readonly options: DeleteOptions;
}

async function write(
  rooms: Rooms,
  exchange: Exchange,
  current: Current,
  { next, options }: Write,
): Promise<Current | 'again'> {
  const target = held(exchange.target, 'target');
  const name = metadataOf(current.object).name ?? '';
  const seen = async (object: KubernetesObject): Promise<KubernetesObject> => {
    const view = await storedAs(target, object);
    return view.ok ? view.value : object;
  };
  if (options.dryRun.length > 0) return { object: next, revision: current.revision, view: await seen(next) };
  const { pause } = exchange.request;
  if (await inTurns(() => semanticEqual(next, current.object), pause)) return current;
  await inTurns(() => keepSpare(next), pause);
  const written = await rooms.storage.update(keyOf(target, name), next, current.revision);
  if (written.outcome !== 'stored') return 'again';
  return { ...written.stored, view: await seen(written.stored.object) };
}

/** The object itself where it stays or its resource says so, else a Status. */
export function deletionAnswer({ resource, strategy }: Target, { object, gone }: Deleted): JsonObject {
  if (!gone || strategy.returnsDeletedObject) return object;
  const { name = '', uid = '' } = metadataOf(object);
  const { group } = resource;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(group === '' ? {} : { group }), kind: resource.resource, uid },
  };
}
