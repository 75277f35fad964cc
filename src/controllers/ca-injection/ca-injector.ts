import { encodeBytes } from '../../machinery/go/base64-bytes.ts';
import type { GroupVersionResource } from '../../machinery/meta/gvk.ts';
import { asString, type JsonObject } from '../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { apiserverUser, type ApiClient } from '../client.ts';
import { type Controller, type ControllerContext, followResource } from '../controller.ts';
import { coreV1, resourcePath } from '../served-resources.ts';
import { createWorkQueue } from '../work-queue.ts';
import {
  type Certificate,
  wantedByCertificate,
  caSourceOf,
  type CaSource,
  wantedServing,
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
const manager = 'kadmit-ca-injector';

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
    const client = context.clientFor(apiserverUser, manager);
    const parts = { context, client, issue };
    const queue = createWorkQueue(keyOf, (item: Item) => sync(item, parts), context);
    for (const resource of [...injectable, services, configMaps, certificates]) {
      followResource(context, resource, ({ type, object }) => {
        if (type !== 'removed') queue.add(itemOf(resource, object));
      });
    }
    // A new or changed Secret may be the CA of a configuration.
    followResource(context, secrets, () => {
      for (const resource of injectable) {
        for (const object of context.store.list(resource)) {
          if (caSourceOf(object, () => undefined)) queue.add(itemOf(resource, object));
        }
      }
    });
    return queue.progress;
  };

const itemOf = (resource: GroupVersionResource, object: KubernetesObject): Item => {
  const { namespace = '', name = '' } = metadataOf(object);
  return { resource, namespace, name };
};

const keyOf = ({ resource: { resource }, namespace, name }: Item): string => `${resource}/${namespace}/${name}`;

interface Parts {
  readonly context: ControllerContext;
  readonly client: ApiClient;
  readonly issue: IssueServing;
}

async function sync({ resource, namespace, name }: Item, parts: Parts): Promise<Result<unknown>> {
  const { store, rootCa } = parts.context;
  const object = store.get(resource, namespace, name);
  if (!object || metadataOf(object).deletionTimestamp !== undefined) return ok(undefined);
  const path = resourcePath(resource, namespace, name);
  if (resource === services) return ensureSecret(wantedServing(object), parts);
  if (resource === certificates) return becomeReady(object, path, parts);
  const wanted = caSourceOf(object, (space, one) => store.get(certificates, space, one));
  if (!wanted) return ok(undefined);
  if (resource === configMaps) return fillMap(object, path, parts);
  const made = wanted.from === 'secret' ? await ensureSecret(wanted, parts) : ok(undefined);
  if (!made.ok) return made;
  const ca = wanted.from === 'secret' ? caOf(store.get(secrets, wanted.namespace, wanted.name)) : base64(rootCa);
  const filled = ca === '' ? object : withCaBundle(object, ca);
  return filled === object ? ok(undefined) : parts.client({ method: 'PUT', path, body: filled });
}

/** In base64, as in a Secret and a caBundle. */
const caOf = (secret: Secret | undefined): string =>
  asString(secret?.data?.['ca.crt']) || asString(secret?.data?.['tls.crt']);

/** Creates the Secret unless it exists. Without a namespace or without names nothing is created. */
async function ensureSecret(
  wanted: Extract<CaSource, { from: 'secret' }> | undefined,
  { context: { store, rootCa }, client, issue }: Parts,
): Promise<Result<unknown>> {
  if (!wanted || wanted.names.length === 0 || store.get(secrets, wanted.namespace, wanted.name)) return ok(undefined);
  const { namespace, name, certificate } = wanted;
  const served = await issue(wanted.names);
  const annotations: JsonObject = certificate === undefined ? {} : { 'cert-manager.io/certificate-name': certificate };
  const body = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, annotations },
    type: 'kubernetes.io/tls',
    data: { 'ca.crt': base64(rootCa), 'tls.crt': base64(served.certificate), 'tls.key': base64(served.key) },
  };
  const made = await client({ method: 'POST', path: resourcePath(secrets, namespace), body });
  // Another writer was first, or the namespace is missing: its write triggers another sync.
  return made.ok || made.status.reason === 'AlreadyExists' || made.status.reason === 'NotFound' ? ok(undefined) : made;
}

/** Charts and operators wait for the Ready condition of a Certificate. */
async function becomeReady(object: Certificate, path: string, parts: Parts): Promise<Result<unknown>> {
  const wanted = wantedByCertificate(object);
  const made = await ensureSecret(wanted, parts);
  const { store, clock } = parts.context;
  if (!made.ok || !wanted || !store.get(secrets, wanted.namespace, wanted.name)) return made;
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
  const to = `${path}/status`;
  const patched = await parts.client({ method: 'PATCH', path: to, contentType: 'application/merge-patch+json', body });
  return patched.ok || patched.status.reason === 'NotFound' ? ok(undefined) : patched;
}

/** OpenShift's bundle in a ConfigMap. */
async function fillMap(object: ConfigMap, path: string, { context, client }: Parts): Promise<Result<unknown>> {
  const field = 'service-ca.crt';
  if (object.data?.[field] === context.rootCa) return ok(undefined);
  const body = { data: { [field]: context.rootCa } };
  return client({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body });
}

const base64 = (text: string): string => encodeBytes(new TextEncoder().encode(text));
