import {
  rangeErrors,
  pathBackstepErrors,
  enumErrors,
  requiredTextErrors,
  optionalTextErrors,
  invalidTextErrors,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { RE2JS } from 're2js';
import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { forbiddenField, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { dns1123Label, dns1123Subdomain } from '../../../machinery/meta/names.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { csiDriverNameErrors } from '../storage/csi.ts';
import { azureDiskErrors, fibreChannelErrors, flexErrors, flockerErrors, quobyteErrors } from './vendor-volumes.ts';

const formats: Readonly<Record<string, RegExp | RE2JS>> = {
  iqn: RE2JS.compile(String.raw`iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$`),
  eui: /^eui.[a-zA-Z0-9]{16}$/,
  naa: /^naa.[a-zA-Z0-9]{32}$/,
};

/** PersistentVolumes do not check the prefix. Follows kubernetes pkg/apis/core/validation validateISCSIVolumeSource. */
export function iscsiErrors(
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
    ...rangeErrors(`${path}.lun`, lun, 0, 255),
    ...errorIf(needsSecret && secretRef === undefined, () => required(`${path}.secretRef`, '')),
    ...(initiatorName === undefined ? [] : named('initiatorname', asString(initiatorName))),
  ];
}

export type SourceCheck<Source> = (source: Source, path: string) => FieldErrors;

/** By field. */
export type SourceChecks<Holder> = { readonly [Field in keyof Holder]?: SourceCheck<NonNullable<Holder[Field]>> };

/** Required fields of a source. */
export const needs =
  <Source extends JsonObject>(...fields: readonly (keyof Source & string)[]): SourceCheck<Source> =>
  (source, path) =>
    fields.flatMap((field) => errorIf(asString(source[field]) === '', () => required(`${path}.${field}`, '')));

const checkAll =
  <Source>(...checks: readonly SourceCheck<Source>[]): SourceCheck<Source> =>
  (source, path) =>
    checks.flatMap((check) => check(source, path));

const monitorErrors: SourceCheck<core.RBDVolumeSource | core.CephFSVolumeSource> = (source, path) =>
  errorIf(asList(source.monitors).length === 0, () => required(`${path}.monitors`, ''));

/**
 * Sources common to pods and PersistentVolumes. The file follows kubernetes pkg/apis/core/validation
 * validateVolumeSource and ValidatePersistentVolumeSpec.
 */
const sharedSources = {
  hostPath: hostPathErrors,
  gcePersistentDisk: createDiskCheck('pdName'),
  awsElasticBlockStore: createDiskCheck('volumeID'),
  nfs: nfsErrors,
  glusterfs: needs('endpoints', 'path'),
  flocker: flockerErrors,
  rbd: checkAll(monitorErrors, needs<core.RBDVolumeSource>('image')),
  cephfs: monitorErrors,
  quobyte: quobyteErrors,
  fc: fibreChannelErrors,
  flexVolume: flexErrors,
  azureFile: needs('secretName', 'shareName'),
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk: azureDiskErrors,
  scaleIO: needs('gateway', 'system', 'volumeName'),
} satisfies SourceChecks<Pick<core.Volume, keyof core.Volume & keyof core.PersistentVolumeSpec>>;

/** Secrets are in the pod's namespace. */
export const podSources: SourceChecks<core.Volume> = {
  ...sharedSources,
  iscsi: (source, path) => iscsiErrors(source, path),
  cinder: checkAll(needs('volumeID'), createSecretRefCheck('name')),
  storageos: checkAll(storageOsErrors, createSecretRefCheck('name')),
  csi: csiErrors,
};

/** Secrets have a namespace field. */
export const persistentSources: SourceChecks<core.PersistentVolumeSpec> = {
  ...sharedSources,
  glusterfs: checkAll(needs('endpoints', 'path'), glusterNamespaceErrors),
  iscsi: (source, path) => [
    ...iscsiErrors(source, path, 'must be valid format'),
    ...createSecretRefCheck('name')(source, path),
  ],
  cinder: checkAll(needs('volumeID'), createSecretRefCheck('name', 'namespace')),
  azureFile: checkAll(needs('secretName', 'shareName'), ({ secretNamespace }, path) =>
    errorIf(secretNamespace === '', () => required(`${path}.secretNamespace`, '')),
  ),
  local: (source, path) =>
    asString(source.path) === ''
      ? [required(`${path}.path`, '')]
      : pathBackstepErrors(`${path}.path`, asString(source.path)),
  storageos: checkAll(storageOsErrors, createSecretRefCheck('name', 'namespace')),
  csi: persistentCsiErrors,
};

function createSecretRefCheck<Reference extends JsonObject>(
  ...fields: readonly (keyof Reference & string)[]
): SourceCheck<{ readonly secretRef?: Reference }> {
  return ({ secretRef: reference }, path) =>
    reference === undefined ? [] : needs<Reference>(...fields)(reference, `${path}.secretRef`);
}

function createDiskCheck<Source extends { readonly partition?: number }>(
  name: keyof Source & string,
): SourceCheck<Source> {
  return (source, path) => {
    const partition = Number(source.partition ?? 0);
    return [
      ...needs<Source>(name)(source, path),
      ...errorIf(partition < 0 || partition > 255, () =>
        invalidValue(`${path}.partition`, partition, 'must be between 1 and 255, inclusive'),
      ),
    ];
  };
}

const hostPathTypes = ['BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

function hostPathErrors(source: core.HostPathVolumeSource, path: string): FieldErrors {
  const [location, type] = [asString(source.path), asString(source.type)];
  if (location === '') return [required(`${path}.path`, '')];
  const types = ['', ...hostPathTypes];
  return [...pathBackstepErrors(`${path}.path`, location), ...enumErrors(`${path}.type`, type, types)];
}

function nfsErrors(source: core.NFSVolumeSource, path: string): FieldErrors {
  const location = asString(source.path);
  return [
    ...needs<core.NFSVolumeSource>('server', 'path')(source, path),
    ...errorIf(!location.startsWith('/'), () => invalidValue(`${path}.path`, location, 'must be an absolute path')),
  ];
}

function storageOsErrors(
  source: core.StorageOSVolumeSource | core.StorageOSPersistentVolumeSource,
  path: string,
): FieldErrors {
  return [
    ...requiredTextErrors(dns1123Label, `${path}.volumeName`, source.volumeName),
    ...optionalTextErrors(dns1123Label, `${path}.volumeNamespace`, source.volumeNamespace),
  ];
}

function glusterNamespaceErrors(
  { endpointsNamespace }: core.GlusterfsPersistentVolumeSource,
  path: string,
): FieldErrors {
  if (endpointsNamespace === undefined) return [];
  const [at, namespace] = [`${path}.endpointsNamespace`, asString(endpointsNamespace)];
  return namespace === ''
    ? [invalidValue(at, '', 'if the endpointnamespace is set, it must be a valid namespace name')]
    : invalidTextErrors(dns1123Label, at, namespace);
}

/** Upstream reports the secret under the driver's path. */
function csiErrors(source: core.CSIVolumeSource, path: string): FieldErrors {
  const reference = source.nodePublishSecretRef;
  const name = asString(asObject(reference).name);
  const secret =
    name === ''
      ? [required(`${path}.nodePublishSecretRef.name`, '')]
      : invalidTextErrors(dns1123Subdomain, `${path}.name`, name);
  return [
    ...csiDriverNameErrors(asString(source.driver), `${path}.driver`),
    ...(reference === undefined ? [] : secret),
  ];
}

const csiSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const satisfies readonly (keyof core.CSIPersistentVolumeSource)[];

function persistentCsiErrors(source: core.CSIPersistentVolumeSource, path: string): FieldErrors {
  return [
    ...csiDriverNameErrors(asString(source.driver), `${path}.driver`),
    ...needs<core.CSIPersistentVolumeSource>('volumeHandle')(source, path),
    ...csiSecrets
      .filter((field) => source[field] !== undefined)
      .flatMap((field) => {
        const { name, namespace } = asObject(source[field]);
        return [
          ...requiredTextErrors(dns1123Subdomain, `${path}.${field}.name`, name),
          ...requiredTextErrors(dns1123Label, `${path}.${field}.namespace`, namespace),
        ];
      }),
  ];
}

/** Validates the first source and rejects others; some have another name in errors. */
export function sourceErrors<Holder extends JsonObject>(
  holder: Holder,
  path: string,
  given: readonly (keyof Holder & string)[],
  checks: NoInfer<SourceChecks<Holder>>,
): FieldErrors;
export function sourceErrors(
  holder: JsonObject,
  path: string,
  [first, ...others]: readonly string[],
  checks: SourceChecks<Readonly<Record<string, JsonObject>>>,
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
