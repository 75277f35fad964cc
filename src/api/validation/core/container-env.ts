import {
  validateRequiredText,
  validateText,
  validatePathNoBacksteps,
  validateOptionalText,
  each,
  eachOf,
  noErrors,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { containerLists } from './container-lists.ts';
import { fieldNotFound, invalidValue, notSupportedText, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import {
  configMapKeyErrors,
  dns1123Label,
  dns1123Subdomain,
  environmentVariableName,
  qualifiedNameErrors,
} from '../../../machinery/meta/names.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { parseAmount } from '../meta/quantity-amount.ts';

/** The file follows kubernetes pkg/apis/core/validation ValidateEnv, ValidateEnvFrom. */
export const validateEnv = (env: readonly core.EnvVar[] | undefined, path: string): FieldErrors =>
  eachOf(asList(env), (item, index) => {
    const variable = asObject(item);
    return isNameAndValue(variable) ? noErrors : validateEnvVar(variable, `${path}[${index}]`);
  });

/** Fast path for a name and a value. */
const isNameAndValue = (variable: core.EnvVar): boolean =>
  variable.valueFrom === undefined && environmentVariableName(asString(variable.name)).length === 0;

function validateEnvVar(variable: core.EnvVar, path: string): FieldErrors {
  const named = validateRequiredText(environmentVariableName, `${path}.name`, variable.name);
  return variable.valueFrom === undefined
    ? named
    : [...named, ...validateEnvVarValueFrom(variable, `${path}.valueFrom`)];
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;

function validateEnvVarValueFrom(variable: core.EnvVar, path: string): FieldErrors {
  const from = asObject(variable.valueFrom);
  const setSources = sources.filter((source) => from[source] !== undefined);
  return [...validateEnvVarSource(from, path), ...validateOneSource(setSources.length, asString(variable.value), path)];
}

function validateEnvVarSource(from: core.EnvVarSource, path: string): FieldErrors {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = from;
  return [
    ...(fieldRef === undefined ? [] : validateObjectFieldSelector(fieldRef, environmentFieldPaths, `${path}.fieldRef`)),
    ...(resourceFieldRef === undefined
      ? []
      : validateContainerResourceFieldSelector(resourceFieldRef, `${path}.resourceFieldRef`)),
    ...(configMapKeyRef === undefined ? [] : validateKeySelector(configMapKeyRef, `${path}.configMapKeyRef`)),
    ...(secretKeyRef === undefined ? [] : validateKeySelector(secretKeyRef, `${path}.secretKeyRef`)),
    ...(fileKeyRef === undefined ? [] : validateFileKeySelector(asObject(fileKeyRef), `${path}.fileKeyRef`)),
  ];
}

function validateOneSource(count: number, value: string, path: string): FieldErrors {
  if (count === 0) {
    return [
      invalidValue(
        path,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      ),
    ];
  }
  if (value !== '') return [invalidValue(path, '', 'may not be specified when `value` is not empty')];
  return errorIf(count > 1, () => invalidValue(path, '', 'may not have more than one field specified at a time'));
}

function validateKeySelector(value: core.ConfigMapKeySelector | core.SecretKeySelector, path: string): FieldErrors {
  const { name, key } = asObject(value);
  return [
    ...validateText(dns1123Subdomain, `${path}.name`, asString(name)),
    ...validateRequiredText(configMapKeyErrors, `${path}.key`, key),
  ];
}

/** Follows kubernetes pkg/apis/core/validation validateFileKeySelector. */
function validateFileKeySelector(reference: core.FileKeySelector, path: string): FieldErrors {
  const file = asString(reference.path);
  return [
    ...validateRequiredText(environmentVariableName, `${path}.key`, reference.key),
    ...validateRequiredText(dns1123Label, `${path}.volumeName`, reference.volumeName),
    ...(file === '' ? [required(`${path}.path`, '')] : validatePathNoBacksteps(`${path}.path`, file)),
  ];
}

/** Follows kubernetes pkg/apis/core/validation validateFileKeyRefVolumes. */
export function validateFileKeyRefVolumes(spec: core.PodSpec, path: string): FieldErrors {
  const lists = containerLists.filter((list) => asList(spec[list]).some(hasFileKeyRefs));
  if (lists.length === 0) return noErrors;
  const volumes = new Map(asList(spec.volumes).map((volume) => [asString(asObject(volume).name), asObject(volume)]));
  const check = (variable: core.EnvVar, at: string): FieldErrors => {
    const reference = asObject(variable.valueFrom).fileKeyRef;
    if (reference === undefined) return [];
    const [name, field] = [asString(asObject(reference).volumeName), `${at}.valueFrom.fileKeyRef.volumeName`];
    const volume = volumes.get(name);
    if (!volume) return [fieldNotFound(field, name)];
    return errorIf(volume.emptyDir === undefined, () =>
      invalidValue(field, name, 'referenced volume must be of type emptyDir'),
    );
  };
  return lists.flatMap((list) =>
    each(spec[list], `${path}.${list}`, (container, at) => each(container.env, `${at}.env`, check)),
  );
}

const hasFileKeyRefs = (container: core.Container): boolean =>
  asList(asObject(container).env).some((variable) => asObject(asObject(variable).valueFrom).fileKeyRef !== undefined);

const environmentFieldPaths = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

/** Labels and annotations have a quoted key. */
export function validateObjectFieldSelector(
  value: core.ObjectFieldSelector,
  fieldPaths: readonly string[],
  path: string,
): FieldErrors {
  const { apiVersion, fieldPath } = asObject(value);
  const [text, version] = [asString(fieldPath), asString(apiVersion)];
  if (version === '') return [required(`${path}.apiVersion`, '')];
  if (text === '') return [required(`${path}.fieldPath`, '')];
  if (version !== 'v1') {
    const problem = `error converting fieldPath: unsupported pod version: ${version}`;
    return [invalidValue(`${path}.fieldPath`, text, problem)];
  }
  const { whole, key } = parseSubscript(text);
  if (key === undefined) {
    if (isFieldOfPod(text))
      return errorIf(!fieldPaths.includes(text), () => notSupportedText(`${path}.fieldPath`, text, fieldPaths));
  } else if (whole === 'metadata.annotations') return validateText(qualifiedNameErrors, path, key.toLowerCase());
  else if (whole === 'metadata.labels') return validateText(qualifiedNameErrors, path, key);
  const problem = `error converting fieldPath: field label not supported: ${text}`;
  return [invalidValue(`${path}.fieldPath`, text, problem)];
}

/** `metadata.labels['a']`. Follows kubernetes pkg/fieldpath SplitMaybeSubscriptedPath. */
function parseSubscript(fieldPath: string): { readonly whole: string; readonly key?: string } {
  const [start, end] = [fieldPath.indexOf("['"), fieldPath.length - 2];
  const isSubscripted = fieldPath.endsWith("']") && start > 0 && start + 2 <= end;
  return isSubscripted
    ? { whole: fieldPath.slice(0, start), key: fieldPath.slice(start + 2, end) }
    : { whole: fieldPath };
}

const isFieldOfPod = (fieldPath: string): boolean =>
  [...environmentFieldPaths, 'metadata.labels', 'metadata.annotations', 'spec.restartPolicy', 'status.phase'].includes(
    fieldPath,
  );

const containerResources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

/** In a volume the container name is required. */
export function validateContainerResourceFieldSelector(
  value: core.ResourceFieldSelector,
  path: string,
  inVolume = false,
): FieldErrors {
  const { containerName, resource, divisor } = asObject(value);
  const name = asString(resource);
  if (inVolume && asString(containerName) === '') return [required(`${path}.containerName`, '')];
  if (name === '') return [required(`${path}.resource`, '')];
  const isKnown = containerResources.includes(name) || /^(requests|limits)\.hugepages-/.test(name);
  if (!isKnown) return [notSupportedText(`${path}.resource`, name, containerResources)];
  return validateContainerResourceDivisor(name, asString(divisor), path);
}

function validateContainerResourceDivisor(resource: string, divisor: string, path: string): FieldErrors {
  if (divisor === '' || parseAmount(divisor) === 0n) return [];
  if (resource.endsWith('.cpu')) {
    const text = "only divisor's values 1m and 1 are supported with the cpu resource";
    return errorIf(divisor !== '1m' && divisor !== '1', () => invalidValue(`${path}.divisor`, resource, text));
  }
  const of = resource.endsWith('memory')
    ? 'memory'
    : resource.endsWith('storage')
      ? 'local ephemeral storage'
      : 'hugepages';
  const text = `only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the ${of} resource`;
  return errorIf(!/^1([kMGTPE]|[KMGTPE]i)?$/.test(divisor), () => invalidValue(`${path}.divisor`, resource, text));
}

export const validateEnvFrom = (envFrom: readonly core.EnvFromSource[] | undefined, path: string): FieldErrors =>
  each(envFrom, path, (source, at) => {
    const setSources = (['configMapRef', 'secretRef'] as const).filter((kind) => source[kind] !== undefined);
    return [
      ...validateOptionalText(environmentVariableName, `${at}.prefix`, source.prefix),
      ...setSources.flatMap((kind) =>
        validateRequiredText(dns1123Subdomain, `${at}.${kind}.name`, asObject(source[kind]).name),
      ),
      ...errorIf(setSources.length === 0, () =>
        invalidValue(path, '', 'must specify one of: `configMapRef` or `secretRef`'),
      ),
      ...errorIf(setSources.length > 1, () =>
        invalidValue(path, '', 'may not have more than one field specified at a time'),
      ),
    ];
  });
