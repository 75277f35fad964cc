import { forbiddenField, invalidValue, notSupported, required } from '../../apimachinery/field-error.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { dns1123Label, dns1123Subdomain } from '../../apimachinery/names.ts';
import { csiDriverName } from './csi.ts';
import { following, requiredText, when } from './field-rules.ts';
import type { Complaints } from './field-rules.ts';
import { iscsiErrors } from './iscsi.ts';
import { noBacksteps } from './local-path.ts';
import { azureDiskErrors, fibreChannelErrors, flexErrors, flockerErrors, quobyteErrors } from './vendor-volumes.ts';

/** What is wrong with a source of a volume. */
export type SourceCheck = (source: JsonObject, path: string) => Complaints;

/** Required texts of a source, by field. */
export const needs =
  (...fields: readonly string[]): SourceCheck =>
  (source, path) =>
    fields.flatMap((field) => when(asString(source[field]) === '', () => required(`${path}.${field}`, '')));

/** One check after the other. */
const allOf =
  (...checks: readonly SourceCheck[]): SourceCheck =>
  (source, path) =>
    checks.flatMap((check) => check(source, path));

const monitors: SourceCheck = (source, path) =>
  when(asList(source['monitors']).length === 0, () => required(`${path}.monitors`, ''));

/**
 * The sources that volumes of pods and PersistentVolumes have alike. The file follows kubernetes pkg/apis/core/validation
 * validateVolumeSource and ValidatePersistentVolumeSpec.
 */
export const sharedSources: Readonly<Record<string, SourceCheck>> = {
  hostPath: hostPathErrors,
  gcePersistentDisk: disk('pdName'),
  awsElasticBlockStore: disk('volumeID'),
  nfs: nfsErrors,
  glusterfs: needs('endpoints', 'path'),
  flocker: flockerErrors,
  rbd: allOf(monitors, needs('image')),
  cephfs: monitors,
  quobyte: quobyteErrors,
  fc: fibreChannelErrors,
  flexVolume: flexErrors,
  azureFile: needs('secretName', 'shareName'),
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk: azureDiskErrors,
  scaleIO: needs('gateway', 'system', 'volumeName'),
};

/** Sources whose secrets are in the pod's namespace. */
export const podSources: Readonly<Record<string, SourceCheck>> = {
  ...sharedSources,
  iscsi: (source, path) => iscsiErrors(source, path),
  cinder: allOf(needs('volumeID'), secretRef('name')),
  storageos: allOf(storageOs, secretRef('name')),
  csi: csiErrors,
};

/** Sources whose secrets have a namespace of their own. */
export const persistentSources: Readonly<Record<string, SourceCheck>> = {
  ...sharedSources,
  glusterfs: allOf(needs('endpoints', 'path'), glusterNamespace),
  iscsi: (source, path) => [...iscsiErrors(source, path, 'must be valid format'), ...secretRef('name')(source, path)],
  cinder: allOf(needs('volumeID'), secretRef('name', 'namespace')),
  azureFile: allOf(needs('secretName', 'shareName'), ({ secretNamespace }, path) =>
    when(secretNamespace === '', () => required(`${path}.secretNamespace`, '')),
  ),
  local: (source, path) =>
    asString(source['path']) === ''
      ? [required(`${path}.path`, '')]
      : noBacksteps(`${path}.path`, asString(source['path'])),
  storageos: allOf(storageOs, secretRef('name', 'namespace')),
  csi: persistentCsiErrors,
};

function secretRef(...fields: readonly string[]): SourceCheck {
  return (source, path) =>
    source['secretRef'] === undefined ? [] : needs(...fields)(asObject(source['secretRef']), `${path}.secretRef`);
}

function disk(name: string): SourceCheck {
  return (source, path) => {
    const partition = Number(source['partition'] ?? 0);
    return [
      ...needs(name)(source, path),
      ...when(partition < 0 || partition > 255, () =>
        invalidValue(`${path}.partition`, partition, 'must be between 1 and 255, inclusive'),
      ),
    ];
  };
}

const hostPathTypes = ['BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

function hostPathErrors(source: JsonObject, path: string): Complaints {
  const [location, type] = [asString(source['path']), asString(source['type'])];
  if (location === '') return [required(`${path}.path`, '')];
  const types = ['', ...hostPathTypes];
  return [
    ...noBacksteps(`${path}.path`, location),
    ...when(!types.includes(type), () => notSupported(`${path}.type`, type, types)),
  ];
}

function nfsErrors(source: JsonObject, path: string): Complaints {
  const location = asString(source['path']);
  return [
    ...needs('server', 'path')(source, path),
    ...when(!location.startsWith('/'), () => invalidValue(`${path}.path`, location, 'must be an absolute path')),
  ];
}

function storageOs(source: JsonObject, path: string): Complaints {
  const namespace = asString(source['volumeNamespace']);
  return [
    ...requiredText(dns1123Label, `${path}.volumeName`, asString(source['volumeName'])),
    ...(namespace === '' ? [] : following(dns1123Label, `${path}.volumeNamespace`, namespace)),
  ];
}

function glusterNamespace({ endpointsNamespace }: JsonObject, path: string): Complaints {
  if (endpointsNamespace === undefined) return [];
  const [at, namespace] = [`${path}.endpointsNamespace`, asString(endpointsNamespace)];
  return namespace === ''
    ? [invalidValue(at, '', 'if the endpointnamespace is set, it must be a valid namespace name')]
    : following(dns1123Label, at, namespace);
}

/** Upstream names a bad secret by the volume's own name. */
function csiErrors(source: JsonObject, path: string): Complaints {
  const reference: JsonValue | undefined = source['nodePublishSecretRef'];
  const name = asString(asObject(reference)['name']);
  const secret =
    name === ''
      ? [required(`${path}.nodePublishSecretRef.name`, '')]
      : following(dns1123Subdomain, `${path}.name`, name);
  return [...csiDriverName(asString(source['driver']), `${path}.driver`), ...(reference === undefined ? [] : secret)];
}

const csiSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];

function persistentCsiErrors(source: JsonObject, path: string): Complaints {
  return [
    ...csiDriverName(asString(source['driver']), `${path}.driver`),
    ...needs('volumeHandle')(source, path),
    ...csiSecrets
      .filter((field) => source[field] !== undefined)
      .flatMap((field) => {
        const { name, namespace } = asObject(source[field]);
        return [
          ...requiredText(dns1123Subdomain, `${path}.${field}.name`, asString(name)),
          ...requiredText(dns1123Label, `${path}.${field}.namespace`, asString(namespace)),
        ];
      }),
  ];
}

/** The first source that is there is checked, others are refused; some have another name in complaints. */
export function sourceErrors<Holder extends JsonObject>(
  holder: Holder,
  path: string,
  [first, ...others]: readonly (keyof Holder & string)[],
  checks: Readonly<Record<string, SourceCheck>>,
): Complaints {
  if (first === undefined) return [required(path, 'must specify a volume type')];
  const check = checks[first];
  return [
    ...(check?.(asObject(holder[first]), `${path}.${first === 'gcePersistentDisk' ? 'persistentDisk' : first}`) ?? []),
    ...others.map((other) =>
      forbiddenField(`${path}.${otherNames[other] ?? other}`, 'may not specify more than 1 volume type'),
    ),
  ];
}

const otherNames: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };
