import {
  beforeCreate,
  beforeUpdate,
  validateForCreate,
  validateForUpdate,
  type BeginPorts,
  type StrategyContext,
} from '../../../api/strategy/strategy.ts';
import type { FieldError } from '../../../machinery/meta/field-error.ts';
import { type GroupVersionKind, parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf, type ObjectMeta, withMetadata } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { internalError, invalid, type Status } from '../../../machinery/meta/status.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import { isCustomRow } from '../../custom-resources/custom-codec.ts';
import { withParts, type Exchange, requirePart, type RequestTarget, withObject } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { isDryRun } from '../write-options.ts';
import { targetNamespace } from './check-identity.ts';
import { objectOf } from './decode-body.ts';
import { loadForExpressions } from './load-conditions.ts';
import { convertToVersion, viewKindOf } from './load-current.ts';
import { withPermissionErrors } from './check-permissions.ts';

/** Removes read-only metadata of a new object before admission (rule REV-9). */
export const wipeSystemFields: Stage = {
  name: 'wipe-system-fields',
  run: async (exchange) => {
    const object = objectOf(exchange);
    const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, selfLink } = metadataOf(object);
    const sent = uid ?? creationTimestamp ?? deletionTimestamp ?? deletionGracePeriodSeconds ?? selfLink;
    if (sent === undefined) return ok(exchange);
    return ok(withParts(exchange, { object: withMetadata(object, wiped) }));
  },
};

const wiped = {
  uid: undefined,
  creationTimestamp: undefined,
  deletionTimestamp: undefined,
  deletionGracePeriodSeconds: undefined,
  selfLink: undefined,
} as const;

/**
 * Sets identity, times, status and spec, allocates addresses, validates; in the storage version. Follows apiserver
 * pkg/registry/rest/create.go and update.go.
 */
export const prepareForStorage = (deps: HandlerDeps): Stage => ({
  name: 'prepare-for-storage',
  run: async (exchange) => {
    const target = requirePart(exchange.target, 'target');
    if (objectOf(exchange).apiVersion === '') return refuse(withoutVersion);
    const storage = await toPreparationVersion(target, objectOf(exchange));
    if (!storage.ok) return storage;
    const prepared = exchange.current
      ? await prepareUpdate(deps, exchange, storage.value)
      : await prepareCreate(deps, exchange, storage.value);
    if (!prepared.ok) return prepared;
    const shown = await fromPreparationVersion(target, prepared.value);
    return shown.ok ? ok(withObject(exchange, shown.value)) : shown;
  },
});

/**
 * Patches of custom resources may remove it. Follows apimachinery pkg/runtime/error.go and apiserver
 * pkg/registry/rest/update.go.
 */
const withoutVersion: Status = internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");

/** Built-in objects are prepared in the version of `hub`, upstream's internal version; custom resources in the request's version. */
const isPreparedInRequestVersion = ({ hub, resource }: RequestTarget): boolean => hub !== resource.storage;

const toPreparationVersion = async (
  target: RequestTarget,
  object: KubernetesObject,
): Promise<Result<KubernetesObject>> =>
  isPreparedInRequestVersion(target) ? ok(object) : convertToVersion(target, object, target.hub);

const fromPreparationVersion = async (
  target: RequestTarget,
  object: KubernetesObject,
): Promise<Result<KubernetesObject>> =>
  isPreparedInRequestVersion(target) ? ok(object) : convertToVersion(target, object, viewKindOf(target.resource));

/** Custom resources are named by the kind they state. */
const subjectOf = (
  target: RequestTarget,
  { apiVersion, kind }: KubernetesObject,
): Pick<GroupVersionKind, 'group' | 'kind'> =>
  isPreparedInRequestVersion(target) ? { ...parseApiVersion(apiVersion), kind } : target.resource.storage;

function refusal(
  { release }: HandlerDeps,
  target: RequestTarget,
  object: KubernetesObject,
  errors: readonly FieldError[],
): Status {
  const { group, resource } = target.resource;
  const formatted = release.formatErrors(errors, { group, resource, isCustom: isCustomRow(target.resource) });
  return invalid(subjectOf(target, object), metadataOf(object).name ?? '', formatted);
}

async function prepareCreate(
  deps: HandlerDeps,
  exchange: Exchange,
  object: KubernetesObject,
): Promise<Result<KubernetesObject>> {
  const target = requirePart(exchange.target, 'target');
  // Since 1.37 a PUT or an apply that creates loses read-only metadata, after admission: store.go Update.
  const isWiped = deps.release.minor >= 37 && target.info.verb !== 'create';
  const identified = withMetadata(object, { ...(isWiped ? wiped : {}), ...identityOf(deps, object) });
  const begun = await begin(deps, exchange, identified);
  if (!begun.ok) return begun;
  target.strategy.warningsBeforeCreate(begun.value).forEach(exchange.journal.warn);
  const context = contextOf(deps, exchange);
  const prepared = beforeCreate(target.strategy, begun.value, targetNamespace(target), context);
  if (!prepared.ok) return prepared;
  await loadForExpressions(deps, exchange, prepared.value);
  await compileExpressions(deps, exchange, { object: prepared.value });
  const validationErrors = validateForCreate(target.strategy, prepared.value);
  const errors = withPermissionErrors(validationErrors, deps, exchange, { object: prepared.value });
  if (errors.length > 0) return refuse(refusal(deps, target, prepared.value, errors));
  target.strategy.warningsOnCreate(prepared.value).forEach(exchange.journal.warn);
  return runAfterValidation(exchange, prepared.value);
}

