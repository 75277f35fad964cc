import { goQuote } from '../../apimachinery/field-error.ts';
import { asObject, asString, valueAt } from '../../apimachinery/json.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import { plainError } from '../../apimachinery/status.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { PluginPorts } from '../plugin.ts';
import type { Fault } from './node-pods.ts';

/**
 * A node asks for certificates for the Pods that run on it, as they are.
 * Follows kubernetes plugin/pkg/admission/noderestriction/admission.go admitPodCertificateRequest.
 */
export function podCertificateFault(node: string, request: AdmissionAttributes, { cluster }: PluginPorts): Fault {
  const { operation, subresource, namespace, object } = request;
  if (operation !== 'CREATE') return `unexpected operation ${operation}`;
  if (subresource !== '') return `unexpected subresource ${subresource}`;
  const spec = asObject(object?.['spec']);
  const said = (field: string): string => asString(spec[field]);
  const within = (name: string): string => goQuote(`${namespace}/${name}`);
  if (said('nodeName') !== node) {
    return `PodCertificateRequest.Spec.NodeName=${goQuote(said('nodeName'))}, which is not the requesting node ${goQuote(node)}`;
  }
  const stored = cluster.get({ group: '', resource: 'nodes' }, '', node);
  if (stored === undefined) return missing('node', goQuote(node), node);
  const of = `PodCertificateRequest for pod ${within(said('podName'))}`;
  const uid = metadataOf(stored).uid ?? '';
  if (uid !== said('nodeUID')) {
    return plainError(
      `${of} names node UID ${goQuote(said('nodeUID'))}, inconsistent with the running node (${goQuote(uid)})`,
    );
  }
  const pod = cluster.get({ group: '', resource: 'pods' }, namespace, said('podName'));
  if (pod === undefined) return missing('pod', within(said('podName')), said('podName'));
  const podUid = metadataOf(pod).uid ?? '';
  if (podUid !== said('podUID')) {
    return plainError(
      `${of} contains pod UID (${goQuote(said('podUID'))}) which differs from running pod ${goQuote(podUid)}`,
    );
  }
  if (valueAt(pod, 'spec', 'nodeName') !== node) {
    return `pod ${within(said('podName'))} is not running on node ${goQuote(node)} named in the PodCertificateRequest`;
  }
  if (metadataOf(pod).annotations?.['kubernetes.io/config.mirror'] !== undefined) {
    return `pod ${within(said('podName'))} is a mirror pod`;
  }
  const account = asString(valueAt(pod, 'spec', 'serviceAccountName'));
  if (account !== said('serviceAccountName')) {
    return `${of} contains serviceAccountName (${goQuote(said('serviceAccountName'))}) that differs from running pod (${goQuote(account)})`;
  }
  const found = cluster.get({ group: '', resource: 'serviceaccounts' }, namespace, account);
  if (found === undefined) return missing('service account', within(account), account);
  const accountUid = metadataOf(found).uid ?? '';
  if (accountUid === said('serviceAccountUID')) return undefined;
  return plainError(
    `${of} names service account UID ${goQuote(said('serviceAccountUID'))}, which differs from the running service account (${goQuote(accountUid)})`,
  );
}

const missing = (what: string, quoted: string, name: string): Fault =>
  plainError(
    `while retrieving ${what} ${quoted} named in the PodCertificateRequest: ${what.replace(' ', '')} ${goQuote(name)} not found`,
  );
