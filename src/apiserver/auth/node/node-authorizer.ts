import { asList, asObject, asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { ClusterView } from '../../../machinery/meta/cluster-view.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import type { AuthorizationDecision, Authorize, ResourceQuestion } from '../authorizer.ts';
import { readRules, ruleAllows } from '../rbac/policy-rule.ts';
import { nodeNameOf } from '../user.ts';
import { claimNamesOfPod, configMapsOf, secretsOf } from './pod-references.ts';

const allowed: AuthorizationDecision = { allowed: true, reason: '' };
const deny = (reason: string): AuthorizationDecision => ({ allowed: false, reason });

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
): Authorize {
  const isRelated = createRelations(view);
  const role = roles.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata?.name === 'system:node');
  const rules = readRules(role?.['rules']);
  return (question) => {
    const node = nodeNameOf(question.user);
    if (node === undefined) return deny('');
    if (node === '') return deny(`unknown node for user ${goQuote(question.user.username)}`);
    if (question.type === 'resource') {
      const { group, resource, namespace, name } = question;
      const decide = deciders[`${group}/${resource}`];
      const nodeQuestion = { ...question, node, isRelated: () => isRelated(node, resource, namespace, name), options };
      if (decide !== undefined) return decide(nodeQuestion);
    }
    return rules.some((rule) => ruleAllows(rule, question)) ? allowed : deny('');
  };
}

type Decide = (question: NodeQuestion) => AuthorizationDecision;

const decideRelated: Decide = ({ node, name, isRelated }) => {
  if (name === '') return deny('No Object name found');
  return isRelated() ? allowed : deny(`no relationship found between node '${node}' and this object`);
};

const decideRead: Decide = (question) => {
  const { verb, subresource, namespace } = question;
  if (!['get', 'list', 'watch'].includes(verb)) return deny('can only read resources of this type');
  if (subresource !== '') return deny('cannot read subresource');
  return namespace === '' ? deny('can only read namespaced object of this type') : decideRelated(question);
};

const decideGet: Decide = (question) => {
  if (question.verb !== 'get') return deny('can only get individual resources of this type');
  return question.subresource === '' ? decideRelated(question) : deny('cannot get subresource');
};

const decideClaim: Decide = (question) => {
  if (question.subresource !== 'status') return decideGet(question);
  return isChange(question.verb) ? decideRelated(question) : deny('can only get/update/patch this type');
};

const isChange = (verb: string): boolean => verb === 'update' || verb === 'patch';

/** Feature gate KubeletServiceAccountTokenForCredentialProviders. */
const readsAccounts = 34;

const decideAccount: Decide = (question) => {
  const { verb, name, subresource, options } = question;
  if (verb === 'get' && subresource === '' && options.minor >= readsAccounts) return decideRead(question);
  if (verb !== 'create' || name === '') return deny('can only create tokens for individual service accounts');
  return subresource === 'token'
    ? decideRelated(question)
    : deny('can only create token subresource of serviceaccount');
};

const decideSlice: Decide = (question) => {
  const { verb, subresource, node } = question;
  if (subresource !== '') return deny('cannot authorize ResourceSlice subresources');
  if (verb === 'create') return allowed;
  if (isChange(verb) || verb === 'get' || verb === 'delete') return decideRelated(question);
  if (['watch', 'list', 'deletecollection'].includes(verb)) {
    if (selects(question, `spec.nodeName=${node}`)) return allowed;
    return deny('can only list/watch/deletecollection resourceslices with nodeName field selector');
  }
  return deny(
    'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
  );
};

const decideCertificateRequest: Decide = (question) => {
  const { verb, subresource, node, options } = question;
  if (!options.hasCertificateRequests()) return deny('');
  if (subresource !== '') return deny('nodes may not access the status subresource of PodCertificateRequests');
  if (verb === 'create') return allowed;
  if (verb === 'get') return decideRelated(question);
  if (verb !== 'list' && verb !== 'watch') return deny(`nodes may not ${verb} podcertificaterequests`);
  if (selects(question, `spec.nodeName=${node}`)) return allowed;
  return deny('can only list/watch podcertificaterequests with nodeName field selector');
};

const selects = ({ fieldSelector }: ResourceQuestion, requirement: string): boolean =>
  fieldSelector?.split(',').some((one) => one.replace('==', '=') === requirement) === true;

const ownVerbs = ['get', 'create', 'update', 'patch', 'delete'];

const decideLease: Decide = ({ verb, namespace, name, node }) => {
  if (!ownVerbs.includes(verb)) return deny('can only get, create, update, patch, or delete a node lease');
  if (namespace !== 'kube-node-lease') return deny('can only access leases in the "kube-node-lease" system namespace');
  const isOwn = verb === 'create' || name === node;
  return isOwn ? allowed : deny('can only access node lease with the same name as the requesting node');
};

const decideCsiNode: Decide = ({ verb, subresource, name, node, options }) => {
  if (subresource === 'status' && options.minor >= 37)
    return deny('CSINode status access requires CSIVolumeHealth feature');
  if (!ownVerbs.includes(verb)) return deny('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return deny('cannot authorize CSINode subresources');
  const isOwn = verb === 'create' || name === node;
  return isOwn ? allowed : deny('can only access CSINode with the same name as the requesting node');
};

const decideNode: Decide = ({ verb, subresource, name, node }) => {
  if (isChange(verb)) return subresource === '' || subresource === 'status' ? allowed : deny('');
  if (subresource !== '') return deny('');
  if (verb === 'create') return allowed;
  if (!['get', 'list', 'watch'].includes(verb)) return deny('');
  if (name === '') return deny(`node '${node}' cannot read all nodes, only its own Node object`);
  return name === node ? allowed : deny(`node '${node}' cannot read '${name}', only its own Node object`);
};

const decidePod: Decide = (question) => {
  const { verb, subresource } = question;
  if (subresource === 'status') return isChange(verb) ? allowed : deny('');
  if (subresource === 'eviction') return verb === 'create' ? allowed : deny('');
  if (subresource !== '') return deny('');
  if (verb === 'create' || verb === 'delete') return allowed;
  if (verb === 'get') return decideRelated(question);
  return verb === 'list' || verb === 'watch' ? decidePodList(question) : deny('');
};

const decidePodList: Decide = (question) => {
  if (selects(question, `spec.nodeName=${question.node}`)) return allowed;
  if (question.name !== '') return decideRelated(question);
  return deny('can only list/watch pods with spec.nodeName field selector');
};

const deciders: Readonly<Record<string, Decide>> = {
  '/secrets': decideRead,
  '/configmaps': decideRead,
  '/persistentvolumeclaims': decideClaim,
  '/persistentvolumes': decideGet,
  'resource.k8s.io/resourceclaims': decideGet,
  'storage.k8s.io/volumeattachments': decideGet,
  '/serviceaccounts': decideAccount,
  'coordination.k8s.io/leases': decideLease,
  'storage.k8s.io/csinodes': decideCsiNode,
  'resource.k8s.io/resourceslices': decideSlice,
  'certificates.k8s.io/podcertificaterequests': decideCertificateRequest,
  '/nodes': decideNode,
  '/pods': decidePod,
};

/** Whether the node uses the object. */
type IsRelated = (node: string, resource: string, namespace: string, name: string) => boolean;

const pods = { group: '', resource: 'pods' };

/** Nodes are related to what their Pods use. Follows kubernetes plugin/pkg/auth/authorizer/node/graph.go. */
function createRelations(view: ClusterView): IsRelated {
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