function runAfterValidation({ target }: Exchange, object: KubernetesObject): Result<KubernetesObject> {
  const { strategy, resource } = requirePart(target, 'target');
  const { afterValidation } = strategy;
  return ok(afterValidation ? afterValidation(object, resource.subresource) : object);
}

/** Without vowels and digits that look like letters. */
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Follows apiserver pkg/registry/rest/meta.go FillObjectMetaSystemFields. */
function identityOf(deps: HandlerDeps, object: KubernetesObject): ObjectMeta {
  const { name, generateName, labels } = metadataOf(object);
  const generates = name === undefined && generateName !== undefined;
  return {
    // Upstream copies the object, which separates a job's labels from its template's: createWithGenerateNameRetry of
    // store.go.
    ...(generates ? { name: generatedName(generateName, deps), ...(labels && { labels: { ...labels } }) } : {}),
    uid: deps.newUid(),
    creationTimestamp: formatTime(deps.clock.now()),
  };
}

/** Follows apiserver pkg/storage/names/generate.go (rule PATH-9). */
function generatedName(base: string, { random }: HandlerDeps): string {
  const suffix = Array.from({ length: 5 }, () => nameAlphabet[Math.floor(random() * nameAlphabet.length)] ?? '');
  return base.slice(0, 58) + suffix.join('');
}

async function prepareUpdate(
  deps: HandlerDeps,
  exchange: Exchange,
  object: KubernetesObject,
): Promise<Result<KubernetesObject>> {
  const target = requirePart(exchange.target, 'target');
  const current = requirePart(exchange.current, 'current object');
  const { strategy, resource, hub } = target;
  const oldObject = hub === resource.storage ? current.object : current.view;
  const begun = await begin(deps, exchange, object, oldObject);
  if (!begun.ok) return begun;
  const input = {
    object: begun.value,
    oldObject,
    subresource: resource.subresource,
    namespace: targetNamespace(target),
  };
  const context = contextOf(deps, exchange);
  const prepared = beforeUpdate(strategy, input, context);
  if (!prepared.ok) return prepared;
  await loadForExpressions(deps, exchange, prepared.value);
  await compileExpressions(deps, exchange, { object: prepared.value, oldObject });
  const validationErrors = validateForUpdate(strategy, prepared.value, oldObject, resource.subresource);
  const errors = withPermissionErrors(validationErrors, deps, exchange, { object: prepared.value, oldObject });
  if (errors.length > 0) return refuse(refusal(deps, target, prepared.value, errors));
  strategy.warningsOnUpdate(prepared.value, oldObject, resource.subresource).forEach(exchange.journal.warn);
  return runAfterValidation(exchange, prepared.value);
}

/** Allocates addresses for the main resource; `runAttempt` commits or reverts. */
async function begin(
  deps: HandlerDeps,
  exchange: Exchange,
  object: KubernetesObject,
  old?: KubernetesObject,
): Promise<Result<KubernetesObject>> {
  const { strategy, resource } = requirePart(exchange.target, 'target');
  if (!strategy.begin || resource.subresource !== '') return ok(object);
  const begun = await strategy.begin(object, old, contextOf(deps, exchange), beginPorts(deps));
  if (!begun.ok) return begun;
  const { progress } = exchange;
  progress.begun = begun.value;
  return ok(begun.value.object);
}

const ipAddresses = { group: 'networking.k8s.io', version: 'v1', resource: 'ipaddresses' };

export const beginPorts = ({ api, catalogue }: HandlerDeps): BeginPorts => ({
  api,
  hasIpAddresses: catalogue.find(ipAddresses, '') !== undefined,
});

export const contextOf = (deps: HandlerDeps, exchange: Exchange): StrategyContext => ({
  now: deps.clock.now(),
  random: deps.random,
  newUid: deps.newUid,
  cluster: deps.cluster,
  user: exchange.user,
  serviceClusterIpRange: deps.serviceClusterIpRange,
  dryRun: isDryRun(exchange.options),
});

/** Compiles the expressions that synchronous validation needs. */
async function compileExpressions(
  deps: HandlerDeps,
  { target }: Exchange,
  { object, oldObject }: { readonly object: KubernetesObject; readonly oldObject?: KubernetesObject },
): Promise<void> {
  await deps.yieldIfLong();
  await requirePart(target, 'target').strategy.compileExpressions?.(object, oldObject, deps.yieldIfLong);
}
