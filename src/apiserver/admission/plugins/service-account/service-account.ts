import type {
  Container,
  EphemeralContainer,
  Pod,
  PodSpec,
  ServiceAccount,
  Volume,
} from '../../../../api/types/generated/core-v1.ts';
import type { Random } from '../../../../machinery/clock.ts';
import { asList, asObject, asString, valueAt } from '../../../../machinery/json/json.ts';
import { metadataOf } from '../../../../machinery/meta/object.ts';
import { randomSuffix, invalidNameError } from '../../../../machinery/meta/names.ts';
import { ok, refuse, type Result } from '../../../../machinery/meta/result.ts';
import { plainError, type Status } from '../../../../machinery/meta/status.ts';
import type { AdmissionAttributes } from '../../chain/attributes.ts';
import { newForbidden, deny, byObject, byRule, refuseBecauseOf } from '../../chain/refusal.ts';
import type { SyncPlugin, PluginAnswer, PluginPorts, RefusalSource } from '../../chain/plugin.ts';
import { type ObjectRequest, onlyFor, pass, podResource } from '../handled-resource.ts';
import { ephemeralContainersSecretFault, secretFault } from './service-account-secrets.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const namePrefix = 'kube-api-access-';

/**
 * Adds the token volume to containers that mount nothing at its path. Follows kubernetes
 * plugin/pkg/admission/serviceaccount/admission.go mountServiceAccountToken.
 */
function withTokenVolume(spec: PodSpec, random: Random): PodSpec {
  const volumes = asList(spec.volumes);
  const present = volumes.map((volume) => asString(volume.name)).find(isTokenVolume);
  const name = present ?? `${namePrefix}${randomSuffix(random)}`;

  const fields = (['initContainers', 'containers'] as const).filter((field) => spec[field] !== undefined);
  const mounted = Object.fromEntries(fields.map((field) => [field, withMounts(spec[field], name)]));
  if (fields.every((field) => mounted[field] === spec[field])) return spec;
  return { ...spec, ...mounted, volumes: present === undefined ? [...volumes, tokenVolume(name)] : volumes };
}

const isTokenVolume = (name: string): boolean => name.startsWith(namePrefix);

function withMounts(
  containers: readonly Container[] | null | undefined,
  name: string,
): readonly Container[] | null | undefined {
  const all = asList(containers);
  if (all.every(mountsAtPath)) return containers;
  return all.map((container) => (mountsAtPath(container) ? container : withMount(container, name)));
}

const mountsAtPath = (container: Container): boolean =>
  asList(container.volumeMounts).some((mount) => mount.mountPath === mountPath);

const withMount = (container: Container, name: string): Container => ({
  ...container,
  volumeMounts: [...asList(container.volumeMounts), { name, readOnly: true, mountPath }],
});

/** The token lives slightly over an hour, so that use past the hour is noticed. */
const tokenVolume = (name: string): Volume => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 420,
  },
});

/**
 * Mirror pods may not refer to API objects. Follows kubernetes plugin/pkg/admission/serviceaccount/admission.go
 * Validate.
 */
export function mirrorPodFault(spec: PodSpec): string | undefined {
  if (asString(spec.serviceAccountName) !== '') return 'a mirror pod may not reference service accounts';
  if (referencesSecrets(spec)) return 'a mirror pod may not reference secrets';
  const projections = asList(spec.volumes).flatMap((volume) => asList(volume.projected?.sources));
  const usesToken = projections.some((source) => source.serviceAccountToken !== undefined);
  return usesToken ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined;
}

/** Follows kubernetes pkg/api/pod/util.go VisitPodSecretNames. */
function referencesSecrets(spec: PodSpec): boolean {
  const containers = [...asList(spec.initContainers), ...asList(spec.containers), ...asList(spec.ephemeralContainers)];
  return (
    asList(spec.imagePullSecrets).length > 0 ||
    containers.some(containerReferencesSecrets) ||
    asList(spec.volumes).some(volumeReferencesSecrets)
  );
}

const containerReferencesSecrets = ({ env, envFrom }: Container | EphemeralContainer): boolean =>
  asList(envFrom).some(({ secretRef }) => secretRef !== undefined) ||
  asList(env).some(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined);

/** The volume sources that name a secret, and the field that does. */
const secretFields: Readonly<Record<string, string>> = {
  azureFile: 'secretName',
  cephfs: 'secretRef',
  cinder: 'secretRef',
  csi: 'nodePublishSecretRef',
  flexVolume: 'secretRef',
  iscsi: 'secretRef',
  rbd: 'secretRef',
  scaleIO: 'secretRef',
  secret: 'secretName',
  storageos: 'secretRef',
};

const volumeReferencesSecrets = (volume: Volume): boolean =>
  Object.entries(secretFields).some(([source, field]) => valueAt(volume, source, field) !== undefined) ||
  asList(volume.projected?.sources).some(({ secret }) => secret !== undefined);

const defaultName = 'default';

/**
 * Sets a Pod's ServiceAccount, token volume and pull secrets. Follows kubernetes
 * plugin/pkg/admission/serviceaccount/admission.go (rule PLG-12).
 */
