import { parseUint64 } from '../../../machinery/go/strconv.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { refuse, type Result } from '../../../machinery/meta/result.ts';
import { alreadyExists, generateNameConflict, plainError, type Status } from '../../../machinery/meta/status.ts';
import { type Exchange, requirePart } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { createWithNameRetry } from '../guaranteed-writes.ts';
import { runStages, type Stage } from '../stage.ts';
import { objectOf } from './decode-body.ts';
import { isDryRun } from '../write-options.ts';
import { storeKeyOf } from './load-current.ts';
import { answerWith, fitSizeLimit, toStorageForm, warnOfStoredOnly, withoutSelfLink } from './storage-form.ts';

/** `admit` runs once, `finish` again for each generated name. */
export interface CreateStages {
  readonly admit: readonly Stage[];
  readonly finish: readonly Stage[];
}

/** Follows apiserver pkg/endpoints/handlers/create.go and pkg/registry/generic/registry/store.go Create. */
export const createObject = (deps: HandlerDeps, { admit, finish }: CreateStages): Stage => ({
  name: 'create-object',
  run: async (exchange) => {
    const { name = '' } = metadataOf(objectOf(exchange));
    const wasFree = name !== '' && !isStored(deps, exchange, name);
    const admitted = await runStages(admit, exchange);
    if (!admitted.ok) return admitted;
    const created = await createWithNameRetry(admitted.value, [...finish, storeNew(deps)]);
    const isTaken = !created.ok && created.status.reason === 'AlreadyExists';
    if (isTaken && wasFree && created.status.details?.name === name) exchange.journal.concurrentWrite('created');
    return created;
  },
});

function isStored({ cluster }: HandlerDeps, { target }: Exchange, name: string): boolean {
  const { resource, namespace } = storeKeyOf(requirePart(target, 'target'), name);
  return cluster.get(resource, namespace, name) !== undefined;
}

const storeNew = (deps: HandlerDeps): Stage => ({
  name: 'persist',
  run: async (exchange) => {
    const object = await toStorageForm(exchange);
    return object.ok ? createAs(deps, exchange, object.value) : object;
  },
});

async function createAs(deps: HandlerDeps, exchange: Exchange, object: KubernetesObject): Promise<Result<Exchange>> {
  const { name = '', resourceVersion = '' } = metadataOf(object);
  const key = storeKeyOf(requirePart(exchange.target, 'target'), name);
  if (isDryRun(exchange.options)) {
    const existing = await deps.storage.read(key);
    if (existing) return refuse(nameTaken(exchange, object, existing.object));
    // A dry run accepts a resourceVersion. Follows apiserver pkg/registry/generic/registry/dryrun.go.
    return answerWith(deps, exchange, object, 201);
  }
  if (isVersion(resourceVersion))
    return refuse(plainError('resourceVersion should not be set on objects to be created'));
  const fitting = await fitSizeLimit(deps, exchange, withoutSelfLink(object));
  if (!fitting.ok) return fitting;
  const created = await deps.storage.create(key, fitting.value);
  if (created.outcome === 'exists') return refuse(nameTaken(exchange, object, created.stored.object));
  warnOfStoredOnly(deps, exchange);
  return answerWith(deps, exchange, created.stored.object, 201);
}

/** Other texts are ignored. Follows apiserver pkg/storage/etcd3/store.go Create. */
function isVersion(text: string): boolean {
  const read = parseUint64(text);
  return read.outcome === 'parsed' && read.value > 0;
}

/**
 * The client may retry with any generateName. Follows apiserver pkg/registry/rest/create.go CheckGeneratedNameError.
 */
function nameTaken({ target }: Exchange, object: KubernetesObject, existing: KubernetesObject): Status {
  const { name = '', generateName = '' } = metadataOf(object);
  const conflict = generateName === '' ? alreadyExists : generateNameConflict;
  const status = conflict(requirePart(target, 'target').resource, name);
  if (metadataOf(existing).deletionTimestamp === undefined) return status;
  return { ...status, message: `object is being deleted: ${status.message}` };
}
