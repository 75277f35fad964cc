import { duplicate, forbiddenField, invalidValue, required } from '../../apimachinery/field-error.ts';
import { keptInTurns } from '../../apimachinery/in-turns.ts';
import { asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { dns1123Label } from '../../apimachinery/names.ts';
import { each, requiredText, when } from './field-rules.ts';
import type { Complaints } from './field-rules.ts';
import { claimTemplateErrors } from './claim-template.ts';
import { downwardApiItems, projectedErrors } from './projected-volume.ts';
import { noBacksteps } from './local-path.ts';
import { amountOf } from './quantity-amount.ts';
import { invalidMode, keyToPathErrors } from './volume-items.ts';

type SourceCheck = (source: JsonObject, path: string) => Complaints;

/** Required texts of a source, by field. */
const needs =
  (...fields: readonly string[]): SourceCheck =>
  (source, path) =>
    fields.flatMap((field) => when(asString(source[field]) === '', () => required(`${path}.${field}`, '')));

/**
 * Every kind of volume in the order in which upstream looks for it. The file follows kubernetes pkg/apis/core/validation
 * ValidateVolumes, validateVolumeSource.
 */
const sources: Readonly<Record<string, SourceCheck>> = {
  emptyDir: ({ sizeLimit }, path) =>
    when(sizeLimit !== undefined && amountOf(sizeLimit) < 0n, () =>
      forbiddenField(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'),
    ),
  hostPath: hostPathErrors,
  gitRepo: needs('repository'),
  gcePersistentDisk: needs('pdName'),
  awsElasticBlockStore: needs('volumeID'),
  secret: (source, path) => [...needs('secretName')(source, path), ...fileErrors(source, path)],
  nfs: nfsErrors,
  iscsi: needs('targetPortal', 'iqn'),
  glusterfs: needs('endpoints', 'path'),
  flocker: () => [],
  persistentVolumeClaim: needs('claimName'),
  rbd: needs('image'),
  cinder: needs('volumeID'),
  cephfs: () => [],
  quobyte: needs('registry', 'volume'),
  downwardAPI: (source, path) => [
    ...invalidMode(`${path}.defaultMode`, source['defaultMode']),
    ...downwardApiItems(source['items'], `${path}.items`),
  ],
  fc: () => [],
  flexVolume: needs('driver'),
  configMap: (source, path) => [...needs('name')(source, path), ...fileErrors(source, path)],
  azureFile: needs('secretName', 'shareName'),
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk: needs('diskName', 'diskURI'),
  storageos: () => [],
  projected: projectedErrors,
  scaleIO: needs('gateway', 'system', 'volumeName'),
  csi: needs('driver'),
  ephemeral: (source, path) => claimTemplateErrors(source['volumeClaimTemplate'], `${path}.volumeClaimTemplate`),
  image: (source, path) => when(asString(source['reference']) === '', () => required(`${path}.reference`, '')),
};

/** The volumes of a pod, and those of them without a fault by name. */
export function validateVolumes(
  volumes: JsonValue | undefined,
  path: string,
): { readonly errors: Complaints; readonly volumes: ReadonlyMap<string, JsonObject> } {
  const good = keptInTurns(() => new Map<string, { readonly volume: JsonObject; readonly at: string }>());
  const errors = each(volumes, path, (volume, at) => {
    const name = asString(volume['name']);
    const found = [
      ...sourceErrors(volume, at),
      ...requiredText(dns1123Label, `${at}.name`, name),
      ...when(good.has(name) && good.get(name)?.at !== at, () => duplicate(`${at}.name`, name)),
    ];
    if (found.length === 0) good.set(name, { volume, at });
    return found;
  });
  return { errors, volumes: new Map(Array.from(good, ([name, { volume }]) => [name, volume])) };
}

function sourceErrors(volume: JsonObject, path: string): Complaints {
  const [first, ...others] = Object.entries(sources).filter(([name]) => volume[name] !== undefined);
  if (!first) return [required(path, 'must specify a volume type')];
  const [name, check] = first;
  return [
    ...check(asObject(volume[name]), `${path}.${name}`),
    ...others.map(([other]) => forbiddenField(`${path}.${other}`, 'may not specify more than 1 volume type')),
  ];
}

const hostPathTypes = ['BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

function hostPathErrors(source: JsonObject, path: string): Complaints {
  const [location, type] = [asString(source['path']), asString(source['type'])];
  if (location === '') return [required(`${path}.path`, '')];
  const types = ['', ...hostPathTypes];
  return [
    ...noBacksteps(`${path}.path`, location),
    ...when(!types.includes(type), () => ({
      type: 'FieldValueNotSupported',
      field: `${path}.type`,
      value: JSON.stringify(type),
      detail: `supported values: ${types.map((name) => JSON.stringify(name)).join(', ')}`,
    })),
  ];
}

function nfsErrors(source: JsonObject, path: string): Complaints {
  const location = asString(source['path']);
  return [
    ...needs('server', 'path')(source, path),
    ...when(location !== '' && !location.startsWith('/'), () =>
      invalidValue(`${path}.path`, location, 'must be an absolute path'),
    ),
  ];
}

const fileErrors: SourceCheck = (source, path) => [
  ...invalidMode(`${path}.defaultMode`, source['defaultMode']),
  ...keyToPathErrors(source['items'], `${path}.items`),
];
