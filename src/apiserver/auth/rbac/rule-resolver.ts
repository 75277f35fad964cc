import { aggregateText } from '../../../machinery/errors.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import type { ClusterView } from '../../../machinery/meta/cluster-view.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { notFound, plainError, type Status } from '../../../machinery/meta/status.ts';
import { readOnce } from '../../../machinery/once.ts';
import type { Authorize } from '../authorizer.ts';
import type { UserInfo } from '../user.ts';
import { aggregatedRules } from './aggregate.ts';
import { type PolicyRule, readRules, ruleAllows } from './policy-rule.ts';

const mastersGroup = 'system:masters';

/**
 * Members of system:masters may do everything. A denial names bindings without their role. Follows
 * plugin/pkg/auth/authorizer/rbac/rbac.go and apiserver pkg/authorization/authorizerfactory/builtin.go.
 */
export const createRbacAuthorizer =
  (resolver: RuleResolver): Authorize =>
  (question) => {
    if (question.user.groups.includes(mastersGroup)) return { allowed: true, reason: '' };
    const grants = resolver.grants(question.user, question.type === 'resource' ? question.namespace : '');
    const grant = grants.find(({ role }) => rulesIn(role).some((rule) => ruleAllows(rule, question)));
    if (grant) return { allowed: true, reason: `RBAC: allowed by ${grant.source()}` };
    const errors = resolutionErrors(grants.map(({ role }) => role));
    return { allowed: false, reason: errors === '' ? '' : `RBAC: ${errors}` };
  };

/** Follows apiserver pkg/authorization/authorizerfactory/builtin.go. */
export const alwaysAllow: Authorize = () => ({ allowed: true, reason: '' });

export const denyAll: Authorize = () => ({ allowed: false, reason: 'Everything is forbidden.' });

/** Follows kubernetes pkg/kubeapiserver/authorizer/config.go. */
export const allowMasters: Authorize = ({ user }) => ({ allowed: user.groups.includes(mastersGroup), reason: '' });

const rulesIn = (role: RoleRules): readonly PolicyRule[] => (role.outcome === 'found' ? role.rules : []);

export function resolutionErrors(roles: readonly RoleRules[]): string {
  return aggregateText(roles.flatMap((role) => (role.outcome === 'missing' ? [role.status.message ?? ''] : [])));
}

interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

type RoleRules =
  | { readonly outcome: 'found'; readonly rules: readonly PolicyRule[] }
  | { readonly outcome: 'missing'; readonly status: Status };

/** One binding that applies to a user. */
interface Grant {
  /** `ClusterRoleBinding "b" of ClusterRole "r" to User "u"`. */
  readonly source: () => string;
  readonly role: RoleRules;
}

/** Resolves roles and bindings; parsed rules are kept with their objects. */
export interface RuleResolver {
  /** Cluster-wide ones first, then by name. */
  readonly grants: (user: UserInfo, namespace: string) => readonly Grant[];
  /** `namespace` is the binding's; '' for a ClusterRoleBinding. */
  readonly rulesOf: (role: RoleRef, namespace: string) => RoleRules;
}

const rbac = 'rbac.authorization.k8s.io';

/** Follows pkg/registry/rbac/validation/rule.go. */
export function createRuleResolver(view: ClusterView): RuleResolver {
  // By stored object: a create of a user whom RBAC authorizes takes a quarter longer without these three.
  const bindings = new WeakMap<KubernetesObject, Binding>();
  const rulesIn = createRoleReader(view);

  const bindingOf = (object: KubernetesObject): Binding => {
    const binding = bindings.get(object) ?? readBinding(object);
    bindings.set(object, binding);
    return binding;
  };
  const rulesOf = ({ kind, name }: RoleRef, namespace: string): RoleRules => {
    if (kind !== 'Role' && kind !== 'ClusterRole') return unsupported(kind);
    const resource = kind === 'Role' ? 'roles' : 'clusterroles';
    const role = view.get({ group: rbac, resource }, kind === 'Role' ? namespace : '', name);
    if (role) return { outcome: 'found', rules: rulesIn(role) };
    if (kind === 'ClusterRole' && name === wellKnownName) return wellKnownRules;
    // Informers name the kind here, not the resource.
    return { outcome: 'missing', status: notFound({ group: rbac, resource: kind.toLowerCase() }, name) };
  };
  const applying = (objects: readonly KubernetesObject[], user: UserInfo, namespace: string): readonly Grant[] => {
    const grants: Grant[] = [];
    for (const object of objects) {
      const binding = bindingOf(object);
      const subject = binding.subjects.find((one) => appliesTo(one, user, namespace));
      if (subject) grants.push({ source: () => sourceText(binding, subject), role: rulesOf(binding.role, namespace) });
    }
    return grants;
  };
  return {
    rulesOf,
    grants: (user, namespace) => {
      const clusterWide = applying(
        withWellKnown(view.list({ group: rbac, resource: 'clusterrolebindings' })),
        user,
        '',
      );
      return namespace === ''
        ? clusterWide
        : [
            ...clusterWide,
            ...applying(view.list({ group: rbac, resource: 'rolebindings' }, namespace), user, namespace),
          ];
    },
  };
}

