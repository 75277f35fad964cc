import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import type { UserInfo } from '../../../../src/apiserver/auth/user.ts';
import { createTestWorld, type TestWorld } from '../../../harness/world.ts';

const api = '/apis/admissionregistration.k8s.io/v1';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const ada: UserInfo = { username: 'ada', uid: 'u1', groups: ['devs', 'system:authenticated'], extra: { k: ['v'] } };
const printed = '&{ada u1 [devs system:authenticated] map[k:[v]]}';

/** ada may write everything in admissionregistration.k8s.io, and read what the rules say. */
async function worldOf(...rules: readonly JsonObject[]): Promise<TestWorld> {
  const world = await createTestWorld();
  const all = { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['*'] };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ada' }];
  await world.send('POST', `${rbac}/clusterroles`, { metadata: { name: 'r' }, rules: [all, ...rules] });
  await world.send('POST', `${rbac}/clusterrolebindings`, { metadata: { name: 'r' }, roleRef, subjects });
  return world;
}

type Kind = 'validating' | 'mutating';

const configMaps = { apiVersion: 'v1', kind: 'ConfigMap' };

function policy(kind: Kind, paramKind: JsonObject | undefined): JsonObject {
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];
  const applyConfiguration = { expression: 'Object{}' };
  const what =
    kind === 'validating'
      ? { validations: [{ expression: 'true' }] }
      : { reinvocationPolicy: 'Never', mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration }] };
  return {
    metadata: { name: 'p' },
    spec: { ...(paramKind && { paramKind }), matchConstraints: { resourceRules }, ...what },
  };
}

function binding(kind: Kind, paramRef: JsonObject | undefined): JsonObject {
  const actions = kind === 'validating' ? { validationActions: ['Deny'] } : {};
  const reference = paramRef && { paramRef: { parameterNotFoundAction: 'Deny', ...paramRef } };
  return { metadata: { name: 'b' }, spec: { policyName: 'p', ...reference, ...actions } };
}

const mayRead = (verb: string): JsonObject => ({ apiGroups: [''], resources: ['configmaps'], verbs: [verb] });
const mayReadAll: JsonObject = { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] };

const kindDenied = (kind: string): string =>
  `user ${printed} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=v1)`;

type PolicyRow = readonly [
  sentence: string,
  rules: readonly JsonObject[],
  paramKind: JsonObject | undefined,
  detail: string,
];

// Source: kubernetes pkg/registry/admissionregistration/*/authz.go; rule CFG-83.
const policyRows: readonly PolicyRow[] = [
  ['without params needs no more', [], undefined, ''],
  ['needs get on its params', [mayRead('get')], configMaps, ''],
  ['is not content with list', [mayRead('list')], configMaps, kindDenied('ConfigMap')],
  ['is not content with one name', [{ ...mayRead('get'), resourceNames: ['c'] }], configMaps, kindDenied('ConfigMap')],
  ['of an unknown kind needs all of the group', [mayRead('get')], { apiVersion: 'v1', kind: 'No' }, kindDenied('No')],
  ['of an unknown kind is content with all', [mayReadAll], { apiVersion: 'v1', kind: 'No' }, ''],
];

/** The code and the error, without the sentence that names the object. */
const refusal = (code: number, message: string): string => `${code} ${message.replace(/^.* is invalid: /u, '')}`.trim();

const kinds: readonly Kind[] = ['validating', 'mutating'];

test.each(kinds.flatMap((kind) => policyRows.map((row) => [kind, ...row] as const)))(
  'a %s policy %s',
  async (kind, ...[, rules, paramKind, detail]) => {
    const world = await worldOf(...rules);
    const { code, message } = await world.send('POST', `${api}/${kind}admissionpolicies`, policy(kind, paramKind), {
      as: ada,
    });
    expect(refusal(code, message)).toBe(detail === '' ? '201' : `422 spec.paramKind: Forbidden: ${detail}`);
  },
);

