import { putObject, postObject, patchObject } from '../write-object.ts';
import { encodeBytes } from '../../machinery/go/base64-bytes.ts';
import type { GroupVersionResource } from '../../machinery/meta/gvk.ts';
import { asString } from '../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, type StringMap } from '../../machinery/meta/object.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { apiserverUser, type ApiClient } from '../client.ts';
import { type Controller, type ControllerContext, followResource } from '../controller.ts';
import { coreV1 } from '../served-resources.ts';
import { createWorkQueue } from '../work-queue.ts';
import {
  type Certificate,
  certificateSecret,
  findCaSource,
  type CaSource,
  servingSecret,
  withCaBundle,
} from './ca-source.ts';
import type { ConfigMap, Secret } from '../../api/types/generated/core-v1.ts';

/** Issues a serving certificate for these names, signed by the server's CA. */
export type IssueServing = (
  names: readonly string[],
) => Promise<{ readonly certificate: string; readonly key: string }>;

const registration = (resource: string): GroupVersionResource => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource,
});
const secrets = coreV1('secrets');
const services = coreV1('services');
const configMaps = coreV1('configmaps');
const certificates: GroupVersionResource = { group: 'cert-manager.io', version: 'v1', resource: 'certificates' };
const injectable: readonly GroupVersionResource[] = [
  registration('mutatingwebhookconfigurations'),
  registration('validatingwebhookconfigurations'),
  { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' },
];

/** The field manager and user agent of its writes. */
const fieldManager = 'kadmit-ca-injector';

interface Item {
  readonly resource: GroupVersionResource;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Replaces cert-manager's cainjector and OpenShift's service-ca where they do not run: sets caBundles by annotation,
 * and creates the serving certificates of Certificates and Services. Existing Secrets stay.
 */
export const caInjector =
  (issue: IssueServing): Controller =>
  (context) => {
    const client = context.clientFor(apiserverUser, fieldManager);
    const parts = { context, client, issue };
    const queue = createWorkQueue(itemKey, (item: Item) => sync(item, parts), context);
    for (const resource of [...injectable, services, configMaps, certificates]) {
      followResource(context, resource, ({ type, object }) => {
        if (type !== 'removed') queue.add(toItem(resource, object));
      });
    }
    // A new or changed Secret may be the CA of a configuration.
    followResource(context, secrets, () => {
      for (const resource of injectable) {
        for (const object of context.store.list(resource)) {
          if (findCaSource(object, () => undefined)) queue.add(toItem(resource, object));
        }
      }
    });
    return queue.progress;
  };

const toItem = (resource: GroupVersionResource, object: KubernetesObject): Item => {
  const { namespace = '', name = '' } = metadataOf(object);
  return { resource, namespace, name };
};

const itemKey = ({ resource: { resource }, namespace, name }: Item): string => `${resource}/${namespace}/${name}`;

interface InjectorPorts {
  readonly context: ControllerContext;
  readonly client: ApiClient;
  readonly issue: IssueServing;
}

async function sync({ resource, namespace, name }: Item, parts: InjectorPorts): Promise<Result<unknown>> {
  const { store, rootCa } = parts.context;
  const object = store.get(resource, namespace, name);
  if (!object || metadataOf(object).deletionTimestamp !== undefined) return ok(undefined);
  if (resource === services) return ensureSecret(servingSecret(object), parts);
  if (resource === certificates) return setReadyCondition(object, parts);
  const desired = findCaSource(object, (space, one) => store.get(certificates, space, one));
  if (!desired) return ok(undefined);
  if (resource === configMaps) return fillConfigMap(object, parts);
  const created = desired.from === 'secret' ? await ensureSecret(desired, parts) : ok(undefined);
  if (!created.ok) return created;
  const ca = desired.from === 'secret' ? findCa(store.get(secrets, desired.namespace, desired.name)) : base64(rootCa);
  const filled = ca === '' ? object : withCaBundle(object, ca);
  return filled === object ? ok(undefined) : putObject(parts.client, resource, filled);
}

/** In base64, as in a Secret and a caBundle. */
const findCa = (secret: Secret | undefined): string =>
  asString(secret?.data?.['ca.crt']) || asString(secret?.data?.['tls.crt']);

/** Creates the Secret unless it exists. Without a namespace or without names nothing is created. */
async function ensureSecret(
  desired: Extract<CaSource, { from: 'secret' }> | undefined,
  { context: { store, rootCa }, client, issue }: InjectorPorts,
): Promise<Result<unknown>> {
  if (!desired || desired.names.length === 0 || store.get(secrets, desired.namespace, desired.name))
    return ok(undefined);
  const { namespace, name, certificate } = desired;
  const served = await issue(desired.names);
  const annotations: StringMap = certificate === undefined ? {} : { 'cert-manager.io/certificate-name': certificate };
  const body = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, annotations },
    type: 'kubernetes.io/tls',
    data: { 'ca.crt': base64(rootCa), 'tls.crt': base64(served.certificate), 'tls.key': base64(served.key) },
  };
  const created = await postObject(client, secrets, body);
  // Another writer was first, or the namespace is missing: its write triggers another sync.
  return created.ok || created.status.reason === 'AlreadyExists' || created.status.reason === 'NotFound'
    ? ok(undefined)
    : created;
}

/** Charts and operators wait for the Ready condition of a Certificate. */
async function setReadyCondition(object: Certificate, parts: InjectorPorts): Promise<Result<unknown>> {
  const desired = certificateSecret(object);
  const created = await ensureSecret(desired, parts);
  const { store, clock } = parts.context;
  if (!created.ok || !desired || !store.get(secrets, desired.namespace, desired.name)) return created;
  if (JSON.stringify(object.status?.conditions ?? []).includes('"Ready"')) return ok(undefined);
  const conditions = [
    {
      type: 'Ready',
      status: 'True',
      reason: 'Ready',
      message: 'Certificate is up to date and has not expired',
      lastTransitionTime: formatTime(clock.now()),
    },
  ];
  const body = { status: { conditions } };
  const patched = await patchObject(parts.client, certificates, object, {
    type: 'merge-patch',
    body,
    subresource: '/status',
  });
  return patched.ok || patched.status.reason === 'NotFound' ? ok(undefined) : patched;
}

/** OpenShift's bundle in a ConfigMap. */
async function fillConfigMap(object: ConfigMap, { context, client }: InjectorPorts): Promise<Result<unknown>> {
  const field = 'service-ca.crt';
  if (object.data?.[field] === context.rootCa) return ok(undefined);
  const body = { data: { [field]: context.rootCa } };
  return patchObject(client, configMaps, object, { type: 'merge-patch', body });
}

const base64 = (text: string): string => encodeBytes(new TextEncoder().encode(text));
