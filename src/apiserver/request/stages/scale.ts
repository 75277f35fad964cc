import { gvkText, parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { asString, valueAt, withValue } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest, invalid, notFound } from '../../../machinery/meta/status.ts';
import { beforeUpdate } from '../../../api/strategy/strategy.ts';
import { decodeAs, typeMetaOf } from '../decode-as.ts';
import { withResponse, withParts, type Current, type Exchange, requirePart } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import {
  addBeforeFirstApply,
  dropReplicasOwners,
  toParent,
  renameConflictVersion,
  isOwned,
  withScaleManagers,
  dropIdleManagers,
} from '../scale-managers.ts';
import { scaleShapeOf } from '../scale.ts';
import type { Stage } from '../stage.ts';
import { isDryRun, optionsJson } from '../write-options.ts';
import { attributesOf, runMutatingChain, runValidatingChain } from './admission.ts';
import { freshnessRefusal } from './await-revision.ts';
import { readAppliedConfiguration, reportDuplicates } from './apply-configuration.ts';
import { applyPatch } from './apply-patch.ts';
import { objectOf } from './decode-body.ts';
import { fillScaleName, scaleRefusal, withIdentityOf, keepReplicas } from './scale-body.ts';
import { decodeStored, readCurrent } from './load-current.ts';
import { contextOf } from './prepare-for-storage.ts';
import { isApplyPatch } from './read-options.ts';
import { managerOf } from './track-managed-fields.ts';

export const readScale = (deps: HandlerDeps): Stage => ({
  name: 'read-scale',
  run: async (exchange) => {
    const refusal = await freshnessRefusal(deps, exchange.request);
    if (refusal) return refuse(refusal);
    const parent = await loadParent(deps, exchange);
    if (!parent.ok) return parent;
    const { resource } = requirePart(exchange.target, 'target');
    const scale = scaleShapeOf(resource).read(parentOf(exchange, parent.value));
    return scale.ok ? ok(withResponse(exchange, 200, scale.value)) : scale;
  },
});

async function loadParent(deps: HandlerDeps, exchange: Exchange): Promise<Result<Current>> {
  const target = requirePart(exchange.target, 'target');
  const parent = await readCurrent(deps, target);
  if (!parent.ok) return parent;
  return parent.value ? ok(parent.value) : refuse(notFound(target.resource, target.info.name));
}

const parentOf = (exchange: Exchange, { object, view }: Current): KubernetesObject => {
  const { hub, resource } = requirePart(exchange.target, 'target');
  return hub === resource.storage ? object : view;
};

const currentParent = (exchange: Exchange): Current => {
  const { parent, ...current } = requirePart(exchange.current, 'current object');
  return { ...current, object: parent ?? current.object };
};

export const loadScale = (deps: HandlerDeps): Stage => ({
  name: 'load-scale',
  run: async (exchange) => {
    const parent = await loadParent(deps, exchange);
    if (!parent.ok) return parent;
    const { resource } = requirePart(exchange.target, 'target');
    const object = parentOf(exchange, parent.value);
    const scale = scaleShapeOf(resource).toScale(object);
    return scale.ok
      ? ok(withParts(exchange, { current: { ...parent.value, parent: object, view: scale.value } }))
      : scale;
  },
});

/**
 * Admission sees Scale objects; the parent's webhooks are not called. Follows kubernetes
 * pkg/registry/apps/deployment/storage ScaleREST.Update (rule REV-13).
 */
export const admitScale = (deps: HandlerDeps): Stage => ({
  name: 'admit-scale',
  run: async (exchange) => {
    const current = currentParent(exchange);
    const tracked = await trackParent(deps, exchange, current);
    if (!tracked.ok) return tracked;
    const shape = scaleShapeOf(requirePart(exchange.target, 'target').resource);
    const wanted = keepReplicas(exchange, tracked.value, current.object);
    const sent = withScaleManagers(fillScaleName(wanted, current.view), tracked.value, shape.path);
    const before = withScaleManagers(current.view, current.object, shape.path);
    const mutated = await runMutatingChain(deps, exchange, scaleAttributes(exchange, sent, before));
    if (!mutated.ok) return mutated;
    const scale = withIdentityOf(mutated.value ?? sent, current.view);
    const refusal = scaleRefusal(exchange, scale, current);
    if (refusal) return refuse(refusal);
    const prepared = prepareParent(
      deps,
      exchange,
      shape.withReplicas(toParent(dropIdleManagers(tracked.value), shape.path), scale),
      current,
    );
    if (!prepared.ok) return prepared;
    const scaled = shape.toScale(prepared.value);
    if (!scaled.ok) return scaled;
    const admitted = await runValidatingChain(deps, exchange, scaleAttributes(exchange, scaled.value, current.view));
    if (!admitted.ok) return admitted;
    return ok(withParts(exchange, { object: prepared.value }));
  },
});

