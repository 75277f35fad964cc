import { asString } from '../../../machinery/json/json.ts';
import { objectFieldSelector, pullPolicyOf } from './container.ts';
import { claimSpec } from './persistent-volume-claim.ts';
import { both, each, inside, structDefaults, type Defaulter } from './struct-defaults.ts';
import type {
  AzureDiskVolumeSource,
  ConfigMapVolumeSource,
  DownwardAPIProjection,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  EphemeralVolumeSource,
  HostPathVolumeSource,
  ISCSIVolumeSource,
  ImageVolumeSource,
  PersistentVolumeClaimTemplate,
  ProjectedVolumeSource,
  RBDVolumeSource,
  ResourceFieldSelector,
  ScaleIOVolumeSource,
  SecretVolumeSource,
  ServiceAccountTokenProjection,
  Volume,
  VolumeProjection,
} from '../../types/generated/core-v1.ts';

/** 0644 */
const defaultMode = 420;

const downwardAPIFile = structDefaults<DownwardAPIVolumeFile>({
  fieldRef: inside(objectFieldSelector),
  resourceFieldRef: inside(structDefaults<ResourceFieldSelector>({ divisor: '0' })),
});

const projection = structDefaults<VolumeProjection>({
  downwardAPI: inside(structDefaults<DownwardAPIProjection>({ items: each(downwardAPIFile) })),
  serviceAccountToken: inside(structDefaults<ServiceAccountTokenProjection>({ expirationSeconds: 3600 })),
});

export const hostPath = structDefaults<HostPathVolumeSource>({ type: '' });

export const azureDisk = structDefaults<AzureDiskVolumeSource>({
  cachingMode: 'ReadWrite',
  fsType: 'ext4',
  readOnly: false,
  kind: 'Shared',
});
export const iscsiDefaults = { iscsiInterface: 'default' } as const;
export const rbdDefaults = { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } as const;
export const scaleIODefaults = { storageMode: 'ThinProvisioned', fsType: 'xfs' } as const;

const claimTemplate = structDefaults<PersistentVolumeClaimTemplate>({ spec: inside(claimSpec) });

const source = structDefaults<Volume>({
  hostPath: inside(hostPath),
  secret: inside(structDefaults<SecretVolumeSource>({ defaultMode })),
  iscsi: inside(structDefaults<ISCSIVolumeSource>(iscsiDefaults)),
  rbd: inside(structDefaults<RBDVolumeSource>(rbdDefaults)),
  downwardAPI: inside(structDefaults<DownwardAPIVolumeSource>({ items: each(downwardAPIFile), defaultMode })),
  configMap: inside(structDefaults<ConfigMapVolumeSource>({ defaultMode })),
  azureDisk: inside(azureDisk),
  projected: inside(structDefaults<ProjectedVolumeSource>({ sources: each(projection), defaultMode })),
  scaleIO: inside(structDefaults<ScaleIOVolumeSource>(scaleIODefaults)),
  ephemeral: inside(structDefaults<EphemeralVolumeSource>({ volumeClaimTemplate: inside(claimTemplate) })),
  image: inside(
    structDefaults<ImageVolumeSource>({
      pullPolicy: (value, { reference }) => value ?? pullPolicyOf(asString(reference)),
    }),
  ),
});

const emptyDir: Defaulter<Volume> = (volume) =>
  Object.keys(volume).every((field) => field === 'name') ? { ...volume, emptyDir: {} } : volume;

/** A volume without a source is an emptyDir. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Volume. */
export const volume = both(emptyDir, source);
