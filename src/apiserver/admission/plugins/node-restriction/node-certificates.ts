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
export async function podCertificateFault(
  node: string,
  request: AdmissionAttributes,
  ports: PluginPorts,
): Promise<NodePodFault> {
  const { cluster } = ports;
  const { operation, subresource, namespace, object } = request;
  if (operation !== 'CREATE') return `unexpected operation ${operation}`;
  if (subresource !== '') return `unexpected subresource ${subresource}`;
  const spec = specOf(object);
  const asked: Asked = { node, namespace, cluster, said: (field) => asString(spec[field]) };
  const fault = nodeFault(asked) ?? podFault(asked) ?? accountFault(asked);
  return fault === undefined && ports.codec.types.minor >= 37 ? signerFault(asked, request, ports) : fault;
}

const specOf = (request: PodCertificateRequest | null): PodCertificateRequestSpec => asObject(request?.spec);

interface Asked {
  readonly node: string;
  readonly namespace: string;
  readonly cluster: PluginPorts['cluster'];
  readonly said: (field: keyof PodCertificateRequestSpec) => string;
}

const within = ({ namespace }: Asked, name: string): string => goQuote(`${namespace}/${name}`);

const forPod = (asked: Asked): string => `PodCertificateRequest for pod ${within(asked, asked.said('podName'))}`;

function nodeFault(asked: Asked): NodePodFault {
  const { node, cluster, said } = asked;
  if (said('nodeName') !== node) {
    return `PodCertificateRequest.Spec.NodeName=${goQuote(said('nodeName'))}, which is not the requesting node ${goQuote(node)}`;
  }
  const stored: Node | undefined = cluster.get({ group: '', resource: 'nodes' }, '', node);
  if (stored === undefined) return missing('node', goQuote(node), node);
  const uid = metadataOf(stored).uid ?? '';
  if (uid === said('nodeUID')) return undefined;
  const names = `names node UID ${goQuote(said('nodeUID'))}, inconsistent with the running node (${goQuote(uid)})`;
  return plainError(`${forPod(asked)} ${names}`);
}

function podFault(asked: Asked): NodePodFault {
  const { node, namespace, cluster, said } = asked;
  const name = within(asked, said('podName'));
  const pod: Pod | undefined = cluster.get({ group: '', resource: 'pods' }, namespace, said('podName'));
  if (pod === undefined) return missing('pod', name, said('podName'));
  const uid = metadataOf(pod).uid ?? '';
  if (uid !== said('podUID')) {
    const contains = `contains pod UID (${goQuote(said('podUID'))}) which differs from running pod ${goQuote(uid)}`;
    return plainError(`${forPod(asked)} ${contains}`);
  }
  const { nodeName, serviceAccountName } = asObject(pod.spec);
  if (nodeName !== node)
    return `pod ${name} is not running on node ${goQuote(node)} named in the PodCertificateRequest`;
  if (metadataOf(pod).annotations?.['kubernetes.io/config.mirror'] !== undefined) return `pod ${name} is a mirror pod`;
  const [own, other] = [asString(serviceAccountName), said('serviceAccountName')];
  if (own === other) return undefined;
  return `${forPod(asked)} contains serviceAccountName (${goQuote(other)}) that differs from running pod (${goQuote(own)})`;
}

function accountFault(asked: Asked): NodePodFault {
  const { namespace, cluster, said } = asked;
  const name = said('serviceAccountName');
  const account: ServiceAccount | undefined = cluster.get({ group: '', resource: 'serviceaccounts' }, namespace, name);
  if (account === undefined) return missing('service account', within(asked, name), name);
  const [uid, other] = [metadataOf(account).uid ?? '', said('serviceAccountUID')];
  if (uid === other) return undefined;
  const names = `names service account UID ${goQuote(other)}, which differs from the running service account (${goQuote(uid)})`;
  return plainError(`${forPod(asked)} ${names}`);
}

/** A signer that the Pod mounts, or that RBAC allows; RBAC knows it with colons. */
async function signerFault(
  { namespace, cluster, said }: Asked,
  { resource: { group, version }, userInfo: user }: AdmissionAttributes,
  { authorize }: PluginPorts,
): Promise<NodePodFault> {
  const [podName, signer] = [said('podName'), said('signerName')];
  const pod: Pod | undefined = cluster.get({ group: '', resource: 'pods' }, namespace, podName);
  const sources = asList(pod?.spec?.volumes).flatMap(({ projected }) => asList(projected?.sources));
  if (sources.some(({ podCertificate }) => podCertificate?.signerName === signer)) return undefined;
  const { allowed } = await authorize({
    type: 'resource',
    user,
    verb: 'request-serviceaccounts-podcertificate-signer',
    group,
    version,
    resource: signer.replaceAll('/', ':'),
    subresource: '',
    namespace,
    name: said('serviceAccountName'),
  });
  if (allowed) return undefined;
  const mounts = 'does not mount a podCertificate projected volume for signer';
  return `pod ${goQuote(`${namespace}/${podName}`)} ${mounts} ${goQuote(signer)}`;
}

const missing = (what: string, quoted: string, name: string): NodePodFault =>
  plainError(
    `while retrieving ${what} ${quoted} named in the PodCertificateRequest: ${what.replace(' ', '')} ${goQuote(name)} not found`,
  );
