import {
  validateRequiredEnum,
  validateRequiredFields,
  validateRequiredText,
  validateLocalDescendingPath,
  each,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { duplicate, type FieldError, forbiddenField, invalidValue } from '../../../machinery/meta/field-error.ts';
import { asObject, asString } from '../../../machinery/json/json.ts';
import { dns1123Label, dns1123Subdomain } from '../../../machinery/meta/names.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { validatePersistentVolumeClaimTemplate } from './persistent-volume-claim.ts';
import {
  validateDownwardApiVolumeFile,
  validateProjectedVolumeSource,
  validateFileMode,
  validateKeyToPaths,
} from './projected-volume.ts';
import { parseAmount } from '../meta/quantity-amount.ts';
import {
  requireFields,
  podSources,
  validateVolumeSource,
  type ValidateSource,
  type SourceValidations,
} from './volume-sources.ts';

/** In upstream's order. The file follows kubernetes pkg/apis/core/validation ValidateVolumes, validateVolumeSource. */
const volumeSourceNames = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
] as const satisfies readonly (keyof core.Volume)[];

const validateFiles: ValidateSource<core.SecretVolumeSource | core.ConfigMapVolumeSource> = (source, path) => [
  ...validateFileMode(`${path}.defaultMode`, source.defaultMode),
  ...validateKeyToPaths(source.items, `${path}.items`),
];

const podOnlySources: SourceValidations<core.Volume> = {
  emptyDir: ({ sizeLimit }, path) =>
    errorIf(sizeLimit !== undefined && parseAmount(sizeLimit) < 0n, () =>
      forbiddenField(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'),
    ),
  gitRepo: validateGitRepoVolumeSource,
  secret: (source, path) => [...validateRequiredFields(source, path, 'secretName'), ...validateFiles(source, path)],
  persistentVolumeClaim: requireFields('claimName'),
  downwardAPI: (source, path) => [
    ...validateFileMode(`${path}.defaultMode`, source.defaultMode),
    ...each(source.items, path, (item) => validateDownwardApiVolumeFile(item, path)),
  ],
  configMap: (source, path) => [...validateRequiredFields(source, path, 'name'), ...validateFiles(source, path)],
  projected: validateProjectedVolumeSource,
  ephemeral: (source, path) =>
    validatePersistentVolumeClaimTemplate(source.volumeClaimTemplate, `${path}.volumeClaimTemplate`),
  image: (source, path) => [
    ...validateRequiredFields(source, path, 'reference'),
    ...validateRequiredEnum(`${path}.pullPolicy`, source.pullPolicy, ['Always', 'IfNotPresent', 'Never']),
  ],
};

export const isMissingImageReference = ({ type, field }: FieldError): boolean =>
  type === 'FieldValueRequired' && /\.volumes\[\d+\]\.image\.reference$/.test(field);

const volumeSources: SourceValidations<core.Volume> = { ...podSources, ...podOnlySources };

/** Volumes and the valid ones by name. */
export function validateVolumes(
  volumes: readonly core.Volume[] | undefined,
  path: string,
  podName = '',
): { readonly errors: FieldErrors; readonly volumes: ReadonlyMap<string, core.Volume> } {
  const validVolumes = new Map<string, { readonly volume: core.Volume; readonly at: string }>();
  const errors = each(volumes, path, (volume, at) => {
    const name = asString(volume.name);
    const found = [
      ...validateVolumeSource(
        volume,
        at,
        volumeSourceNames.filter((source) => volume[source] !== undefined),
        volumeSources,
      ),
      ...validateCombinedNames(volume, at, podName),
      ...validateRequiredText(dns1123Label, `${at}.name`, name),
      ...errorIf(validVolumes.has(name) && validVolumes.get(name)?.at !== at, () => duplicate(`${at}.name`, name)),
    ];
    if (found.length === 0) validVolumes.set(name, { volume, at });
    return found;
  });
  return { errors, volumes: new Map(Array.from(validVolumes, ([name, { volume }]) => [name, volume])) };
}

function validateGitRepoVolumeSource(source: core.GitRepoVolumeSource, path: string): FieldErrors {
  return [
    ...validateRequiredFields(source, path, 'repository'),
    ...validateLocalDescendingPath(`${path}.directory`, asString(source.directory)),
  ];
}

/** The combined name must fit. */
function validateCombinedNames(volume: core.Volume, path: string, podName: string): FieldErrors {
  const [name, { initiatorName, targetPortal }] = [asString(volume.name), asObject(volume.iscsi)];
  const tooLong =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  const claim = `${podName}-${name}`;
  const isClaim = volume.ephemeral !== undefined && podName !== '' && name !== '';
  return [
    ...errorIf(initiatorName !== undefined && `${name}:${asString(targetPortal)}`.length > 64, () =>
      invalidValue(`${path}.name`, name, tooLong),
    ),
    ...(isClaim ? dns1123Subdomain(claim) : []).map((sentence) =>
      invalidValue(`${path}.name`, name, `PVC name ${JSON.stringify(claim)}: ${sentence}`),
    ),
  ];
}
