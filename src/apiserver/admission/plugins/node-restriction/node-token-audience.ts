import { aggregateText } from '../../../../machinery/errors.ts';
import { goQuote } from '../../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, isJsonObject } from '../../../../machinery/json/json.ts';
import { metadataOf } from '../../../../machinery/meta/object.ts';
import type { AdmissionAttributes } from '../../chain/attributes.ts';
import type { PluginPorts } from '../../chain/plugin.ts';
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeSpec,
  Pod,
  Volume,
} from '../../../../api/types/generated/core-v1.ts';
import type { CSIDriver } from '../../../../api/types/generated/storage-v1.ts';
import type { TokenRequest } from '../../../../api/types/generated/authentication-v1.ts';

/**
 * A node may request tokens for audiences that its Pod mounts, or that RBAC allows. Follows kubernetes
 * plugin/pkg/admission/noderestriction/admission.go validateNodeServiceAccountAudience.
 */
export function audienceFault(
  { object, namespace, name, userInfo: user }: AdmissionAttributes,
  pod: Pod,
  { cluster, authorize, codec }: PluginPorts,
): string | undefined {
  const [audience = '', ...more] = audiencesOf(object);
  if (more.length > 0) return 'node may only request 0 or 1 audiences';
  const found = asList(pod.spec?.volumes).map((volume) => audiencesIn(asObject(volume), pod, cluster));
  if (found.some(({ audiences }) => audiences.includes(audience))) return undefined;
  const errors = found.flatMap(({ error }) => error ?? []);
  if (errors.length > 0) return `error validating audience ${goQuote(audience)}: ${aggregateText(errors)}`;
  const verb = 'request-serviceaccounts-token-audience';
  const question = { group: '', version: 'v1', resource: audience, subresource: '', namespace, name };
  const { allowed } = authorize({ ...question, type: 'resource', user, verb });
  if (allowed) return undefined;
  if (codec.types.minor >= 37)
    return `${user.username} is not authorized to request tokens for audience ${goQuote(audience)}`;
  return `audience ${goQuote(audience)} not found in pod spec volume, ${user.username} is not authorized to request tokens for this audience`;
}

const audiencesOf = (request: TokenRequest | null): readonly string[] => asList(request?.spec?.audiences);

interface VolumeAudiences {
  readonly audiences: readonly string[];
  readonly error?: string;
}

/** The audiences of projected tokens and of those that its CSI driver requests. */
function audiencesIn(volume: Volume, pod: Pod, cluster: PluginPorts['cluster']): VolumeAudiences {
  const projected = asList(volume.projected?.sources)
    .map((source) => source.serviceAccountToken)
    .filter((token) => token !== undefined)
    .map((token) => asString(token.audience));
  const driver = driverOf(volume, pod, cluster);
  if (typeof driver !== 'string') return { audiences: projected, ...driver };
  if (driver === '') return { audiences: projected };
  const found: CSIDriver | undefined = cluster.get({ group: 'storage.k8s.io', resource: 'csidrivers' }, '', driver);
  if (found === undefined)
    return { audiences: projected, error: `csidriver.storage.k8s.io ${goQuote(driver)} not found` };
  const requested = asList(found.spec?.tokenRequests).map((one) => asString(asObject(one).audience));
  return { audiences: [...projected, ...requested] };
}

type Driver = string | { readonly error: string };

function driverOf(volume: Volume, pod: Pod, cluster: PluginPorts['cluster']): Driver {
  const { namespace = '', name = '' } = metadataOf(pod);
  if (isJsonObject(volume.ephemeral?.volumeClaimTemplate)) {
    return driverOfClaim(namespace, `${name}-${asString(volume.name)}`, cluster);
  }
  const claim = volume.persistentVolumeClaim?.claimName;
  return typeof claim === 'string' ? driverOfClaim(namespace, claim, cluster) : driverIn(volume);
}

function driverOfClaim(namespace: string, name: string, cluster: PluginPorts['cluster']): Driver {
  const claim: PersistentVolumeClaim | undefined = cluster.get(
    { group: '', resource: 'persistentvolumeclaims' },
    namespace,
    name,
  );
  if (claim === undefined) return { error: `persistentvolumeclaim ${goQuote(name)} not found` };
  const volumeName = asString(claim.spec?.volumeName);
  const volume: PersistentVolume | undefined = cluster.get(
    { group: '', resource: 'persistentvolumes' },
    '',
    volumeName,
  );
  if (volume === undefined) return { error: `persistentvolume ${goQuote(volumeName)} not found` };
  return driverIn(asObject(volume.spec));
}

/** The CSI drivers that replace in-tree volumes. Follows csi-translation-lib plugins/*.go. */
const successors: readonly (readonly [source: keyof Volume & keyof PersistentVolumeSpec, driver: string])[] = [
  ['awsElasticBlockStore', 'ebs.csi.aws.com'],
  ['azureDisk', 'disk.csi.azure.com'],
  ['azureFile', 'file.csi.azure.com'],
  ['cinder', 'cinder.csi.openstack.org'],
  ['gcePersistentDisk', 'pd.csi.storage.gke.io'],
  ['portworxVolume', 'pxd.portworx.com'],
  ['vsphereVolume', 'csi.vsphere.vmware.com'],
];

const driverIn = (source: Volume | PersistentVolumeSpec): string =>
  asString(source.csi?.driver) || (successors.find(([name]) => isJsonObject(source[name]))?.[1] ?? '');
