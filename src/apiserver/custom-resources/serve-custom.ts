import type { ValidationResult } from '../../api/crd/instances/run-rules.ts';
import type { CustomKind } from '../../api/apply/field-kinds.ts';
import { createFieldManager, type FieldManager } from '../../api/apply/field-manager.ts';
import type { Codec } from '../../api/codec/codec.ts';
import type { CustomType } from '../../api/crd/custom-type.ts';
import { createStrategy } from '../../api/strategy/create-strategy.ts';
import { contentChanged, withField } from '../../api/strategy/resource-rules.ts';
import type { Strategy } from '../../api/strategy/strategy.ts';
import type { NewUid } from '../../machinery/clock.ts';
import { asString } from '../../machinery/json/json.ts';
import { type FieldError, invalidValue } from '../../machinery/meta/field-error.ts';
import { apiVersionOf, type GroupResource, type GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import { ok, refuse } from '../../machinery/meta/result.ts';
import { forbidden, methodNotSupported, type Status } from '../../machinery/meta/status.ts';
import type { CallWebhook } from '../admission/webhooks/call.ts';
import type { ParseConversionYaml } from './conversion-review.ts';
import { type ConversionRequest, createConverter } from './converter.ts';
import { createCustomCodec, type CustomRow, type CustomVersion } from './custom-codec.ts';
import {
  acceptedNames,
  definitionGroup,
  hasStatus,
  isNamespaced,
  isConditionTrue,
  versionNamed,
} from './definition.ts';

export interface CustomPorts {
  readonly callWebhook: CallWebhook;
  readonly newUid: NewUid;
  readonly parseYaml: ParseConversionYaml;
  readonly codec: Codec;
}

export interface CustomServer {
  readonly strategy: Strategy;
  readonly codec: Codec;
  readonly fields: FieldManager;
  readonly hub: GroupVersionKind;
}

/** `request` gets the conversion records. */
export function serveCustom(
  { custom, storage, ...row }: CustomRow,
  ports: CustomPorts,
  request: ConversionRequest,
): CustomServer {
  const { definition, engine } = custom;
  const converter = createConverter(definition, ports, request);
  const codec = createCustomCodec(custom, ports.codec, { converter });
  const fields = createFieldManager(codec, (kind) => {
    const isOwn = kind.group === definitionGroup(definition) && kind.kind === acceptedNames(definition).kind;
    return isOwn ? customKindOf({ definition, engine }, kind.version) : undefined;
  });
  const hub = { group: row.group, version: row.version, kind: storage.kind };
  return { strategy: createCustomStrategy(custom, codec.types.minor), codec, fields, hub };
}

export function customKindOf(
  { definition, engine }: Pick<CustomVersion, 'definition' | 'engine'>,
  name: string,
): CustomKind | undefined {
  const version = versionNamed(definition, name);
  const type = version && engine.customType(definition, name);
  return version && type && { type: type.valueType(), hasStatus: hasStatus(version) };
}

/**
 * In the version of the request. Follows apiextensions-apiserver pkg/registry/customresource/strategy.go,
 * status_strategy.go and validator.go.
 */
function createCustomStrategy({ definition, version, engine }: CustomVersion, release: number): Strategy {
  const name = asString(version['name']);
  const kind = { group: definitionGroup(definition), version: name, kind: acceptedNames(definition).kind };
  const type = (): CustomType => {
    const customType = engine.customType(definition, name);
    if (!customType) throw new Error(`a definition without its version ${name}`);
    return customType;
  };
  const generic = createStrategy({
    scope: isNamespaced(definition) ? 'Namespaced' : 'Cluster',
    anyFinalizer: true,
    needsResourceVersion: true,
    newGeneration: contentChanged,
    namesGroup: true,
    prepareForCreate: (object) => {
      const { plural } = acceptedNames(definition);
      if (isConditionTrue(definition, 'Terminating'))
        return refuse(terminatingError({ ...kind, resource: plural }, object, release));
      return ok(hasStatus(version) ? withField(object, 'status', undefined) : object);
    },
    restore: {
      '': (object, old) => (hasStatus(version) ? withField(object, 'status', old['status']) : object),
      status: restoreAllButStatus,
    },
  });
  const validateInstance = createValidator(kind, generic, type);
  return {
    ...generic,
    validate: (object) => validateInstance(object, undefined, '').errors,
    validateUpdate: (object, old, subresource) => validateInstance(object, old, subresource).errors,
    warningsOnCreate: (object) => [...type().warnings(object), ...validateInstance(object, undefined, '').warnings],
    warningsOnUpdate: (object, old, subresource) => [
      ...type().warnings(object, old),
      ...validateInstance(object, old, subresource).warnings,
    ],
  };
}

/** Follows apiextensions-apiserver pkg/registry/customresource/validator.go. */
function createValidator(
  kind: GroupVersionKind,
  generic: Pick<Strategy, 'validate' | 'validateUpdate'>,
  type: () => CustomType,
): ValidateCustom {
  const typeErrors = (object: KubernetesObject): readonly FieldError[] => [
    ...(object.kind === kind.kind ? [] : [invalidValue('kind', object.kind, `must be ${kind.kind}`)]),
    ...(object.apiVersion === apiVersionOf(kind)
      ? []
      : [invalidValue('apiVersion', object.apiVersion, `must be ${apiVersionOf(kind)}`)]),
  ];
  return cacheLast((object, old, subresource) => {
    const errors = typeErrors(object);
    if (errors.length > 0) return { errors, warnings: [] };
    if (!old) return type().validate(object, generic.validate(object));
    const metadataErrors = generic.validateUpdate(object, old, subresource);
    return subresource === 'status'
      ? type().validateStatusUpdate(object, old, metadataErrors)
      : type().validateUpdate(object, old, metadataErrors);
  });
}

/** Follows apiextensions-apiserver pkg/apiserver/customresource_handler.go of 1.33 and 1.34. */
const terminatingError = ({ group, resource }: GroupResource, object: KubernetesObject, release: number): Status =>
  release < 34
    ? methodNotSupported({ group, resource }, terminating)
    : forbidden({ group, resource }, metadataOf(object).name ?? '', terminating);

const terminating = 'create not allowed while custom resource definition is terminating';

type ValidateCustom = (
  object: KubernetesObject,
  old: KubernetesObject | undefined,
  subresource: string,
) => ValidationResult;

/** The strategy is called for errors, then for warnings of the same object: one validation serves both. */
function cacheLast(make: ValidateCustom): ValidateCustom {
  let last: { readonly of: Parameters<ValidateCustom>; readonly verdict: ValidationResult } | undefined;
  return (...of) => {
    if (!last?.of.every((one, at) => one === of[at])) last = { of, verdict: make(...of) };
    return last.verdict;
  };
}

function restoreAllButStatus(object: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const { managedFields, resourceVersion } = metadataOf(object);
  return withMetadata(withField(old, 'status', object['status']), { managedFields, resourceVersion });
}