/** An apply must be a whole Scale, and is merged into the parent later. */
export const patchScale = (deps: HandlerDeps): Stage => {
  const patch = applyPatch(deps);
  return {
    name: patch.name,
    run: async (exchange) => {
      if (!isApplyPatch(exchange)) return patchWithManagers(patch, exchange);
      const body = await readAppliedConfiguration(deps, exchange);
      if (!body.ok) return body;
      const { document, duplicates } = body.value;
      const refusal = reportDuplicates(deps, exchange, duplicates);
      if (refusal) return refuse(refusal);
      const { codec, resource } = requirePart(exchange.target, 'target');
      const { kind } = resource;
      const type = gvkText({ ...parseApiVersion(asString(document['apiVersion'])), kind: asString(document['kind']) });
      if (type !== gvkText(kind)) return refuse(badRequest(`invalid object type: ${type}`));
      const decoded = decodeAs(codec, document, typeMetaOf(document, kind), kind);
      if (decoded.outcome === 'undecodable') return refuse(badRequest(decoded.error));
      // The object does not distinguish replicas 0 from none.
      return ok(
        withParts(exchange, { object: decoded.object, sent: { ...decoded.object, spec: document['spec'] ?? null } }),
      );
    },
  };
};

/** Errors of a failed patch show managedFields. */
async function patchWithManagers(patch: Stage, exchange: Exchange): Promise<Result<Exchange>> {
  const current = requirePart(exchange.current, 'current object');
  const { path } = scaleShapeOf(requirePart(exchange.target, 'target').resource);
  const view = withScaleManagers(current.view, currentParent(exchange).object, path);
  const patched = await patch.run(withParts(exchange, { current: { ...current, view } }));
  return patched.ok ? ok({ ...patched.value, current }) : patched;
}

/**
 * Sets replicas and their owner on the parent; 409 for a conflicting apply. Follows apimachinery
 * pkg/util/managedfields/scalehandler.go.
 */
async function trackParent(
  deps: HandlerDeps,
  exchange: Exchange,
  { object: live }: Current,
): Promise<Result<KubernetesObject>> {
  const scale = objectOf(exchange);
  const { fields, resource } = requirePart(exchange.target, 'target');
  const shape = scaleShapeOf(resource);
  const about = { live, manager: managerOf(exchange), subresource: 'scale', now: deps.clock.now() };
  if (!isApplyPatch(exchange)) {
    const object = shape.withReplicas(live, scale);
    if (!isOwned(live, shape.path)) return ok(object);
    const updated = await fields.update({ ...about, object });
    const isShown = Boolean(valueAt(scale, 'spec', 'replicas'));
    return ok(isShown || !valueAt(live, ...shape.path) ? updated : dropReplicasOwners(updated, shape.path));
  }
  const { apiVersion, kind } = live;
  const name = metadataOf(live).name ?? '';
  const patch = shape.toAppliedParent({ apiVersion, kind, metadata: { name } }, exchange.sent ?? scale);
  const endpoint = { ...parseApiVersion(apiVersion), kind };
  const owned = addBeforeFirstApply(withoutZero(live, shape.path), shape.path);
  const applied = await fields.apply({
    ...about,
    live: owned,
    patch,
    kind: endpoint,
    force: exchange.options.force === true,
  });
  return applied.ok ? applied : refuse(renameConflictVersion(applied.status, apiVersion, scale.apiVersion));
}

/** A Scale omits 0 replicas: applying 0 adds them and conflicts with their owner. */
const withoutZero = (live: KubernetesObject, path: readonly string[]): KubernetesObject =>
  valueAt(live, ...path) === 0 ? withValue(live, path, undefined) : live;

const scaleAttributes = (
  exchange: Exchange,
  object: KubernetesObject,
  oldObject: KubernetesObject,
): ReturnType<typeof attributesOf> =>
  attributesOf(exchange, {
    operation: 'UPDATE',
    name: requirePart(exchange.target, 'target').info.name,
    object,
    oldObject,
    options: optionsJson('UpdateOptions', exchange.options),
    dryRun: isDryRun(exchange.options),
  });

function prepareParent(
  deps: HandlerDeps,
  exchange: Exchange,
  object: KubernetesObject,
  { object: oldObject }: Current,
): Result<KubernetesObject> {
  const { strategy, resource, hub } = requirePart(exchange.target, 'target');
  const namespace = metadataOf(oldObject).namespace ?? '';
  const prepared = beforeUpdate(strategy, { object, oldObject, subresource: '', namespace }, contextOf(deps, exchange));
  if (!prepared.ok) return prepared;
  const errors = hub === resource.storage ? [] : strategy.validateUpdate(prepared.value, oldObject, '');
  if (errors.length > 0) {
    const formatted = deps.release.formatErrors(errors, { ...resource, isCustom: true });
    return refuse(invalid(hub, metadataOf(oldObject).name ?? '', formatted));
  }
  strategy.warningsOnUpdate(prepared.value, oldObject, '').forEach(exchange.journal.warn);
  return prepared;
}

export async function answerWithScale(
  deps: HandlerDeps,
  exchange: Exchange,
  stored: KubernetesObject,
): Promise<Result<Exchange>> {
  const target = requirePart(exchange.target, 'target');
  const parent =
    target.hub === target.resource.storage ? ok(stored) : await decodeStored(deps, target, stored, 'write');
  if (!parent.ok) return parent;
  const scale = scaleShapeOf(target.resource).toScale(parent.value);
  return scale.ok ? ok(withResponse(exchange, 200, scale.value, scale.value)) : scale;
}