export const serviceAccount: SyncPlugin = {
  name: 'ServiceAccount',
  operations: ['CREATE', 'UPDATE'],
  mutate: onlyFor([podResource], (request, ports) => {
    if (!isPod(request) || request.operation !== 'CREATE') return pass(request);
    return isMirrorPod(request.object) ? checkMirrorPod(request) : admit(request, ports);
  }),
  validate: onlyFor([podResource], (request, ports) => {
    if (!isPod(request)) return pass(request);
    if (request.operation === 'UPDATE') {
      return request.subresource === 'ephemeralcontainers' ? checkEphemeralContainers(request, ports) : pass(request);
    }
    return isMirrorPod(request.object) ? checkMirrorPod(request) : check(request, ports);
  }),
};

const mustExist = byRule('spec.serviceAccountName', 'a ServiceAccount of the namespace, which has to be there first');

/** An annotation of the account enables this. */
const bySecrets = (account: ServiceAccount): RefusalSource =>
  byObject(account, 'secrets and annotation kubernetes.io/enforce-mountable-secrets', {
    refused: 'what the Pod mounts',
    allowed: 'secrets of this list',
  });

const isPod = (request: AdmissionAttributes): request is ObjectRequest<Pod> =>
  request.resource.group === '' &&
  request.resource.resource === 'pods' &&
  (request.subresource === '' || request.subresource === 'ephemeralcontainers') &&
  request.object?.kind === 'Pod';

const isMirrorPod = (pod: Pod): boolean => metadataOf(pod).annotations?.['kubernetes.io/config.mirror'] !== undefined;

function checkMirrorPod(request: ObjectRequest<Pod>): Result<PluginAnswer> {
  const fault = mirrorPodFault(asObject(request.object.spec));
  if (fault === undefined) return pass(request);
  return deny(request, fault, byRule('a mirror pod', 'nothing of the API: no account, no secret'));
}

function admit(request: ObjectRequest<Pod>, ports: PluginPorts): Result<PluginAnswer> {
  const spec = asObject(request.object.spec);
  const name = asString(spec.serviceAccountName) || defaultName;
  const found = findAccount(request, name, ports);
  if (!found.ok) return refuseBecauseOf(request, found.status, mustExist);
  const account = found.value;

  const named: PodSpec = { ...spec, serviceAccountName: name, serviceAccount: name };
  const mounts = named.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
  const mounted = mounts === true ? withTokenVolume(named, ports.random) : named;
  const pullSecrets = asList(account.imagePullSecrets).map(({ name }) => (name === undefined ? {} : { name }));
  const takesSecrets = asList(mounted.imagePullSecrets).length === 0 && pullSecrets.length > 0;
  const complete = takesSecrets ? { ...mounted, imagePullSecrets: pullSecrets } : mounted;

  const fault = secretFault(complete, account);
  if (fault !== undefined) return deny(request, fault, bySecrets(account));
  return ok({ object: { ...request.object, spec: complete } });
}

function check(request: ObjectRequest<Pod>, ports: PluginPorts): Result<PluginAnswer> {
  const faultOf = (account: ServiceAccount): string | undefined => secretFault(asObject(request.object.spec), account);
  return checkAgainstAccount(request, ports, { faultOf, statusOf: (fault) => newForbidden(request, fault) });
}

function checkEphemeralContainers(request: ObjectRequest<Pod>, ports: PluginPorts): Result<PluginAnswer> {
  const spec = asObject(request.object.spec);
  const faultOf = (account: ServiceAccount): string | undefined => ephemeralContainersSecretFault(spec, account);
  // Upstream returns the bare error.
  return checkAgainstAccount(request, ports, { faultOf, statusOf: plainError });
}

interface SecretCheck {
  readonly faultOf: (account: ServiceAccount) => string | undefined;
  readonly statusOf: (fault: string) => Status;
}

function checkAgainstAccount(
  request: ObjectRequest<Pod>,
  ports: PluginPorts,
  { faultOf, statusOf }: SecretCheck,
): Result<PluginAnswer> {
  const name = asString(asObject(request.object.spec).serviceAccountName);
  if (name === '') {
    const pod = `${request.namespace}/${metadataOf(request.object).name ?? ''}`;
    return deny(request, `no service account specified for pod ${pod}`, mustExist);
  }
  const found = findAccount(request, name, ports);
  if (!found.ok) return refuseBecauseOf(request, found.status, mustExist);
  const fault = faultOf(found.value);
  if (fault === undefined) return pass(request);
  return refuseBecauseOf(request, statusOf(fault), bySecrets(found.value));
}

function findAccount(request: ObjectRequest<Pod>, name: string, { cluster }: PluginPorts): Result<ServiceAccount> {
  const { namespace } = request;
  const account: ServiceAccount | undefined = cluster.get({ group: '', resource: 'serviceaccounts' }, namespace, name);
  if (account !== undefined) return ok(account);
  // Upstream reads the account again, and such a name has no URL.
  const reason = invalidNameError(name) ?? `serviceaccount "${name}" not found`;
  return refuse(newForbidden(request, `error looking up service account ${namespace}/${name}: ${reason}`));
}