const wellKnownName = 'system:openshift:public-info-viewer';

/**
 * The recorded server has an unlisted role for `/.well-known`: used in decisions and rules reviews, never stored.
 * Follows test/facts auth-reviews.
 */
const wellKnownRole: KubernetesObject = {
  kind: 'ClusterRole',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  metadata: { name: wellKnownName },
  rules: [{ verbs: ['get'], nonResourceURLs: ['/.well-known', '/.well-known/*'] }],
};

const allUsers = ['system:authenticated', 'system:unauthenticated'];

const wellKnownBinding: KubernetesObject = {
  kind: 'ClusterRoleBinding',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  metadata: { name: wellKnownName },
  subjects: allUsers.map((group) => ({ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: group })),
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: wellKnownName },
};

const wellKnownRules: RoleRules = { outcome: 'found', rules: readRules(wellKnownRole['rules']) };

function withWellKnown(bindings: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const after = bindings.findIndex((binding) => (metadataOf(binding).name ?? '') >= wellKnownName);
  const at = after < 0 ? bindings.length : after;
  return [...bindings.slice(0, at), wellKnownBinding, ...bindings.slice(at)];
}

const unsupported = (kind: string): RoleRules => ({
  outcome: 'missing',
  status: plainError(`unsupported role reference kind: ${goQuote(kind)}`),
});

interface Binding {
  readonly namespace: string;
  readonly name: string;
  readonly role: RoleRef;
  readonly subjects: readonly Subject[];
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

function readBinding(object: KubernetesObject): Binding {
  const { name = '', namespace = '' } = metadataOf(object);
  const { kind, name: roleName } = asObject(object['roleRef']);
  const subjects = asList(object['subjects']).map(asObject);
  return {
    namespace,
    name,
    role: { kind: asString(kind), name: asString(roleName) },
    subjects: subjects.map((subject) => ({
      kind: asString(subject['kind']),
      name: asString(subject['name']),
      namespace: asString(subject['namespace']),
    })),
  };
}

function appliesTo(subject: Subject, user: UserInfo, bindingNamespace: string): boolean {
  if (subject.kind === 'User') return user.username === subject.name;
  if (subject.kind === 'Group') return user.groups.includes(subject.name);
  const namespace = subject.namespace || bindingNamespace;
  if (subject.kind !== 'ServiceAccount' || namespace === '') return false;
  return user.username === `system:serviceaccount:${namespace}:${subject.name}`;
}

function sourceText(binding: Binding, subject: Subject): string {
  const { namespace, name, role } = binding;
  const subjectName =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  const what =
    namespace === '' ? `ClusterRoleBinding ${goQuote(name)}` : `RoleBinding ${goQuote(`${name}/${namespace}`)}`;
  return `${what} of ${role.kind} ${goQuote(role.name)} to ${subject.kind} ${goQuote(subjectName)}`;
}

/** Reads rules once, those of an aggregating role again after any ClusterRole changed. */
function createRoleReader(view: ClusterView): (role: KubernetesObject) => readonly PolicyRule[] {
  const read = readOnce((rules: readonly JsonValue[]) => readRules(rules));
  return (role) =>
    read(
      role['aggregationRule'] === undefined
        ? asList(role['rules'])
        : aggregatedRules(role, view.list({ group: rbac, resource: 'clusterroles' })),
    );
}
