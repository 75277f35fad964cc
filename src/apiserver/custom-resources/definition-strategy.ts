import { type FieldError, invalidValue } from '../../machinery/meta/field-error.ts';
import { asList, asObject, valueAt, withValue } from '../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { validateObjectMeta } from '../../api/validation/meta/object-meta.ts';
import { ok } from '../../machinery/meta/result.ts';
import type { Strategy } from '../../api/strategy/strategy.ts';
import type { EstablishPorts } from './accept-names.ts';
import { caBundleOf, isConditionTrue, storageVersionOf } from './definition.ts';
import type { CrdEngine } from './engine.ts';

export function definitionStrategy(
  generic: Strategy,
  engine: () => CrdEngine,
  { caBundleError, release }: Pick<EstablishPorts, 'caBundleError'> & { readonly release: number },
): Strategy {
  return {
    ...generic,
    prepareForUpdate: (definition, old, subresource, context) => {
      const prepared = generic.prepareForUpdate(definition, old, subresource, context);
      return prepared.ok && subresource === '' ? ok(withStoredVersion(prepared.value)) : prepared;
    },
    validate: (definition) => [
      ...validateObjectMeta(metadataOf(definition), false, engine().definitionName(definition)),
      ...engine().validateDefinition(definition, release),
    ],
    validateUpdate: (definition, old, subresource) => [
      ...generic.validateUpdate(definition, old, subresource),
      ...(subresource === 'status'
        ? engine().validateDefinitionStatusUpdate(definition, old)
        : withErrorsOfClient(
            engine().validateDefinitionUpdate(definition, old, release),
            caBundleErrors(definition, old, caBundleError),
          )),
    ],
    afterValidation: (definition, subresource) =>
      subresource === '' ? engine().withReadableDefaults(definition) : definition,
    warningsOnCreate: (definition) => engine().definitionWarnings(release, definition),
    warningsOnUpdate: (definition, old, subresource) =>
      subresource === '' ? engine().definitionWarnings(release, definition, old) : [],
  };
}

/**
 * An established definition keeps a valid caBundle, or none. Follows apiextensions-apiserver
 * pkg/apis/apiextensions/validation/validation.go allowInvalidCABundle.
 */
function caBundleErrors(
  definition: KubernetesObject,
  old: KubernetesObject,
  caBundleError: EstablishPorts['caBundleError'],
): readonly FieldError[] {
  const caBundle = caBundleOf(definition);
  const isCalled = valueAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook';
  if (!isCalled || !isConditionTrue(old, 'Established') || caBundleError(caBundleOf(old)) !== '') return [];
  const error = caBundleError(caBundle);
  return error === '' ? [] : [invalidValue('spec.conversion.webhookClientConfig.caBundle', caBundle, error)];
}

/** Upstream validates the converter's certificates with its URL, before its review versions. */
function withErrorsOfClient(errors: readonly FieldError[], ofClient: readonly FieldError[]): readonly FieldError[] {
  const at = errors.findIndex(({ field }) => field.startsWith('spec.conversion.conversionReviewVersions'));
  return at < 0 ? [...errors, ...ofClient] : errors.toSpliced(at, 0, ...ofClient);
}

/** Records the storage version. */
function withStoredVersion(definition: KubernetesObject): KubernetesObject {
  const version = storageVersionOf(definition);
  const stored = asList(valueAt(definition, 'status', 'storedVersions'));
  if (version === '' || stored.includes(version)) return definition;
  const status = withValue(asObject(definition['status']), ['storedVersions'], [...stored, version]);
  return { ...definition, status };
}
