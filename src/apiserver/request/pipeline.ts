import type { Exchange, RequestTarget } from './exchange.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Stage } from './stage.ts';
import { dropOwnersOfBody, runMutatingAdmission, runValidatingAdmission } from './stages/admission.ts';
import { answerReviewStage, completeTokenRequestStage, issueToken, refuseBadReview } from './stages/answer-review.ts';
import { applyPatch, checkPatchType } from './stages/apply-patch.ts';
import { bind, checkBinding } from './stages/bind.ts';
import { checkPatchBody } from './stages/check-patch-body.ts';
import { checkEscalation, authorizeCreation } from './stages/check-permissions.ts';
import {
  checkIdentity,
  checkVersion,
  placeNewObject,
  checkResourceVersion,
  checkUid,
} from './stages/check-identity.ts';
import { connect, clearDeadline } from './stages/connect.ts';
import { createObject } from './stages/create-object.ts';
import { decodeBody } from './stages/decode-body.ts';
import { decodeScale } from './stages/scale-body.ts';
import { deleteCollection } from './stages/delete-collection.ts';
import { deleteObject } from './stages/delete-object.ts';
import { checkEviction, evict } from './stages/evict.ts';
import { listObjects } from './stages/list-objects.ts';
import { loadConditions } from './stages/load-conditions.ts';
import { loadCurrent, readObject } from './stages/load-current.ts';
import { readLog } from './stages/read-log.ts';
import { prepareForStorage, wipeSystemFields } from './stages/prepare-for-storage.ts';
import { isApplyPatch, readOptions, setDeadline } from './stages/read-options.ts';
import { restoreTimes, trackManagedFields } from './stages/track-managed-fields.ts';
import { admitScale, answerWithScale, loadScale, patchScale, readScale } from './stages/scale.ts';
import { updateObject } from './stages/update-object.ts';
import { watchObjects } from './stages/watch-objects.ts';

/** By verb, or by the subresource or the kind of request that decides. */
export type Pipeline = Readonly<Record<string, readonly Stage[]>>;

/**
 * The stages of each kind of request, after authorization. Follows apiserver pkg/endpoints/handlers and
 * pkg/registry/generic/registry/store.go.
 */
export const createPipeline = (deps: HandlerDeps): Pipeline => ({
  get: [readObject(deps)],
  list: [listObjects(deps)],
  watch: [watchObjects(deps)],
  log: [readLog(deps)],
  ...createWriteStages(deps),
  ...createScaleStages(deps),
  ...createNonStoringStages(deps),
});

const writeWith = (deps: HandlerDeps): Stage => setDeadline(deps, true);
const readCreate = readOptions('CreateOptions');
const readUpdate = readOptions('UpdateOptions');
const readPatch = readOptions('PatchOptions');

/** From field tracking to the storage form of a PUT or PATCH. */
const createFinishStages = (deps: HandlerDeps): readonly Stage[] => [
  trackManagedFields(deps),
  runMutatingAdmission(deps),
  checkEscalation(deps),
  checkResourceVersion(deps),
  prepareForStorage(deps),
  restoreTimes,
  authorizeCreation(deps),
  runValidatingAdmission(deps),
];

function createWriteStages(deps: HandlerDeps): Pipeline {
  const write = writeWith(deps);
  const admit = runMutatingAdmission(deps);
  const prepare = prepareForStorage(deps);
  const approve = runValidatingAdmission(deps);
  const track = trackManagedFields(deps);
  const orNew = loadCurrent(deps, ({ target }) => target?.strategy.allowCreateOnUpdate === true);
  const mayBeNew = ({ target }: Exchange): boolean =>
    target?.resource.subresource === '' || target?.strategy.allowCreateOnUpdate === true;
  const orApplied = loadCurrent(deps, (exchange) => isApplyPatch(exchange) && mayBeNew(exchange));
  const authorizes = checkEscalation(deps);
  const loads = loadConditions(deps);
  const finish = createFinishStages(deps);
  return {
    create: [
      write,
      readCreate,
      loads,
      decodeBody(deps),
      checkVersion,
      wipeSystemFields,
      placeNewObject,
      dropOwnersOfBody,
      createObject(deps, {
        admit: [track, admit, authorizes], // sees no uid, and no name if generateName is used
        finish: [prepare, approve], // sees the object as it will be stored
      }),
    ],
    update: [
      write,
      readUpdate,
      loads,
      decodeBody(deps),
      checkVersion,
      checkIdentity,
      dropOwnersOfBody,
      updateObject(deps, { load: orNew, stages: [checkUid, ...finish] }),
    ],
    patch: [
      checkPatchType,
      write,
      readPatch,
      ...checkPatchBody(deps),
      loads,
      updateObject(deps, { load: orApplied, stages: [applyPatch(deps), checkIdentity, ...finish] }),
    ],
    delete: [write, deleteObject(deps)],
    deletecollection: [setDeadline(deps, false), deleteCollection(deps)],
  };
}

function createScaleStages(deps: HandlerDeps): Pipeline {
  const write = writeWith(deps);
  const load = loadScale(deps);
  const admit = admitScale(deps);
  const answer = answerWithScale;
  return {
    'get/scale': [readScale(deps)],
    'update/scale': [
      write,
      readUpdate,
      decodeScale(deps),
      checkVersion,
      checkIdentity,
      updateObject(deps, { load, stages: [checkUid, admit], answer }),
    ],
    'patch/scale': [
      checkPatchType,
      write,
      readPatch,
      ...checkPatchBody(deps),
      updateObject(deps, { load, stages: [patchScale(deps), checkIdentity, admit], answer }),
    ],
  };
}

/** Requests that do not store their body. */
function createNonStoringStages(deps: HandlerDeps): Pipeline {
  const write = writeWith(deps);
  const admit = runMutatingAdmission(deps);
  const approve = runValidatingAdmission(deps);
  const decode = [write, readCreate, decodeBody(deps), checkVersion];
  const read = [...decode, wipeSystemFields, placeNewObject];
  const track = trackManagedFields(deps);
  return {
    connect: [clearDeadline, connect(deps)],
    evict: [...read, track, admit, checkEviction, approve, evict(deps)],
    // A Binding's uid is a precondition: it is not wiped.
    bind: [...decode, placeNewObject, track, admit, checkBinding(deps), approve, bind(deps)],
    token: [...read, track, admit, completeTokenRequestStage(deps), approve, issueToken(deps)],
    review: [...read, track, admit, refuseBadReview, approve, answerReviewStage(deps)],
  };
}

const connections = new Set(['exec', 'attach', 'portforward', 'proxy']);

/** undefined for an unsupported request. */
export function stagesFor(pipeline: Pipeline, { info, resource }: RequestTarget): readonly Stage[] | undefined {
  const { subresource } = resource;
  if (connections.has(subresource)) return pipeline['connect'];
  if (subresource === 'log') return pipeline['log'];
  if (subresource === 'scale') return pipeline[`${info.verb}/scale`];
  return pipeline[info.verb === 'create' ? creationOf(resource) : info.verb];
}

const creations: Readonly<Record<string, string>> = { eviction: 'evict', binding: 'bind', token: 'token' };

function creationOf({ resource, subresource, verbs }: RequestTarget['resource']): string {
  const creation = resource === 'bindings' ? 'bind' : creations[subresource];
  return creation ?? (verbs.includes('get') ? 'create' : 'review');
}
