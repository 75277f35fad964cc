import type { AdmissionAttributes, AdmissionPhase } from '../../admission/chain/attributes.ts';
import { dropDuplicateOwners, restoreManagedFields } from '../repair-metadata.ts';
import type { CallLimits } from '../../admission/chain/create-chain.ts';
import type { AdmissionResult } from '../../admission/chain/outcome.ts';
import type { PluginAnswer } from '../../admission/chain/plugin.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { isCustomRow, withReadableMetadata } from '../../custom-resources/custom-codec.ts';
import { type Exchange, requirePart, withObject, timeIsUp } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { isApplyPatch } from './read-options.ts';
import { isDryRun, optionsJson } from '../write-options.ts';

/** A PUT or apply that creates is a CREATE; the request name stays if a webhook changes it. */
function writeAttributes(exchange: Exchange): AdmissionAttributes {
  const { object, current } = exchange;
  const creating = current === null;
  return attributesOf(exchange, {
    operation: creating ? 'CREATE' : 'UPDATE',
    object,
    oldObject: creating ? null : current.view,
    options: optionsJson(creating ? 'CreateOptions' : 'UpdateOptions', exchange.options),
    name: requirePart(exchange.target, 'target').info.name || nameOf(exchange.sent ?? null) || nameOf(object),
    dryRun: isDryRun(exchange.options),
  });
}

const nameOf = (object: KubernetesObject | null): string => object?.metadata?.name ?? '';

type AttributeParts = Pick<AdmissionAttributes, 'operation' | 'name' | 'object' | 'oldObject' | 'options' | 'dryRun'>;

export function attributesOf(exchange: Exchange, parts: AttributeParts): AdmissionAttributes {
  const { info, resource, codec } = requirePart(exchange.target, 'target');
  const isNamespace = resource.resource === 'namespaces' && resource.group === '';
  const { operation, name, object, oldObject, options, dryRun } = parts;
  // Fields are named one by one: spreading takes ten times as long.
  return {
    operation,
    name,
    object,
    oldObject,
    options,
    dryRun,
    kind: resource.kind,
    resource: { group: resource.group, version: resource.version, resource: resource.resource },
    subresource: resource.subresource,
    namespace: isNamespace ? name : resource.namespaced ? info.namespace : '',
    userInfo: exchange.user,
    ...(isApplyPatch(exchange) ? { isApply: true } : {}),
    ...(isCustomRow(resource) ? { codec } : {}),
  };
}

export const runMutatingAdmission = (deps: HandlerDeps): Stage => ({
  name: 'mutating-admission',
  run: async (exchange) => {
    const admitted = await runMutatingChain(deps, exchange, writeAttributes(exchange));
    return admitted.ok ? ok(withObject(exchange, repairMutated(exchange, admitted.value))) : admitted;
  },
});

/** Drops unreadable metadata and managedFields, and repeated owners (rules MUT-41, MUT-42). */
function repairMutated(
  { object: before, journal, request, target }: Exchange,
  after: KubernetesObject | null,
): KubernetesObject | null {
  if (!before || !after || (after === before && request.method !== 'PATCH')) return after;
  const isUnstructured = after !== before && isCustomRow(requirePart(target, 'target').resource);
  const { object, warnings = [] } = repairMetadata(before, isUnstructured ? withReadableMetadata(after) : after);
  warnings.forEach(journal.warn);
  return object;
}

function repairMetadata(before: KubernetesObject, after: KubernetesObject): PluginAnswer {
  const restored = restoreManagedFields(before, after);
  if (!restored.object) return restored;
  const { object, warnings = [] } = dropDuplicateOwners(restored.object, 'after');
  return { object, warnings: [...(restored.warnings ?? []), ...warnings] };
}

/** For bodies before admission, for patched objects only after it. */
export const dropOwnersOfBody: Stage = {
  name: 'drop-duplicate-owners',
  run: async (exchange) => {
    const { object: sent, journal } = exchange;
    if (!sent) return ok(exchange);
    const { object, warnings = [] } = dropDuplicateOwners(sent, 'before');
    warnings.forEach(journal.warn);
    return ok(withObject(exchange, object));
  },
};

export const runValidatingAdmission = (deps: HandlerDeps): Stage => ({
  name: 'validating-admission',
  run: async (exchange) => {
    const admitted = await runValidatingChain(deps, exchange, writeAttributes(exchange));
    return admitted.ok ? ok(exchange) : admitted;
  },
});

const admit =
  (phase: AdmissionPhase) =>
  async (
    deps: HandlerDeps,
    exchange: Exchange,
    attributes: AdmissionAttributes,
  ): Promise<Result<KubernetesObject | null>> => {
    const { journal } = exchange;
    const { chain } = deps;
    const { codec } = requirePart(exchange.target, 'target');
    const startedAt = journal.now();
    const runPhase = phase === 'mutating' ? chain.mutate : chain.validate;
    const result = await runPhase(attributes, limitsOf(exchange));
    const pass = { operation: attributes.operation, startedAt, finishedAt: journal.now() };
    journal.admission(phase, result, { pass, printed: codec.printed });
    return verdictOf(deps, exchange, result);
  };

export const runMutatingChain = admit('mutating');

export const runValidatingChain = admit('validating');

/** The request's deadline overrides the results of webhooks (rules FAIL-43, FAIL-44). */
function verdictOf(
  { clock }: HandlerDeps,
  { deadline, deadlineSource }: Exchange,
  { verdict }: AdmissionResult,
): Result<KubernetesObject | null> {
  // Timers may fire up to a millisecond early.
  if (clock.now() >= deadline.at() - 1) return refuse(timeIsUp[deadlineSource]);
  return verdict.outcome === 'admitted' ? ok(verdict.object) : refuse(verdict.status);
}

const limitsOf = ({ deadline, request }: Exchange): CallLimits => ({ deadline, signal: request.signal });
