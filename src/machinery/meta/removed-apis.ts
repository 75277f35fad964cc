import { goPrint } from '../go/go-print.ts';
import { webhookFieldEntries } from './webhook-fields.ts';
import { duplicateIndexes } from '../lists.ts';
import { type JsonObject, asList, asObject, asString } from '../json/json.ts';
import { type GroupVersionKind, apiVersionOf } from './gvk.ts';

/** The error for an object of another kind where a CustomResourceDefinition is expected. */
export const notADefinitionText = (kind: string): string => `${kind} is no CustomResourceDefinition: put it into load`;

interface RemovedApi {
  readonly group: string;
  readonly versions: readonly string[];
  /** Undefined: every kind of these versions. */
  readonly kinds?: readonly string[];
  /** The last one that was served by 1.x: gone since this minor version. */
  readonly since: string;
  /** The apiVersion to write instead, by default v1 of the group; `''`: nothing took its place. */
  readonly now?: string;
  /** What else is different there. */
  readonly note?: string;
}

const workloads = ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'];
const selectorNote = 'spec.selector is required and has to match the labels of the template';

// Source: kubernetes.io/docs/reference/using-api/deprecation-guide
const removedApis: readonly RemovedApi[] = [
  {
    group: 'admissionregistration.k8s.io',
    versions: ['v1beta1'],
    kinds: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
    since: '1.22',
  },
  {
    group: 'apiextensions.k8s.io',
    versions: ['v1beta1'],
    since: '1.22',
    note: 'each of spec.versions needs a schema of its own; spec.version, spec.validation, spec.subresources and spec.additionalPrinterColumns moved there',
  },
  { group: 'apiregistration.k8s.io', versions: ['v1beta1'], since: '1.22' },
  { group: 'apps', versions: ['v1beta1', 'v1beta2'], since: '1.16', note: selectorNote },
  { group: 'extensions', versions: ['v1beta1'], kinds: workloads, since: '1.16', now: 'apps/v1', note: selectorNote },
  { group: 'extensions', versions: ['v1beta1'], kinds: ['NetworkPolicy'], since: '1.16', now: 'networking.k8s.io/v1' },
  ...['extensions', 'networking.k8s.io'].map((group) => ({
    group,
    versions: ['v1beta1'],
    kinds: ['Ingress'],
    since: '1.22',
    now: 'networking.k8s.io/v1',
    note: 'backends became service.name with service.port.number or .name, spec.backend became spec.defaultBackend, and each path needs a pathType',
  })),
  { group: 'networking.k8s.io', versions: ['v1beta1'], kinds: ['IngressClass'], since: '1.22' },
  { group: 'authentication.k8s.io', versions: ['v1beta1'], kinds: ['TokenReview'], since: '1.22' },
  { group: 'authorization.k8s.io', versions: ['v1beta1'], since: '1.22', note: 'spec.group became spec.groups' },
  { group: 'autoscaling', versions: ['v2beta1'], since: '1.25', now: 'autoscaling/v2' },
  { group: 'autoscaling', versions: ['v2beta2'], since: '1.26', now: 'autoscaling/v2' },
  { group: 'batch', versions: ['v1beta1', 'v2alpha1'], kinds: ['CronJob'], since: '1.25' },
  {
    group: 'certificates.k8s.io',
    versions: ['v1beta1'],
    kinds: ['CertificateSigningRequest'],
    since: '1.22',
    note: 'spec.signerName and spec.usages are required',
  },
  { group: 'coordination.k8s.io', versions: ['v1beta1'], kinds: ['Lease'], since: '1.22' },
  { group: 'discovery.k8s.io', versions: ['v1beta1'], since: '1.25' },
  { group: 'events.k8s.io', versions: ['v1beta1'], since: '1.25' },
  { group: 'flowcontrol.apiserver.k8s.io', versions: ['v1alpha1', 'v1beta1'], since: '1.26' },
  { group: 'flowcontrol.apiserver.k8s.io', versions: ['v1beta2'], since: '1.29' },
  { group: 'flowcontrol.apiserver.k8s.io', versions: ['v1beta3'], since: '1.32' },
  { group: 'node.k8s.io', versions: ['v1alpha1', 'v1beta1'], since: '1.25' },
  {
    group: 'policy',
    versions: ['v1beta1'],
    kinds: ['PodDisruptionBudget'],
    since: '1.25',
    note: 'an empty spec.selector now matches every Pod of the namespace',
  },
  ...['policy', 'extensions'].map((group) => ({
    group,
    versions: ['v1beta1'],
    kinds: ['PodSecurityPolicy'],
    since: '1.25',
    now: '',
    note: 'use the pod-security.kubernetes.io labels of namespaces, or a policy or webhook',
  })),
  { group: 'rbac.authorization.k8s.io', versions: ['v1alpha1', 'v1beta1'], since: '1.22' },
  { group: 'scheduling.k8s.io', versions: ['v1alpha1', 'v1beta1'], kinds: ['PriorityClass'], since: '1.22' },
  {
    group: 'storage.k8s.io',
    versions: ['v1beta1'],
    kinds: ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment'],
    since: '1.22',
  },
  { group: 'storage.k8s.io', versions: ['v1beta1'], kinds: ['CSIStorageCapacity'], since: '1.27' },
];

/**
 * What to change in an object whose API version no server has any more, in one line; undefined when it is none of
 * those. Of a webhook configuration every field is named that has to be added.
 */
export function removedApiAdvice(kind: GroupVersionKind, object: JsonObject): string | undefined {
  const row = removedApis.find(
    ({ group, versions, kinds }) =>
      group === kind.group && versions.includes(kind.version) && (kinds?.includes(kind.kind) ?? true),
  );
  if (!row) return undefined;
  const head = `${apiVersionOf(kind)} ${kind.kind} is gone since Kubernetes ${row.since}`;
  const notes = [...(row.note === undefined ? [] : [row.note]), ...webhookNotes(kind, object)];
  const { now = `${row.group}/v1` } = row;
  const instead = now === '' ? [] : [`write apiVersion: ${now}`];
  return `${head}: ${[...instead, ...notes].join('; ')}`;
}

function webhookNotes({ group, kind }: GroupVersionKind, object: JsonObject): readonly string[] {
  if (group !== 'admissionregistration.k8s.io' || !kind.endsWith('WebhookConfiguration')) return [];
  const webhooks = asList(object['webhooks']).map(asObject);
  const names = webhooks.map(({ name }) => asString(name));
  const repeats = duplicateIndexes(names);
  const notes = webhooks.flatMap((webhook, index) => {
    const changes = requiredChanges(webhook);
    return changes.length === 0 ? [] : [`webhooks[${index}] ${asString(webhook['name'])}: ${changes.join(', ')}`];
  });
  return [
    ...notes,
    ...(repeats.size > 0
      ? [`names have to be unique, and ${[...new Set(Array.from(repeats, (index) => names[index]))].join(', ')} is not`]
      : []),
  ];
}

function requiredChanges(webhook: JsonObject): readonly string[] {
  const { sideEffects, admissionReviewVersions } = webhook;
  const former = webhookFieldEntries.flatMap(([name, { formerDefault }]) =>
    formerDefault === undefined || webhook[name] !== undefined ? [] : [`${name}: ${goPrint(formerDefault)}`],
  );
  return [
    ...(sideEffects === 'None' || sideEffects === 'NoneOnDryRun' ? [] : ['sideEffects has to be None or NoneOnDryRun']),
    ...(asList(admissionReviewVersions).length > 0
      ? []
      : ['admissionReviewVersions is required (it was [v1beta1] by default)']),
    ...(former.length > 0 ? [`to keep what was the default add ${former.join(', ')}`] : []),
  ];
}