test('a policy is asked again only when its paramKind changes', async () => {
  const world = await worldOf();
  await world.send('POST', `${api}/validatingadmissionpolicies`, policy('validating', configMaps));
  const patch = async (spec: JsonObject): Promise<string> => {
    const at = `${api}/validatingadmissionpolicies/p`;
    const { code, message } = await world.send(
      'PATCH',
      at,
      { spec },
      { as: ada, contentType: 'application/merge-patch+json' },
    );
    return `${code} ${message}`;
  };
  expect(await patch({ failurePolicy: 'Ignore' })).toBe('200 ');
  expect(await patch({ paramKind: { kind: 'Secret' } })).toContain(kindDenied('Secret'));
  expect(await patch({ paramKind: null })).toBe('200 ');
});

interface BindingRow {
  readonly rules?: readonly JsonObject[];
  readonly paramKind?: JsonObject | 'no policy';
  readonly paramRef?: JsonObject;
  /** Of a validating binding; none where it is allowed. */
  readonly detail?: string;
}

const byName = { name: 'c', namespace: 'n' };
const bySelector = { selector: {} };
const undetermined = (what: string, verb: string): string =>
  `unable to ${what} to determine minimum required permissions and user ${printed} does not have "${verb}" permission for all groups, versions and resources`;

const bindingRows: Readonly<Record<string, BindingRow>> = {
  'without paramRef needs no more': {},
  'needs get for a name': { paramRef: byName, rules: [mayRead('get')] },
  'may be allowed that name only': { paramRef: byName, rules: [{ ...mayRead('get'), resourceNames: ['c'] }] },
  'needs list for a selector': { paramRef: bySelector, rules: [mayRead('list')] },
  'is not content with get for a selector': {
    paramRef: bySelector,
    rules: [mayRead('get')],
    detail: `user ${printed} does not have "list" permission on the object referenced by paramRef`,
  },
  'of no policy needs everything': {
    paramRef: byName,
    paramKind: 'no policy',
    rules: [mayRead('get')],
    detail: undetermined('get policy p', 'get'),
  },
  'of no policy is content with everything': { paramRef: byName, paramKind: 'no policy', rules: [mayReadAll] },
  'of an unknown kind needs the group': {
    paramRef: byName,
    paramKind: { apiVersion: 'v1', kind: 'No' },
    rules: [mayRead('get')],
    detail: undetermined('resolve paramKind &{v1 No}', 'get'),
  },
};

test.each(Object.entries(bindingRows))(
  'a binding %s',
  async (_sentence, { rules = [], paramKind, paramRef, detail }) => {
    const world = await worldOf(...rules);
    if (paramKind !== 'no policy') {
      await world.send('POST', `${api}/validatingadmissionpolicies`, policy('validating', paramKind ?? configMaps));
    }
    const sent = binding('validating', paramRef);
    const { code, message } = await world.send('POST', `${api}/validatingadmissionpolicybindings`, sent, { as: ada });
    expect(refusal(code, message)).toBe(detail === undefined ? '201' : `422 spec.paramRef: Forbidden: ${detail}`);
  },
);

test('a mutating binding is refused with verb and user in each other’s place', async () => {
  const world = await worldOf();
  await world.send('POST', `${api}/mutatingadmissionpolicies`, policy('mutating', configMaps));
  const sent = binding('mutating', byName);
  const { message } = await world.send('POST', `${api}/mutatingadmissionpolicybindings`, sent, { as: ada });
  expect(message).toContain(`user get does not have "${printed}" permission on the object referenced by paramRef`);
});

test('a binding is asked again whatever changes, and system:masters never', async () => {
  const world = await worldOf();
  await world.send('POST', `${api}/validatingadmissionpolicies`, policy('validating', configMaps));
  const at = `${api}/validatingadmissionpolicybindings`;
  const masters = await world.send('POST', at, binding('validating', byName));
  const patch = { metadata: { labels: { a: 'b' } } };
  const again = await world.send('PATCH', `${at}/b`, patch, { as: ada, contentType: 'application/merge-patch+json' });
  expect([masters.code, again.code]).toEqual([201, 422]);
});
