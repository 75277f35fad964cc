import { asList, asObject, asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { ClusterView } from '../../../machinery/meta/cluster-view.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import type { AuthorizationDecision, AuthorizeNow, ResourceQuestion } from '../authorizer.ts';
import { readRules, ruleAllows } from '../rbac/policy-rule.ts';
import { nodeNameOf } from '../user.ts';
import { claimNamesOfPod, configMapsOf, secretsOf } from './pod-references.ts';

const allowed: AuthorizationDecision = { allowed: true, reason: '' };
const no = (reason: string): AuthorizationDecision => ({ allowed: false, reason });

/** A question of one node, with its relation to the object. */
interface NodeQuestion extends ResourceQuestion {
  readonly node: string;
  readonly isRelated: () => boolean;
  readonly options: NodeOptions;
}

export interface NodeOptions {
  /** The minor release: 37 for 1.37. */
  readonly minor: number;
  readonly hasCertificateRequests: () => boolean;
}

/**
 * `roles` are the bootstrap roles. Kubelets may read what their Pods use and write their own objects; other users get
 * no opinion. Follows kubernetes plugin/pkg/auth/authorizer/node/node_authorizer.go.
 */
export function createNodeAuthorizer(
  view: ClusterView,
  roles: readonly KubernetesObject[],
  options: NodeOptions,
): AuthorizeNow {
  const isRelated = relationsIn(view);
  const role = roles.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata?.name === 'system:node');
  const rules = readRules(role?.['rules']);
  return (question) => {
    const node = nodeNameOf(question.user);
    if (node === undefined) return no('');
    if (node === '') return no(`unknown node for user ${goQuote(question.user.username)}`);
    if (question.type === 'resource') {
      const { group, resource, namespace, name } = question;
      const decide = decisions[`${group}/${resource}`];
      const nodeQuestion = { ...question, node, isRelated: () => isRelated(node, resource, namespace, name), options };
      if (decide !== undefined) return decide(nodeQuestion);
    }
    return rules.some((rule) => ruleAllows(rule, question)) ? allowed : no('');
  };
}

type Decide = (question: NodeQuestion) => AuthorizationDecision;

const related: Decide = ({ node, name, isRelated }) => {
  if (name === '') return no('No Object name found');
  return isRelated() ? allowed : no(`no relationship found between node '${node}' and this object`);
};

const readOne: Decide = (question) => {
  const { verb, subresource, namespace } = question;
  if (!['get', 'list', 'watch'].includes(verb)) return no('can only read resources of this type');
  if (subresource !== '') return no('cannot read subresource');
  return namespace === '' ? no('can only read namespaced object of this type') : related(question);
};

const getOne: Decide = (question) => {
  if (question.verb !== 'get') return no('can only get individual resources of this type');
  return question.subresource === '' ? related(question) : no('cannot get subresource');
};

const claim: Decide = (question) => {
  if (question.subresource !== 'status') return getOne(question);
  return isChange(question.verb) ? related(question) : no('can only get/update/patch this type');
};

const isChange = (verb: string): boolean => verb === 'update' || verb === 'patch';

/** Feature gate KubeletServiceAccountTokenForCredentialProviders. */
const readsAccounts = 34;

const account: Decide = (question) => {
  const { verb, name, subresource, options } = question;
  if (verb === 'get' && subresource === '' && options.minor >= readsAccounts) return readOne(question);
  if (verb !== 'create' || name === '') return no('can only create tokens for individual service accounts');
  return subresource === 'token' ? related(question) : no('can only create token subresource of serviceaccount');
};

const slice: Decide = (question) => {
  const { verb, subresource, node } = question;
  if (subresource !== '') return no('cannot authorize ResourceSlice subresources');
  if (verb === 'create') return allowed;
  if (isChange(verb) || verb === 'get' || verb === 'delete') return related(question);
  if (['watch', 'list', 'deletecollection'].includes(verb)) {
    if (selects(question, `spec.nodeName=${node}`)) return allowed;
    return no('can only list/watch/deletecollection resourceslices with nodeName field selector');
  }
  return no(
    'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
  );
};

