import { asList, asObject, asString } from '../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, type ObjectMeta } from '../../machinery/meta/object.ts';
import type * as metaV1 from '../../api/types/generated/meta-v1.ts';
import type { Service } from '../../api/types/generated/core-v1.ts';
import type { CustomResourceDefinition } from '../../api/types/generated/apiextensions-v1.ts';
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ServiceReference,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from '../../api/types/generated/admissionregistration-v1.ts';

export type CaSource =
  /** The `ca.crt` of this Secret, which is created for these names if it does not exist. */
  | {
      readonly from: 'secret';
      readonly namespace: string;
      readonly name: string;
      /** The Certificate that names it. */
      readonly certificate?: string;
      readonly names: readonly string[];
    }
  /** The server's own CA. */
  | { readonly from: 'server' };

const certManager = 'cert-manager.io/';
const openshift = 'service.beta.openshift.io/';

/** The fields of cert-manager's Certificate that are read. */
export type Certificate = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: { readonly secretName?: string; readonly dnsNames?: readonly string[] };
  readonly status?: { readonly conditions?: readonly metaV1.Condition[] };
};

/** undefined where the kind is not defined, or the object does not exist. */
type FindCertificate = (namespace: string, name: string) => Certificate | undefined;

/**
 * The CA that the annotations of a webhook configuration, a definition or a ConfigMap request from cert-manager or
 * OpenShift. Follows cert-manager pkg/controller/cainjector (annotations) and OpenShift's service-ca operator.
 */
export function findCaSource(object: KubernetesObject, findCertificate: FindCertificate): CaSource | undefined {
  const annotations = metadataOf(object).annotations ?? {};
  if (annotations[`${certManager}inject-apiserver-ca`] === 'true') return { from: 'server' };
  if (annotations[`${openshift}inject-cabundle`] === 'true') return { from: 'server' };
  const secret = parseObjectName(annotations[`${certManager}inject-ca-from-secret`]);
  if (secret) return { from: 'secret', ...secret, names: certificateReferences(object) };
  const certificate = parseObjectName(annotations[`${certManager}inject-ca-from`]);
  if (!certificate) return undefined;
  const { namespace, name } = certificate;
  const found = findCertificate(namespace, name);
  const secretName = asString(asObject(found?.spec).secretName) || name;
  const names = found ? asList(asObject(found.spec).dnsNames) : certificateReferences(object);
  return { from: 'secret', namespace, name: secretName, certificate: name, names };
}

/** `NAMESPACE/NAME`. */
function parseObjectName(text: string | undefined): { readonly namespace: string; readonly name: string } | undefined {
  const [namespace, name, ...more] = (text ?? '').split('/');
  return namespace && name && more.length === 0 ? { namespace, name } : undefined;
}

/** The DNS names of the Services in all clientConfigs. */
export const certificateReferences = (object: KubernetesObject): readonly string[] => [
  ...new Set(listClientConfigs(object).flatMap(({ service }) => serviceNames(asObject(service)))),
];

const serviceNames = ({ namespace, name }: ServiceReference): readonly string[] =>
  name === undefined ? [] : dnsNames(asString(namespace), asString(name));

/** `NAME.NAMESPACE.svc` and the other DNS names of a Service. */
export const dnsNames = (namespace: string, name: string): readonly string[] => [
  `${name}.${namespace}.svc`,
  `${name}.${namespace}.svc.cluster.local`,
  `${name}.${namespace}`,
];

const listClientConfigs = (object: KubernetesObject): readonly WebhookClientConfig[] =>
  object.kind === 'CustomResourceDefinition'
    ? [asObject(conversionClientConfig(object))]
    : listWebhooks(object).map(({ clientConfig }) => asObject(clientConfig));

const conversionClientConfig = ({ spec }: CustomResourceDefinition): WebhookClientConfig | undefined =>
  spec?.conversion?.webhook?.clientConfig;

type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;
type Webhook = MutatingWebhook | ValidatingWebhook;

const listWebhooks = ({ webhooks }: Configuration): readonly Webhook[] => asList<Webhook>(webhooks);

/** The same object when nothing changes. */
export function withCaBundle(object: KubernetesObject, caBundle: string): KubernetesObject {
  if (object.kind === 'CustomResourceDefinition') return withConverterCa(object, caBundle);
  const webhooks = listWebhooks(object);
  if (webhooks.every(({ clientConfig }) => clientConfig?.caBundle === caBundle)) return object;
  return {
    ...object,
    webhooks: webhooks.map((one) => ({ ...one, clientConfig: { ...one.clientConfig, caBundle } })),
  };
}

function withConverterCa(definition: CustomResourceDefinition, caBundle: string): CustomResourceDefinition {
  const clientConfig = conversionClientConfig(definition);
  if (clientConfig === undefined || clientConfig.caBundle === caBundle) return definition;
  const { spec } = definition;
  const webhook = { ...spec?.conversion?.webhook, clientConfig: { ...clientConfig, caBundle } };
  return { ...definition, spec: { ...spec, conversion: { ...spec?.conversion, webhook } } };
}

/** The Secret of OpenShift's serving-cert annotation; undefined without it. */
export function servingSecret(service: Service): Extract<CaSource, { from: 'secret' }> | undefined {
  const { annotations = {}, namespace = '', name = '' } = metadataOf(service);
  const secret = annotations[`${openshift}serving-cert-secret-name`] ?? '';
  if (secret === '') return undefined;
  return { from: 'secret', namespace, name: secret, names: dnsNames(namespace, name) };
}

/** The Secret of a Certificate. */
export function certificateSecret(certificate: Certificate): Extract<CaSource, { from: 'secret' }> | undefined {
  const { namespace = '', name = '' } = metadataOf(certificate);
  const secret = asString(certificate.spec?.secretName);
  const names = asList(certificate.spec?.dnsNames);
  return secret === '' ? undefined : { from: 'secret', namespace, name: secret, certificate: name, names };
}
