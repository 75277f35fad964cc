import { asString } from '../../apimachinery/json.ts';
import { objectFieldSelector, pullPolicyOf } from './container.ts';
import { claimSpec } from './persistent-volume-claim.ts';
import { both, each, inside, structDefaults } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

/** 0644 */
const defaultMode = 420;

const downwardAPIFile = structDefaults('core.v1.DownwardAPIVolumeFile', {
  fieldRef: inside(objectFieldSelector),
  resourceFieldRef: inside(structDefaults('core.v1.ResourceFieldSelector', { divisor: '0' })),
});

const projection = structDefaults('core.v1.VolumeProjection', {
  downwardAPI: inside(structDefaults('core.v1.DownwardAPIProjection', { items: each(downwardAPIFile) })),
  serviceAccountToken: inside(structDefaults('core.v1.ServiceAccountTokenProjection', { expirationSeconds: 3600 })),
});

export const hostPath = structDefaults('core.v1.HostPathVolumeSource', { type: '' });

/** The same fields in volumes of a pod and of a PersistentVolume. */
export const azureDisk = structDefaults('core.v1.AzureDiskVolumeSource', {
  cachingMode: 'ReadWrite',
  fsType: 'ext4',
  readOnly: false,
  kind: 'Shared',
});
export const iscsiDefaults = { iscsiInterface: 'default' } as const;
export const rbdDefaults = { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } as const;
export const scaleIODefaults = { storageMode: 'ThinProvisioned', fsType: 'xfs' } as const;

const claimTemplate = structDefaults('core.v1.PersistentVolumeClaimTemplate', { spec: inside(claimSpec) });

const source = structDefaults('core.v1.Volume', {
  hostPath: inside(hostPath),
  secret: inside(structDefaults('core.v1.SecretVolumeSource', { defaultMode })),
  iscsi: inside(structDefaults('core.v1.ISCSIVolumeSource', iscsiDefaults)),
  rbd: inside(structDefaults('core.v1.RBDVolumeSource', rbdDefaults)),
  downwardAPI: inside(structDefaults('core.v1.DownwardAPIVolumeSource', { items: each(downwardAPIFile), defaultMode })),
  configMap: inside(structDefaults('core.v1.ConfigMapVolumeSource', { defaultMode })),
  azureDisk: inside(azureDisk),
  projected: inside(structDefaults('core.v1.ProjectedVolumeSource', { sources: each(projection), defaultMode })),
  scaleIO: inside(structDefaults('core.v1.ScaleIOVolumeSource', scaleIODefaults)),
  ephemeral: inside(structDefaults('core.v1.EphemeralVolumeSource', { volumeClaimTemplate: inside(claimTemplate) })),
  image: inside(
    structDefaults('core.v1.ImageVolumeSource', {
      pullPolicy: (value, { reference }) => value ?? pullPolicyOf(asString(reference)),
    }),
  ),
});

const emptyDir: Defaulter = (volume) =>
  Object.keys(volume).every((field) => field === 'name') ? { ...volume, emptyDir: {} } : volume;

/** A pod's volume; one without a source is an emptyDir. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Volume. */
export const volume = both(emptyDir, source);