const certificateRequest: Decide = (question) => {
  const { verb, subresource, node, options } = question;
  if (!options.hasCertificateRequests()) return no('');
  if (subresource !== '') return no('nodes may not access the status subresource of PodCertificateRequests');
  if (verb === 'create') return allowed;
  if (verb === 'get') return related(question);
  if (verb !== 'list' && verb !== 'watch') return no(`nodes may not ${verb} podcertificaterequests`);
  if (selects(question, `spec.nodeName=${node}`)) return allowed;
  return no('can only list/watch podcertificaterequests with nodeName field selector');
};

const selects = ({ fieldSelector }: ResourceQuestion, requirement: string): boolean =>
  fieldSelector?.split(',').some((one) => one.replace('==', '=') === requirement) === true;

const ownVerbs = ['get', 'create', 'update', 'patch', 'delete'];

const lease: Decide = ({ verb, namespace, name, node }) => {
  if (!ownVerbs.includes(verb)) return no('can only get, create, update, patch, or delete a node lease');
  if (namespace !== 'kube-node-lease') return no('can only access leases in the "kube-node-lease" system namespace');
  const isOwn = verb === 'create' || name === node;
  return isOwn ? allowed : no('can only access node lease with the same name as the requesting node');
};

const csiNode: Decide = ({ verb, subresource, name, node, options }) => {
  if (subresource === 'status' && options.minor >= 37)
    return no('CSINode status access requires CSIVolumeHealth feature');
  if (!ownVerbs.includes(verb)) return no('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return no('cannot authorize CSINode subresources');
  const isOwn = verb === 'create' || name === node;
  return isOwn ? allowed : no('can only access CSINode with the same name as the requesting node');
};

const ownNode: Decide = ({ verb, subresource, name, node }) => {
  if (isChange(verb)) return subresource === '' || subresource === 'status' ? allowed : no('');
  if (subresource !== '') return no('');
  if (verb === 'create') return allowed;
  if (!['get', 'list', 'watch'].includes(verb)) return no('');
  if (name === '') return no(`node '${node}' cannot read all nodes, only its own Node object`);
  return name === node ? allowed : no(`node '${node}' cannot read '${name}', only its own Node object`);
};

const pod: Decide = (question) => {
  const { verb, subresource } = question;
  if (subresource === 'status') return isChange(verb) ? allowed : no('');
  if (subresource === 'eviction') return verb === 'create' ? allowed : no('');
  if (subresource !== '') return no('');
  if (verb === 'create' || verb === 'delete') return allowed;
  if (verb === 'get') return related(question);
  return verb === 'list' || verb === 'watch' ? podList(question) : no('');
};

const podList: Decide = (question) => {
  if (selects(question, `spec.nodeName=${question.node}`)) return allowed;
  if (question.name !== '') return related(question);
  return no('can only list/watch pods with spec.nodeName field selector');
};

const decisions: Readonly<Record<string, Decide>> = {
  '/secrets': readOne,
  '/configmaps': readOne,
  '/persistentvolumeclaims': claim,
  '/persistentvolumes': getOne,
  'resource.k8s.io/resourceclaims': getOne,
  'storage.k8s.io/volumeattachments': getOne,
  '/serviceaccounts': account,
  'coordination.k8s.io/leases': lease,
  'storage.k8s.io/csinodes': csiNode,
  'resource.k8s.io/resourceslices': slice,
  'certificates.k8s.io/podcertificaterequests': certificateRequest,
  '/nodes': ownNode,
  '/pods': pod,
};

/** Whether the node uses the object. */
type IsRelated = (node: string, resource: string, namespace: string, name: string) => boolean;

const pods = { group: '', resource: 'pods' };

/** Nodes are related to what their Pods use. Follows kubernetes plugin/pkg/auth/authorizer/node/graph.go. */
function relationsIn(view: ClusterView): IsRelated {
  const usedBy = (node: string, namespace: string, uses: (pod: KubernetesObject) => boolean): boolean =>
    view.list(pods, namespace).some((pod) => valueAt(pod, 'spec', 'nodeName') === node && !isMirror(pod) && uses(pod));
  const usesVolume = (node: string, volume: KubernetesObject | undefined): boolean => {
    const claim = asObject(valueAt(volume, 'spec', 'claimRef'));
    const name = asString(claim['name']);
    return name !== '' && usedBy(node, asString(claim['namespace']), (pod) => claims(pod).includes(name));
  };
  return (node, resource, namespace, name) => {
    if (resource === 'pods') return valueAt(view.get(pods, namespace, name), 'spec', 'nodeName') === node;
    const group = ofNode[resource];
    if (group !== undefined) {
      const isSpaced = resource === 'podcertificaterequests';
      return valueAt(view.get({ group, resource }, isSpaced ? namespace : '', name), 'spec', 'nodeName') === node;
    }
    if (resource === 'persistentvolumes') return usesVolume(node, view.get(volumes, '', name));
    const namesIn = named[resource];
    if (namesIn !== undefined && usedBy(node, namespace, (pod) => namesIn(pod).includes(name))) return true;
    if (resource !== 'secrets') return false;
    return view.list(volumes).some((volume) => volumeNamesSecret(volume, namespace, name) && usesVolume(node, volume));
  };
}

const volumes = { group: '', resource: 'persistentvolumes' };

/** Groups of the kinds whose spec names their node. */
const ofNode: Readonly<Record<string, string>> = {
  volumeattachments: 'storage.k8s.io',
  resourceslices: 'resource.k8s.io',
  podcertificaterequests: 'certificates.k8s.io',
};

const isMirror = (pod: KubernetesObject): boolean =>
  metadataOf(pod).annotations?.['kubernetes.io/config.mirror'] !== undefined;

const specOf = (pod: KubernetesObject): JsonObject => asObject(pod['spec']);
const claims = (pod: KubernetesObject): readonly string[] => claimNamesOfPod(specOf(pod), metadataOf(pod).name ?? '');

/** The names of each resource in a Pod. */
const named: Readonly<Record<string, (pod: KubernetesObject) => readonly string[]>> = {
  secrets: (pod) => secretsOf(specOf(pod)),
  configmaps: (pod) => configMapsOf(specOf(pod)),
  persistentvolumeclaims: claims,
  serviceaccounts: (pod) => [asString(specOf(pod)['serviceAccountName'])],
  resourceclaims: (pod) => [
    ...[...asList(specOf(pod)['resourceClaims']), ...asList(valueAt(pod, 'status', 'resourceClaimStatuses'))].map(
      (one) => asString(asObject(one)['resourceClaimName']),
    ),
    asString(valueAt(pod, 'status', 'extendedResourceClaimStatus', 'resourceClaimName')),
  ],
};

/** Volume sources whose secret defaults to the namespace of the claim. */
const sources = ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi'];
const alwaysReported = ['cinder', 'storageos'];
/** CSI secrets for kubelets; the others are for controllers. */
const ofKubelets = ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];

/** Follows kubernetes pkg/api/v1/persistentvolume/util.go VisitPVSecretNames. */
function volumeNamesSecret({ spec: own }: KubernetesObject, namespace: string, name: string): boolean {
  const spec = asObject(own);
  const claimed = asString(valueAt(spec, 'claimRef', 'namespace'));
  const isIt = (secret: JsonObject, elsewhere = ''): boolean =>
    secret['name'] === name && (asString(secret['namespace']) || elsewhere) === namespace;
  const { secretName, secretNamespace } = asObject(spec['azureFile']);
  return (
    isIt({ name: secretName, namespace: secretNamespace }, claimed) ||
    sources.some((source) => isIt(secretOf(spec, source, 'secretRef'), claimed)) ||
    alwaysReported.some((source) => isIt(secretOf(spec, source, 'secretRef'))) ||
    ofKubelets.some((field) => isIt(secretOf(spec, 'csi', field)))
  );
}

const secretOf = (spec: JsonObject, source: string, field: string): JsonObject =>
  asObject(asObject(spec[source])[field]);
