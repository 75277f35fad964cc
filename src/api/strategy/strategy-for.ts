import type { FieldError } from '../../machinery/meta/field-error.ts';
import type { GroupResource } from '../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';
import type { InFieldOrder } from '../types/field-order.ts';
import type { Codec } from '../codec/codec.ts';
import type { Begin, Strategy } from './strategy.ts';
import { withDeclarativeErrors, type DeclaredFields } from '../validation/declarative.ts';
import { declarativeRules } from '../validation/declarative-rules.ts';
import { kindValidations } from '../validation/kinds.ts';
import { alphaRules } from './alpha-rules.ts';
import { coreRules } from './core-rules.ts';
import { createStrategy } from './create-strategy.ts';
import { contentChanged, metadataPartsOnUpdate, type ResourceRules } from './resource-rules.ts';
import { withoutDisabledFields, type Features, podSpecPaths } from './gated-fields.ts';
import { groupRules } from './group-rules.ts';
import { withOlderChecks } from './older-checks.ts';
import { applyOverrides } from './older-rules.ts';
import { simpleRules } from './simple-rules.ts';
import { workloadRules } from './workloads.ts';
import { asList, asObject, valueAt, type JsonObject } from '../../machinery/json/json.ts';
import { containerLists } from '../validation/core/container-lists.ts';
import { isSysAdminError } from '../validation/core/security-context.ts';
import { isMissingImageReference } from '../validation/core/volumes.ts';

const resourceRules: Readonly<Record<string, ResourceRules>> = {
  ...simpleRules,
  ...coreRules,
  ...workloadRules,
  ...groupRules,
  ...alphaRules,
};

/** For custom resources. */
export const unknownStrategy = createStrategy({
  scope: 'Any',
  anyFinalizer: true,
  needsResourceVersion: true,
  newGeneration: contentChanged,
  namesGroup: true,
});

/** Restores field order: rules set fields anywhere. */
function restoreFieldOrder(strategy: Strategy, inFieldOrder: InFieldOrder): Strategy {
  const toFieldOrder = (result: Result<KubernetesObject>, before: KubernetesObject): Result<KubernetesObject> =>
    result.ok ? ok(inFieldOrder(result.value, before)) : result;
  const { begin } = strategy;
  const inOrder =
    (own: Begin): Begin =>
    async (object, ...rest) => {
      const begun = await own(object, ...rest);
      return begun.ok ? ok({ ...begun.value, object: inFieldOrder(begun.value.object, object) }) : begun;
    };
  return {
    ...strategy,
    ...(begin ? { begin: inOrder(begin) } : {}),
    prepareForCreate: (object, context) => toFieldOrder(strategy.prepareForCreate(object, context), object),
    prepareForUpdate: (object, old, subresource, context) =>
      toFieldOrder(strategy.prepareForUpdate(object, old, subresource, context), object),
  };
}

const withDeclarativeValidation = (
  strategy: Strategy,
  fields: DeclaredFields,
  alignEmpty: Codec['alignEmpty'],
): Strategy => ({
  ...strategy,
  validateDeclaratively: (errors, object, old) =>
    withDeclarativeErrors(errors, fields, object, old && alignEmpty(old, object)),
});

export type StrategyFor = (resource: GroupResource) => Strategy;

/** `minor` is 37 for 1.37. */
export function createStrategies(
  { inFieldOrder, alignEmpty }: Pick<Codec, 'inFieldOrder' | 'alignEmpty'>,
  features: Features,
): StrategyFor {
  const { minor, isOn } = features;
  const declared = minor >= 37 ? declarativeRules(isOn) : undefined;
  const strategies = new Map(
    Object.entries(resourceRules).map(([resource, own]) => {
      const validation = { ...kindValidations[resource], metadataOnUpdate: metadataPartsOnUpdate(resource) };
      const created = createStrategy({ ...applyOverrides(resource, own, features), ...validation }, alignEmpty);
      const checked = withOlderChecks(tolerateOldErrors(created, resource, minor), resource, features);
      const strategy = declared ? withDeclarativeValidation(checked, declared[resource] ?? {}, alignEmpty) : checked;
      return [resource, restoreFieldOrder(withoutDisabledFields(strategy, resource, features), inFieldOrder)];
    }),
  );
  return ({ group, resource }) => strategies.get(`${group}/${resource}`) ?? unknownStrategy;
}

/** Adds validation of kinds whose rules are outside api/strategy. */
export const withValidation = (
  strategy: Strategy,
  validate: (object: KubernetesObject) => readonly FieldError[],
  validateUpdate: (object: KubernetesObject, oldObject: KubernetesObject) => readonly FieldError[],
): Strategy => ({
  ...strategy,
  validate: (object) => [...strategy.validate(object), ...validate(object)],
  validateUpdate: (object, oldObject, subresource) => [
    ...strategy.validateUpdate(object, oldObject, subresource),
    ...validateUpdate(object, oldObject),
  ],
});

interface Toleration {
  /** The first minor release that tolerates it. */
  readonly since?: number;
  readonly isError: (error: FieldError) => boolean;
  readonly uses: (podSpec: JsonObject) => boolean;
}

/** Unlike validation, also where `allowPrivilegeEscalation` is absent. */
const addsSysAdminCapability = (container: JsonObject): boolean => {
  const context = asObject(container['securityContext']);
  const added = asList(asObject(context['capabilities'])['add']);
  return context['allowPrivilegeEscalation'] !== true && added.includes('CAP_SYS_ADMIN');
};

/** Follows kubernetes pkg/api/pod/util.go GetValidationOptionsFromPodSpecAndMeta. */
const tolerations: readonly Toleration[] = [
  {
    isError: isMissingImageReference,
    uses: (spec) =>
      asList(spec['volumes']).some((volume) => {
        const { image } = asObject(volume);
        return image !== undefined && !asObject(image)['reference'];
      }),
  },
  {
    since: 37,
    isError: isSysAdminError,
    uses: (spec) => containerLists.some((list) => asList(spec[list]).map(asObject).some(addsSysAdminCapability)),
  },
];

/** An update may keep what the Pod or template used before. */
export function tolerateOldErrors(strategy: Strategy, resource: string, minor: number): Strategy {
  const path = podSpecPaths[resource]?.split('.');
  if (path === undefined) return strategy;
  const known = tolerations.filter(({ since = minor }) => minor >= since);
  const dropTolerated = (errors: readonly FieldError[], old: KubernetesObject): readonly FieldError[] =>
    known
      .filter(({ isError, uses }) => errors.some(isError) && uses(asObject(valueAt(old, ...path))))
      .reduce((remaining, { isError }) => remaining.filter((error) => !isError(error)), errors);
  return {
    ...strategy,
    validateUpdate: (object, old, ...rest) => dropTolerated(strategy.validateUpdate(object, old, ...rest), old),
  };
}
