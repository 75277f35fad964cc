import type { FieldError } from '../../machinery/meta/field-error.ts';
import { asObject, valueAt } from '../../machinery/json/json.ts';
import { metadataOf, withMetadata, type KubernetesObject } from '../../machinery/meta/object.ts';
import { emptyList, concat } from '../../machinery/lists.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';
import type { AlignEmpty } from '../codec/stored-form.ts';
import type { ValidateSelector } from '../validation/resource/device-claims.ts';
import type { Strategy, StrategyContext } from './strategy.ts';
import {
  pathSegment,
  subdomainName,
  validateKubeFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../validation/meta/object-meta.ts';
import { keepMetadata, withField, type MetadataPart, type ResourceRules } from './resource-rules.ts';

const noWarnings = (): readonly string[] => [];

/**
 * Comparisons with the old object treat nil and empty as equal through `alignEmpty`. Follows apiserver
 * pkg/registry/rest/{create,update}.go.
 */
export function createStrategy(rules: ResourceRules, alignEmpty: AlignEmpty = (old) => old): Strategy {
  return {
    allowCreateOnUpdate: false,
    namesGroup: false,
    returnsDeletedObject: false,
    defaultGarbageCollection: 'Background',
    warningsBeforeCreate: noWarnings,
    warningsOnCreate: noWarnings,
    ...rules,
    allowUnconditionalUpdate: !rules.needsResourceVersion,
    prepareForCreate: (object, context) => prepareForCreate(rules, object, context),
    prepareForUpdate: (object, oldObject, subresource, context) => {
      const restored = dropDisabledFields(rules, restoreFields(rules, object, oldObject, subresource), oldObject);
      const old = rules.countsEmpty ? oldObject : alignEmpty(oldObject, restored);
      const prepared = incrementGeneration(rules, restored, old, subresource);
      return rules.prepareForUpdate?.(prepared, old, subresource, context) ?? ok(prepared);
    },
    validate: (object, ...faults) => validate(rules, object, ...faults),
    validateUpdate: (object, old, ...rest) => validateUpdate(rules, object, alignEmpty(old, object), ...rest),
    warningsOnUpdate: (object, old, subresource) =>
      rules.warningsOnUpdate?.(object, alignEmpty(old, object), subresource) ?? emptyList,
  };
}

function prepareForCreate(
  rules: ResourceRules,
  object: KubernetesObject,
  context: StrategyContext,
): Result<KubernetesObject> {
  const { emptyStatus } = rules;
  const status = typeof emptyStatus === 'function' ? emptyStatus(object, context) : emptyStatus;
  const wiped = status === undefined ? object : withField(object, 'status', status);
  const enabled = dropDisabledFields(rules, wiped);
  const prepared = rules.newGeneration ? withMetadata(enabled, { generation: 1 }) : enabled;
  return rules.prepareForCreate?.(prepared, context) ?? ok(prepared);
}

/** Drops fields of disabled features, unless the old object has them. */
function dropDisabledFields(
  { disabled = [] }: ResourceRules,
  object: KubernetesObject,
  old?: KubernetesObject,
): KubernetesObject {
  const dropped = disabled.filter(
    (path) => valueAt(object, ...path) !== undefined && (!old || valueAt(old, ...path) === undefined),
  );
  return dropped.reduce((so, [field, inner]) => {
    const { [inner]: _dropped, ...rest } = asObject(so[field]);
    return withField(so, field, rest);
  }, object);
}

function restoreFields(
  rules: ResourceRules,
  object: KubernetesObject,
  old: KubernetesObject,
  subresource: string,
): KubernetesObject {
  const own = rules.restore?.[subresource];
  if (own) return own(object, old);
  if (subresource !== 'status') {
    return rules.emptyStatus === undefined ? object : withField(object, 'status', old['status']);
  }
  const restored = withField(object, 'spec', old['spec']);
  return rules.statusKeepsMetadata ? keepMetadata(restored, old) : restored;
}

function incrementGeneration(
  rules: ResourceRules,
  object: KubernetesObject,
  old: KubernetesObject,
  subresource: string,
): KubernetesObject {
  if (!rules.newGeneration || subresource === 'status' || !rules.newGeneration(object, old)) return object;
  return withMetadata(object, { generation: (metadataOf(old).generation ?? 0) + 1 });
}

const isNamespaced = (rules: ResourceRules, object: KubernetesObject): boolean =>
  rules.scope === 'Any' ? Boolean(metadataOf(object).namespace) : rules.scope !== 'Cluster';

const validateFinalizers = (rules: ResourceRules, object: KubernetesObject): readonly FieldError[] =>
  rules.anyFinalizer ? emptyList : validateKubeFinalizers(metadataOf(object));

const validateMetadata = (rules: ResourceRules, object: KubernetesObject): readonly FieldError[] =>
  concat(
    validateObjectMeta(metadataOf(object), isNamespaced(rules, object), rules.name ?? subdomainName),
    validateFinalizers(rules, object),
  );

const validateAsNew = (
  rules: ResourceRules,
  object: KubernetesObject,
  selectorFaults?: ValidateSelector,
): readonly FieldError[] =>
  concat(
    rules.reportsMetadata ? emptyList : validateMetadata(rules, object),
    rules.validate?.(object, selectorFaults) ?? emptyList,
  );

/** The kind's own rules first, then those for every name. */
function validate(
  rules: ResourceRules,
  object: KubernetesObject,
  selectorFaults?: ValidateSelector,
): readonly FieldError[] {
  const metadata = metadataOf(object);
  const namespaced = isNamespaced(rules, object);
  const errors = validateAsNew(rules, object, selectorFaults);
  // A subdomain is always a valid path segment.
  if (errors.length > 0 || (rules.name === undefined && !rules.reportsMetadata)) return errors;
  return validateObjectMeta(metadata, namespaced, pathSegment);
}

/** The rules for all kinds first, then the kind's own, which may repeat metadata errors. */
function validateUpdate(
  rules: ResourceRules,
  ...[object, old, subresource, selectorFaults]: Parameters<Strategy['validateUpdate']>
): readonly FieldError[] {
  const metadata = metadataOf(object);
  const changes = validateObjectMetaUpdate(metadata, metadataOf(old));
  const errorsOf: Readonly<Record<MetadataPart, () => readonly FieldError[]>> = {
    changes: () => concat(changes, validateFinalizers(rules, object)),
    whole: () => validateMetadata(rules, object),
    'all as if new': () => validateAsNew(rules, object, selectorFaults),
  };
  const parts = rules.metadataOnUpdate?.[subresource === '' ? 'object' : 'subresource'] ?? ['changes'];
  return concat(
    validateObjectMeta(metadata, isNamespaced(rules, object), pathSegment),
    changes,
    ...parts.map((part) => errorsOf[part]()),
    rules.validateUpdate?.(object, old, subresource, selectorFaults) ?? emptyList,
  );
}
