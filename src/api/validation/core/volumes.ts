import {
  requiredEnumErrors,
  requiredTextErrors,
  localDescendingPathErrors,
  each,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  required,
} from '../../../machinery/meta/field-error.ts';
import { asObject, asString } from '../../../machinery/json/json.ts';
import { dns1123Label, dns1123Subdomain } from '../../../machinery/meta/names.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { claimTemplateErrors } from './persistent-volume-claim.ts';
import { downwardApiFileErrors, projectedErrors, modeErrors, keyToPathErrors } from './projected-volume.ts';
import { parseAmount } from '../meta/quantity-amount.ts';
import { needs, podSources, sourceErrors, type SourceCheck, type SourceChecks } from './volume-sources.ts';

/** In upstream's order. The file follows kubernetes pkg/apis/core/validation ValidateVolumes, validateVolumeSource. */
const order = [
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

const fileErrors: SourceCheck<core.SecretVolumeSource | core.ConfigMapVolumeSource> = (source, path) => [
  ...modeErrors(`${path}.defaultMode`, source.defaultMode),
  ...keyToPathErrors(source.items, `${path}.items`),
];

const ownSources: SourceChecks<core.Volume> = {
  emptyDir: ({ sizeLimit }, path) =>
    errorIf(sizeLimit !== undefined && parseAmount(sizeLimit) < 0n, () =>
      forbiddenField(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'),
    ),
  gitRepo: gitRepoErrors,
  secret: (source, path) => [
    ...needs<core.SecretVolumeSource>('secretName')(source, path),
    ...fileErrors(source, path),
  ],
  persistentVolumeClaim: needs('claimName'),
  downwardAPI: (source, path) => [
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...each(source.items, path, (item) => downwardApiFileErrors(item, path)),
  ],
  configMap: (source, path) => [
    ...needs<core.ConfigMapVolumeSource>('name')(source, path),
    ...fileErrors(source, path),
  ],
  projected: projectedErrors,
  ephemeral: (source, path) => claimTemplateErrors(source.volumeClaimTemplate, `${path}.volumeClaimTemplate`),
  image: (source, path) => [
    ...errorIf(asString(source.reference) === '', () => required(`${path}.reference`, '')),
    ...requiredEnumErrors(`${path}.pullPolicy`, source.pullPolicy, ['Always', 'IfNotPresent', 'Never']),
  ],
};

export const isMissingImage = ({ type, field }: FieldError): boolean =>
  type === 'FieldValueRequired' && /\.volumes\[\d+\]\.image\.reference$/.test(field);

const checks: SourceChecks<core.Volume> = { ...podSources, ...ownSources };

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
      ...sourceErrors(
        volume,
        at,
        order.filter((source) => volume[source] !== undefined),
        checks,
      ),
      ...combinedNameErrors(volume, at, podName),
      ...requiredTextErrors(dns1123Label, `${at}.name`, name),
      ...errorIf(validVolumes.has(name) && validVolumes.get(name)?.at !== at, () => duplicate(`${at}.name`, name)),
    ];
    if (found.length === 0) validVolumes.set(name, { volume, at });
    return found;
  });
  return { errors, volumes: new Map(Array.from(validVolumes, ([name, { volume }]) => [name, volume])) };
}

function gitRepoErrors(source: core.GitRepoVolumeSource, path: string): FieldErrors {
  return [
    ...needs<core.GitRepoVolumeSource>('repository')(source, path),
    ...localDescendingPathErrors(`${path}.directory`, asString(source.directory)),
  ];
}

/** The combined name must fit. */
function combinedNameErrors(volume: core.Volume, path: string, podName: string): FieldErrors {
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
