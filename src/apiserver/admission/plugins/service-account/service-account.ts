import type { Pod, PodSpec, ServiceAccount } from '../../../../api/types/generated/core-v1.ts';
import { asList, asObject, asString } from '../../../../machinery/json/json.ts';
import { metadataOf } from '../../../../machinery/meta/object.ts';
import { ok, refuse } from '../../../../machinery/meta/result.ts';
import { plainError } from '../../../../machinery/meta/status.ts';
import type { Status } from '../../../../machinery/meta/status.ts';
import type { Result } from '../../../../machinery/meta/result.ts';
import type { AdmissionAttributes } from '../../chain/attributes.ts';
import type { BuiltinPlugin, PluginAnswer, PluginPorts, RefusalSource } from '../../chain/plugin.ts';
import { newForbidden } from '../../chain/forbidden.ts';
import { byObject, byRule, refusedBy } from '../../chain/refused-by.ts';
import { onlyFor, pass, pods } from '../handled-resource.ts';
import { unaskable } from '../unaskable-name.ts';
import type { ObjectRequest } from '../handled-resource.ts';
import { ephemeralContainersSecretFault, secretFault } from './service-account-secrets.ts';
import { withTokenVolume } from './service-account-token-volume.ts';
import { mirrorPodFault } from './mirror-pod.ts';

const defaultName = 'default';

/**
 * A pod runs as a ServiceAccount that exists, with its token mounted and its pull secrets.
 * Follows kubernetes plugin/pkg/admission/serviceaccount/admission.go (rule PLG-12).
 */
export const serviceAccount: BuiltinPlugin = {
  name: 'ServiceAccount',
  operations: ['CREATE', 'UPDATE'],
  mutate: onlyFor([pods], (request, ports) => {
    if (!isPod(request) || request.operation !== 'CREATE') return pass(request);
    return isMirrorPod(request.object) ? checkMirrorPod(request) : admit(request, ports);
  }),
  validate: onlyFor([pods], (request, ports) => {
    if (!isPod(request)) return pass(request);
    if (request.operation === 'UPDATE') {
      return request.subresource === 'ephemeralcontainers' ? checkEphemeralContainers(request, ports) : pass(request);
    }
    return isMirrorPod(request.object) ? checkMirrorPod(request) : check(request, ports);
  }),
};

const mustExist = byRule('spec.serviceAccountName', 'a ServiceAccount of the namespace, which has to be there first');

/** The annotation of the account switches this on. */
const bySecrets = (account: ServiceAccount): RefusalSource =>
  byObject({ ...account, kind: 'ServiceAccount' }, 'secrets and annotation kubernetes.io/enforce-mountable-secrets', {
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
  return refusedBy(
    request,
    newForbidden(request, fault),
    byRule('a mirror pod', 'nothing of the API: no account, no secret'),
  );
}

function admit(request: ObjectRequest<Pod>, ports: PluginPorts): Result<PluginAnswer> {
  const spec = asObject(request.object.spec);
  const name = asString(spec.serviceAccountName) || defaultName;
  const found = findAccount(request, name, ports);
  if (!found.ok) return refusedBy(request, found.status, mustExist);
  const account = found.value;

  const named: PodSpec = { ...spec, serviceAccountName: name, serviceAccount: name };
  const mounts = named.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
  const mounted = mounts === true ? withTokenVolume(named, ports.random) : named;
  const pullSecrets = asList(account.imagePullSecrets).map(({ name }) => (name === undefined ? {} : { name }));
  const takesSecrets = asList(mounted.imagePullSecrets).length === 0 && pullSecrets.length > 0;
  const complete = takesSecrets ? { ...mounted, imagePullSecrets: pullSecrets } : mounted;

  const fault = secretFault(complete, account);
  if (fault !== undefined) return refusedBy(request, newForbidden(request, fault), bySecrets(account));
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
    const status = newForbidden(request, `no service account specified for pod ${pod}`);
    return refusedBy(request, status, mustExist);
  }
  const found = findAccount(request, name, ports);
  if (!found.ok) return refusedBy(request, found.status, mustExist);
  const fault = faultOf(found.value);
  if (fault === undefined) return pass(request);
  return refusedBy(request, statusOf(fault), bySecrets(found.value));
}

function findAccount(request: ObjectRequest<Pod>, name: string, { cluster }: PluginPorts): Result<ServiceAccount> {
  const { namespace } = request;
  const account: ServiceAccount | undefined = cluster.get({ group: '', resource: 'serviceaccounts' }, namespace, name);
  if (account !== undefined) return ok(account);
  // Upstream asks the API once more, and no URL can be made of such a name.
  const reason = unaskable(name) ?? `serviceaccount "${name}" not found`;
  return refuse(newForbidden(request, `error looking up service account ${namespace}/${name}: ${reason}`));
}
