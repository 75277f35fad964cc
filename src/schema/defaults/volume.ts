import { asString } from '../../apimachinery/json.ts';
import { objectFieldSelector, pullPolicyOf } from './container.ts';
import { claimSpec } from './persistent-volume-claim.ts';
import { both, each, inside, structDefaults } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

/** 0644 */
const defaultMode = 420;

const downwardAPIFile = structDefaults({
  fieldRef: inside(objectFieldSelector),
  resourceFieldRef: inside(structDefaults({ divisor: '0' })),
});

const projection = structDefaults({
  downwardAPI: inside(structDefaults({ items: each(downwardAPIFile) })),
  serviceAccountToken: inside(structDefaults({ expirationSeconds: 3600 })),
});

export const hostPath = structDefaults({ type: '' });

/** The same fields in volumes of a pod and of a PersistentVolume. */
export const azureDisk = structDefaults({
  cachingMode: 'ReadWrite',
  fsType: 'ext4',
  readOnly: false,
  kind: 'Shared',
});
export const iscsiDefaults = { iscsiInterface: 'default' } as const;
export const rbdDefaults = { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } as const;
export const scaleIODefaults = { storageMode: 'ThinProvisioned', fsType: 'xfs' } as const;

const claimTemplate = structDefaults({ spec: inside(claimSpec) });

const source = structDefaults({
  hostPath: inside(hostPath),
  secret: inside(structDefaults({ defaultMode })),
  iscsi: inside(structDefaults(iscsiDefaults)),
  rbd: inside(structDefaults(rbdDefaults)),
  downwardAPI: inside(structDefaults({ items: each(downwardAPIFile), defaultMode })),
  configMap: inside(structDefaults({ defaultMode })),
  azureDisk: inside(azureDisk),
  projected: inside(structDefaults({ sources: each(projection), defaultMode })),
  scaleIO: inside(structDefaults(scaleIODefaults)),
  ephemeral: inside(structDefaults({ volumeClaimTemplate: inside(claimTemplate) })),
  image: inside(
    structDefaults({
      pullPolicy: (value, { reference }) => value ?? pullPolicyOf(asString(reference)),
    }),
  ),
});

const emptyDir: Defaulter = (volume) =>
  Object.keys(volume).every((field) => field === 'name') ? { ...volume, emptyDir: {} } : volume;

/** A pod's volume; one without a source is an emptyDir. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Volume. */
export const volume = both(emptyDir, source);
