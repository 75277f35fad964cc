import {
  validateRequiredFields,
  validateInRange,
  validatePathNoBacksteps,
  validateEnum,
  validateRequiredText,
  validateOptionalText,
  validateText,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { RE2JS } from 're2js';
import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { forbiddenField, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { dns1123Label, dns1123Subdomain } from '../../../machinery/meta/names.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { validateCsiDriverName } from '../storage/csi.ts';
import {
  validateAzureDisk,
  validateFcVolumeSource,
  validateFlexVolumeSource,
  validateFlockerVolumeSource,
  validateQuobyteVolumeSource,
} from './vendor-volumes.ts';

const formats: Readonly<Record<string, RegExp | RE2JS>> = {
  iqn: RE2JS.compile(String.raw`iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$`),
  eui: /^eui.[a-zA-Z0-9]{16}$/,
  naa: /^naa.[a-zA-Z0-9]{32}$/,
};

/** PersistentVolumes do not check the prefix. Follows kubernetes pkg/apis/core/validation validateISCSIVolumeSource. */
export function validateIscsiVolumeSource(
  source: core.ISCSIVolumeSource | core.ISCSIPersistentVolumeSource,
  path: string,
  invalidFormat = 'must be valid format starting with iqn, eui, or naa',
): FieldErrors {
  const named = (field: string, name: string): FieldErrors => {
    const format = formats[name.slice(0, 3)];
    if (!format) return [invalidValue(`${path}.${field}`, name, invalidFormat)];
    return errorIf(!format.test(name), () => invalidValue(`${path}.${field}`, name, 'must be valid format'));
  };
  const [target, iqn] = [asString(source.targetPortal), asString(source.iqn)];
  const { lun = 0, chapAuthDiscovery, chapAuthSession, secretRef, initiatorName } = source;
  const needsSecret = chapAuthDiscovery === true || chapAuthSession === true;
  return [
    ...errorIf(target === '', () => required(`${path}.targetPortal`, '')),
    ...(iqn === '' ? [required(`${path}.iqn`, '')] : named('iqn', iqn)),
    ...validateInRange(`${path}.lun`, lun, 0, 255),
    ...errorIf(needsSecret && secretRef === undefined, () => required(`${path}.secretRef`, '')),
    ...(initiatorName === undefined ? [] : named('initiatorname', asString(initiatorName))),
  ];
}

export type ValidateSource<Source> = (source: Source, path: string) => FieldErrors;

/** By field. */
export type SourceValidations<Holder> = {
  readonly [Field in keyof Holder]?: ValidateSource<NonNullable<Holder[Field]>>;
};

/** Required fields of a source. */
export const requireFields =
  <Source extends JsonObject>(...fields: readonly (keyof Source & string)[]): ValidateSource<Source> =>
  (source, path) =>
    validateRequiredFields(source, path, ...fields);

const validateAll =
  <Source>(...checks: readonly ValidateSource<Source>[]): ValidateSource<Source> =>
  (source, path) =>
    checks.flatMap((check) => check(source, path));

const validateMonitors: ValidateSource<core.RBDVolumeSource | core.CephFSVolumeSource> = (source, path) =>
  errorIf(asList(source.monitors).length === 0, () => required(`${path}.monitors`, ''));

/**
 * Sources common to pods and PersistentVolumes. The file follows kubernetes pkg/apis/core/validation
 * validateVolumeSource and ValidatePersistentVolumeSpec.
 */
const sharedSources = {
  hostPath: validateHostPathVolumeSource,
  gcePersistentDisk: createDiskValidation('pdName'),
  awsElasticBlockStore: createDiskValidation('volumeID'),
  nfs: validateNfsVolumeSource,
  glusterfs: requireFields('endpoints', 'path'),
  flocker: validateFlockerVolumeSource,
  rbd: validateAll(validateMonitors, requireFields<core.RBDVolumeSource>('image')),
  cephfs: validateMonitors,
  quobyte: validateQuobyteVolumeSource,
  fc: validateFcVolumeSource,
  flexVolume: validateFlexVolumeSource,
  azureFile: requireFields('secretName', 'shareName'),
  vsphereVolume: requireFields('volumePath'),
  photonPersistentDisk: requireFields('pdID'),
  portworxVolume: requireFields('volumeID'),
  azureDisk: validateAzureDisk,
  scaleIO: requireFields('gateway', 'system', 'volumeName'),
} satisfies SourceValidations<Pick<core.Volume, keyof core.Volume & keyof core.PersistentVolumeSpec>>;

/** Secrets are in the pod's namespace. */
export const podSources: SourceValidations<core.Volume> = {
  ...sharedSources,
  iscsi: (source, path) => validateIscsiVolumeSource(source, path),
  cinder: validateAll(requireFields('volumeID'), createSecretRefValidation('name')),
  storageos: validateAll(validateStorageOsVolumeSource, createSecretRefValidation('name')),
  csi: validateCsiVolumeSource,
};

/** Secrets have a namespace field. */
export const persistentSources: SourceValidations<core.PersistentVolumeSpec> = {
  ...sharedSources,
  glusterfs: validateAll(requireFields('endpoints', 'path'), validateEndpointsNamespace),
  iscsi: (source, path) => [
    ...validateIscsiVolumeSource(source, path, 'must be valid format'),
    ...createSecretRefValidation('name')(source, path),
  ],
  cinder: validateAll(requireFields('volumeID'), createSecretRefValidation('name', 'namespace')),
  azureFile: validateAll(requireFields('secretName', 'shareName'), ({ secretNamespace }, path) =>
    errorIf(secretNamespace === '', () => required(`${path}.secretNamespace`, '')),
  ),
  local: (source, path) =>
    asString(source.path) === ''
      ? [required(`${path}.path`, '')]
      : validatePathNoBacksteps(`${path}.path`, asString(source.path)),
  storageos: validateAll(validateStorageOsVolumeSource, createSecretRefValidation('name', 'namespace')),
  csi: validateCsiPersistentVolumeSource,
};

function createSecretRefValidation<Reference extends JsonObject>(
  ...fields: readonly (keyof Reference & string)[]
): ValidateSource<{ readonly secretRef?: Reference }> {
  return ({ secretRef: reference }, path) =>
    reference === undefined ? [] : validateRequiredFields(reference, `${path}.secretRef`, ...fields);
}

function createDiskValidation<Source extends { readonly partition?: number }>(
  name: keyof Source & string,
): ValidateSource<Source> {
  return (source, path) => {
    const partition = Number(source.partition ?? 0);
    return [
      ...validateRequiredFields(source, path, name),
      ...errorIf(partition < 0 || partition > 255, () =>
        invalidValue(`${path}.partition`, partition, 'must be between 1 and 255, inclusive'),
      ),
    ];
  };
}

const hostPathTypes = ['BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

function validateHostPathVolumeSource(source: core.HostPathVolumeSource, path: string): FieldErrors {
  const [location, type] = [asString(source.path), asString(source.type)];
  if (location === '') return [required(`${path}.path`, '')];
  const types = ['', ...hostPathTypes];
  return [...validatePathNoBacksteps(`${path}.path`, location), ...validateEnum(`${path}.type`, type, types)];
}

function validateNfsVolumeSource(source: core.NFSVolumeSource, path: string): FieldErrors {
  const location = asString(source.path);
  return [
    ...validateRequiredFields(source, path, 'server', 'path'),
    ...errorIf(!location.startsWith('/'), () => invalidValue(`${path}.path`, location, 'must be an absolute path')),
  ];
}

function validateStorageOsVolumeSource(
  source: core.StorageOSVolumeSource | core.StorageOSPersistentVolumeSource,
  path: string,
): FieldErrors {
  return [
    ...validateRequiredText(dns1123Label, `${path}.volumeName`, source.volumeName),
    ...validateOptionalText(dns1123Label, `${path}.volumeNamespace`, source.volumeNamespace),
  ];
}

function validateEndpointsNamespace(
  { endpointsNamespace }: core.GlusterfsPersistentVolumeSource,
  path: string,
): FieldErrors {
  if (endpointsNamespace === undefined) return [];
  const [at, namespace] = [`${path}.endpointsNamespace`, asString(endpointsNamespace)];
  return namespace === ''
    ? [invalidValue(at, '', 'if the endpointnamespace is set, it must be a valid namespace name')]
    : validateText(dns1123Label, at, namespace);
}

/** Upstream reports the secret under the driver's path. */
function validateCsiVolumeSource(source: core.CSIVolumeSource, path: string): FieldErrors {
  const reference = source.nodePublishSecretRef;
  const name = asString(asObject(reference).name);
  const secret =
    name === ''
      ? [required(`${path}.nodePublishSecretRef.name`, '')]
      : validateText(dns1123Subdomain, `${path}.name`, name);
  return [
    ...validateCsiDriverName(asString(source.driver), `${path}.driver`),
    ...(reference === undefined ? [] : secret),
  ];
}

const csiSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const satisfies readonly (keyof core.CSIPersistentVolumeSource)[];

function validateCsiPersistentVolumeSource(source: core.CSIPersistentVolumeSource, path: string): FieldErrors {
  return [
    ...validateCsiDriverName(asString(source.driver), `${path}.driver`),
    ...validateRequiredFields(source, path, 'volumeHandle'),
    ...csiSecrets
      .filter((field) => source[field] !== undefined)
      .flatMap((field) => {
        const { name, namespace } = asObject(source[field]);
        return [
          ...validateRequiredText(dns1123Subdomain, `${path}.${field}.name`, name),
          ...validateRequiredText(dns1123Label, `${path}.${field}.namespace`, namespace),
        ];
      }),
  ];
}

/** Validates the first source and rejects others; some have another name in errors. */
export function validateVolumeSource<Holder extends JsonObject>(
  holder: Holder,
  path: string,
  given: readonly (keyof Holder & string)[],
  checks: NoInfer<SourceValidations<Holder>>,
): FieldErrors;
export function validateVolumeSource(
  holder: JsonObject,
  path: string,
  [first, ...others]: readonly string[],
  checks: SourceValidations<Readonly<Record<string, JsonObject>>>,
): FieldErrors {
  if (first === undefined) return [required(path, 'must specify a volume type')];
  const checked = (source: string): FieldErrors =>
    checks[source]?.(
      asObject(holder[source]),
      `${path}.${source === 'gcePersistentDisk' ? 'persistentDisk' : source}`,
    ) ?? [];
  return [
    ...checked(first),
    ...others.flatMap((other) =>
      checks === persistentSources && other === 'flexVolume'
        ? checked(other) // Upstream forgets to ask whether it is alone.
        : [forbiddenField(`${path}.${otherNames[other] ?? other}`, 'may not specify more than 1 volume type')],
    ),
  ];
}

const otherNames: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };
