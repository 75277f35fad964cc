import { goQuote } from '../../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../../machinery/json/json.ts';
import { metadataOf } from '../../../../machinery/meta/object.ts';
import { plainError } from '../../../../machinery/meta/status.ts';
import type { AdmissionAttributes } from '../../chain/attributes.ts';
import type { PluginPorts } from '../../chain/plugin.ts';
import type { NodePodFault } from './node-pods.ts';
import type { Node, Pod, ServiceAccount } from '../../../../api/types/generated/core-v1.ts';
import type {
  PodCertificateRequest,
  PodCertificateRequestSpec,
} from '../../../../api/types/generated/certificates-v1beta1.ts';

/**
 * Nodes request certificates only for Pods that run on them. Follows kubernetes
 * plugin/pkg/admission/noderestriction/admission.go admitPodCertificateRequest.
 */
export function podCertificateFault(node: string, request: AdmissionAttributes, ports: PluginPorts): NodePodFault {
  const { cluster } = ports;
  const { operation, subresource, namespace, object } = request;
  if (operation !== 'CREATE') return `unexpected operation ${operation}`;
  if (subresource !== '') return `unexpected subresource ${subresource}`;
  const spec = specOf(object);
  const context: CertificateRequestContext = { node, namespace, cluster, specField: (field) => asString(spec[field]) };
  const fault = nodeFault(context) ?? podFault(context) ?? accountFault(context);
  return fault === undefined && ports.codec.types.minor >= 37 ? signerFault(context, request, ports) : fault;
}

const specOf = (request: PodCertificateRequest | null): PodCertificateRequestSpec => asObject(request?.spec);

interface CertificateRequestContext {
  readonly node: string;
  readonly namespace: string;
  readonly cluster: PluginPorts['cluster'];
  readonly specField: (field: keyof PodCertificateRequestSpec) => string;
}

const quoteNamespacedName = ({ namespace }: CertificateRequestContext, name: string): string =>
  goQuote(`${namespace}/${name}`);

const forPod = (context: CertificateRequestContext): string =>
  `PodCertificateRequest for pod ${quoteNamespacedName(context, context.specField('podName'))}`;

function nodeFault(context: CertificateRequestContext): NodePodFault {
  const { node, cluster, specField } = context;
  if (specField('nodeName') !== node) {
    return `PodCertificateRequest.Spec.NodeName=${goQuote(specField('nodeName'))}, which is not the requesting node ${goQuote(node)}`;
  }
  const stored: Node | undefined = cluster.get({ group: '', resource: 'nodes' }, '', node);
  if (stored === undefined) return notFoundError('node', goQuote(node), node);
  const uid = metadataOf(stored).uid ?? '';
  if (uid === specField('nodeUID')) return undefined;
  const names = `names node UID ${goQuote(specField('nodeUID'))}, inconsistent with the running node (${goQuote(uid)})`;
  return plainError(`${forPod(context)} ${names}`);
}

function podFault(context: CertificateRequestContext): NodePodFault {
  const { node, namespace, cluster, specField } = context;
  const name = quoteNamespacedName(context, specField('podName'));
  const pod: Pod | undefined = cluster.get({ group: '', resource: 'pods' }, namespace, specField('podName'));
  if (pod === undefined) return notFoundError('pod', name, specField('podName'));
  const uid = metadataOf(pod).uid ?? '';
  if (uid !== specField('podUID')) {
    const contains = `contains pod UID (${goQuote(specField('podUID'))}) which differs from running pod ${goQuote(uid)}`;
    return plainError(`${forPod(context)} ${contains}`);
  }
  const { nodeName, serviceAccountName } = asObject(pod.spec);
  if (nodeName !== node)
    return `pod ${name} is not running on node ${goQuote(node)} named in the PodCertificateRequest`;
  if (metadataOf(pod).annotations?.['kubernetes.io/config.mirror'] !== undefined) return `pod ${name} is a mirror pod`;
  const [own, other] = [asString(serviceAccountName), specField('serviceAccountName')];
  if (own === other) return undefined;
  return `${forPod(context)} contains serviceAccountName (${goQuote(other)}) that differs from running pod (${goQuote(own)})`;
}

function accountFault(context: CertificateRequestContext): NodePodFault {
  const { namespace, cluster, specField } = context;
  const name = specField('serviceAccountName');
  const account: ServiceAccount | undefined = cluster.get({ group: '', resource: 'serviceaccounts' }, namespace, name);
  if (account === undefined) return notFoundError('service account', quoteNamespacedName(context, name), name);
  const [uid, other] = [metadataOf(account).uid ?? '', specField('serviceAccountUID')];
  if (uid === other) return undefined;
  const names = `names service account UID ${goQuote(other)}, which differs from the running service account (${goQuote(uid)})`;
  return plainError(`${forPod(context)} ${names}`);
}

/** A signer that the Pod mounts, or that RBAC allows; RBAC knows it with colons. */
function signerFault(
  { namespace, cluster, specField }: CertificateRequestContext,
  { resource: { group, version }, userInfo: user }: AdmissionAttributes,
  { authorize }: PluginPorts,
): NodePodFault {
  const [podName, signer] = [specField('podName'), specField('signerName')];
  const pod: Pod | undefined = cluster.get({ group: '', resource: 'pods' }, namespace, podName);
  const sources = asList(pod?.spec?.volumes).flatMap(({ projected }) => asList(projected?.sources));
  if (sources.some(({ podCertificate }) => podCertificate?.signerName === signer)) return undefined;
  const { allowed } = authorize({
    type: 'resource',
    user,
    verb: 'request-serviceaccounts-podcertificate-signer',
    group,
    version,
    resource: signer.replaceAll('/', ':'),
    subresource: '',
    namespace,
    name: specField('serviceAccountName'),
  });
  if (allowed) return undefined;
  const mounts = 'does not mount a podCertificate projected volume for signer';
  return `pod ${goQuote(`${namespace}/${podName}`)} ${mounts} ${goQuote(signer)}`;
}

const notFoundError = (what: string, quoted: string, name: string): NodePodFault =>
  plainError(
    `while retrieving ${what} ${quoted} named in the PodCertificateRequest: ${what.replace(' ', '')} ${goQuote(name)} not found`,
  );
