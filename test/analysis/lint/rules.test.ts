import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { type LintRule, lintRules } from '../../../src/analysis/lint/finding.ts';
import { configuration } from '../../harness/scenario.ts';
import { lintJson, lintText, applyFindingPatch } from '../../harness/lint-text.ts';
import { definitionOf } from '../../harness/custom-definition.ts';

const rule = (resource: string, change: JsonObject = {}): JsonObject => ({
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: [resource],
  ...change,
});
const rules = (resource: string, change: JsonObject = {}): JsonObject => ({ rules: [rule(resource, change)] });
const service = (namespace: string, name = 'hooks'): JsonObject => ({ clientConfig: { service: { namespace, name } } });
const hook = (change: JsonObject): JsonObject => ({ name: 'a.example.com', ...rules('configmaps'), ...change });
const things = definitionOf('things.example.com', 'Thing', {});
const gate = (...hooks: readonly JsonObject[]): JsonObject => configuration('Validating', 'gate', hooks);
const mutator = (name: string, ...hooks: readonly JsonObject[]): JsonObject => configuration('Mutating', name, hooks);
const reviews: JsonObject = { apiGroups: ['authentication.k8s.io'], operations: ['CREATE'] };
const any = { apiGroups: ['*'], apiVersions: ['*'] };
const selecting = (field: string, ...matchExpressions: readonly JsonObject[]): JsonObject => ({
  [field]: { matchExpressions },
});
const condition = (expression: string): JsonObject => ({ matchConditions: [{ name: 'c', expression }] });
const namespace = (name: string, labels: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
});

const labels = { app: 'hooks' };
const backend = (podLabels: JsonObject = labels, port = 443): readonly JsonObject[] => [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'hooks', namespace: 'sys' },
    spec: { selector: labels, ports: [{ port }] },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'hooks', namespace: 'sys' },
    spec: {
      selector: { matchLabels: podLabels },
      template: { metadata: { labels: podLabels }, spec: { containers: [{ name: 'app', image: 'i' }] } },
    },
  },
];

const open3: JsonObject = { failurePolicy: 'Ignore', timeoutSeconds: 3 };

/** A NetworkPolicy for the Pods of the backend. */
const isolation = (spec: JsonObject): JsonObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'closed', namespace: 'sys' },
  spec: { podSelector: { matchLabels: labels }, ...spec },
});

const policy = (spec: JsonObject, name = 'p'): JsonObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: { matchConstraints: { resourceRules: [rule('pods')] }, validations: [{ expression: 'true' }], ...spec },
});
const binding = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'b' },
  spec: { policyName: 'p', validationActions: ['Deny'], ...spec },
});
const definition = definitionOf('things.example.com', 'Thing', {}, { name: 'v2', storage: false });
const notIn = (key: string, ...values: readonly string[]): JsonObject => ({ key, operator: 'NotIn', values });

/** One fault each: the rule, its severity, and what it says. */
const faults: readonly [
  rule: LintRule,
  fact: string,
  objects: readonly JsonObject[],
  severity: string,
  says: RegExp,
][] = [
  [
    'guards-itself',
    'Pods of its own namespace (cloud-api-adaptor#305)',
    [gate(hook({ ...service('sys'), ...rules('pods') }))],
    'error',
    /a\.example\.com matches writes that its own backend sys\/hooks needs: create a Pod in sys/,
  ],
  [
    'guards-itself',
    'bindings: no Pod gets a node (slurm-operator#189)',
    [gate(hook({ ...service('sys'), ...rules('pods/binding', { operations: ['CREATE'] }) }))],
    'error',
    /bind a Pod to a Node in sys/,
  ],
  [
    'guards-itself',
    'a Namespace outside the manifests may have the label',
    [
      gate(
        hook({ ...service('sys'), ...rules('pods'), ...selecting('namespaceSelector', notIn('control-plane', 'x')) }),
      ),
    ],
    'note',
    /unless its namespace has the label control-plane=x/,
  ],
  [
    'guards-itself',
    'its own Service alone',
    [gate(hook({ ...service('sys'), ...rules('services') }))],
    'warning',
    /matches the objects of its own backend sys\/hooks: create its Service in sys, change its Service in sys/,
  ],
  [
    'guards-itself',
    'its own Namespace alone',
    [gate(hook({ ...service('sys'), ...rules('namespaces') }))],
    'warning',
    /its own backend sys\/hooks: create its Namespace(,|$)/,
  ],
  [
    'guards-itself',
    'its own Namespace, if that lacks the label',
    [gate(hook({ ...service('sys'), ...rules('namespaces'), ...selecting('namespaceSelector', notIn('x', 'y')) }))],
    'note',
    /unless its namespace has the label x=y/,
  ],
  [
    'guards-each-other',
    'two that guard each other (uds-core#1509)',
    [
      gate(
        {
          ...hook({
            ...service('one'),
            ...rules('pods'),
            ...selecting('namespaceSelector', { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['two'] }),
          }),
        },
        {
          ...hook({
            ...service('two'),
            ...rules('pods'),
            ...selecting('namespaceSelector', { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['one'] }),
          }),
          name: 'b.example.com',
        },
      ),
    ],
    'error',
    /one\/hooks and two\/hooks depend on each other/,
  ],
  ['guards-nodes', 'nodes (kyverno#16177)', [gate(hook(rules('nodes')))], 'error', /register a Node/],
  [
    'guards-nodes',
    'heartbeats',
    [gate(hook(rules('leases', { apiGroups: ['coordination.k8s.io'] })))],
    'error',
    /renew the Lease of a Node in kube-node-lease/,
  ],
  [
    'guards-kube-system',
    'Pods of the system (cozystack#3125)',
    [gate(hook(rules('pods')))],
    'warning',
    /matches kube-system: create a Pod in kube-system/,
  ],
  [
    'wildcard-fail',
    'every resource of every group',
    [gate(hook(rules('*', any)))],
    'warning',
    /matches every resource/,
  ],
  [
    'slow-leases',
    'fail-open, and 10 s for each renewal',
    [gate(hook({ ...rules('*', any), failurePolicy: 'Ignore' }))],
    'warning',
    /may delay each for 10 s/,
  ],
  [
    'slow-leases',
    '3 s, called twice, beside another one and 3 s validating (gatekeeper#2132)',
    [
      mutator('a', hook({ ...rules('*', any), ...open3, reinvocationPolicy: 'IfNeeded' })),
      mutator('b', hook({ ...rules('*', any), ...open3, name: 'b.example.com', timeoutSeconds: 2 })),
      gate(hook({ ...rules('*', any), ...open3 })),
    ],
    'warning',
    /3 webhooks match the renewal of Leases and may delay each for 11 s together/,
  ],
  [
    'refused',
    'a value that the field cannot have (config-side-effects-odd)',
    [gate(hook({ sideEffects: 'Maybe' }))],
    'error',
    /^webhooks\[0\]\.sideEffects: Unsupported value: "Maybe": supported values: "None", "NoneOnDryRun"$/,
  ],
  [
    'gone-version',
    'v1beta1',
    [{ ...gate(hook({})), apiVersion: 'admissionregistration.k8s.io/v1beta1' }],
    'error',
    /gone since Kubernetes 1\.22/,
  ],
  [
    'gone-version',
    'v1alpha1 is not served by default',
    [{ ...policy({}), apiVersion: 'admissionregistration.k8s.io/v1alpha1' }],
    'error',
    /^ValidatingAdmissionPolicy of admissionregistration.k8s.io is not served as v1alpha1, only as v1$/,
  ],
  [
    'review-versions',
    'v1beta1 alone (AWS)',
    [gate(hook({ admissionReviewVersions: ['v1beta1'] }))],
    'note',
    /supports only v1beta1/,
  ],
  [
    'dead-rule',
    'a kind in place of the resource',
    [gate(hook(rules('Pod')))],
    'error',
    /the core group has no resource Pod; did you mean pods\?/,
  ],
  ['dead-rule', 'a resource of another group', [gate(hook(rules('deployments')))], 'error', /it is in apps/],
  [
    'dead-rule',
    'a version that is gone',
    [gate(hook(rules('ingresses', { apiGroups: ['networking.k8s.io'], apiVersions: ['v1beta1'] })))],
    'error',
    /not served as v1beta1, only as v1/,
  ],
  [
    'dead-rule',
    'exec is no CREATE',
    [gate(hook(rules('pods/exec')))],
    'error',
    /pods\/exec does not support CREATE, UPDATE, only CONNECT/,
  ],
  [
    'dead-rule',
    'one of two resources',
    [gate(hook({ rules: [rule('pods', { resources: ['pods', 'pod'] })] }))],
    'warning',
    /part of this rule .* has no resource pod; /,
  ],
  [
    'dead-rule',
    'the kind of a definition that is there (cluster-api-provider-aws 2.13)',
    [things, gate(hook(rules('thing', { apiGroups: ['example.com'] })))],
    'warning',
    /example.com has no resource thing; did you mean things\?/,
  ],
  [
    'dead-rule',
    'a version that a definition does not serve (opentelemetry-operator 0.135)',
    [things, gate(hook(rules('things', { apiGroups: ['example.com'], apiVersions: ['v1beta1'] })))],
    'warning',
    /things is not served as v1beta1, only as v1/,
  ],
  [
    'dead-rule',
    'a resource whose definition may be elsewhere',
    [things, gate(hook(rules('others', { apiGroups: ['example.com'] })))],
    'note',
    /example.com has no resource others/,
  ],
  [
    'dead-rule',
    'a review, which no webhook sees since 1.37',
    [gate(hook(rules('tokenreviews', reviews)))],
    'error',
    /no request can match .* policies and, since 1.37, webhooks do not process reviews/,
  ],
  [
    'dead-rule',
    'a review beside another resource',
    [
      gate(
        hook({
          rules: [
            rule('', { ...reviews, apiGroups: ['', 'authentication.k8s.io'], resources: ['pods', 'tokenreviews'] }),
          ],
        }),
      ),
    ],
    'warning',
    /part of this rule .* do not process reviews/,
  ],
  [
    'dead-rule',
    'a review in a policy',
    [
      policy({
        matchConstraints: {
          resourceRules: [rule('subjectaccessreviews', { ...reviews, apiGroups: ['authorization.k8s.io'] })],
        },
      }),
    ],
    'error',
    /do not process reviews/,
  ],
  ['dead-rule', 'scope', [gate(hook(rules('pods', { scope: 'Cluster' })))], 'error', /pods is not of scope Cluster/],
  [
    'dead-selector',
    'In and NotIn',
    [gate(hook(selecting('namespaceSelector', { key: 'team', operator: 'In', values: ['a'] }, notIn('team', 'a'))))],
    'error',
    /namespaceSelector .* selects nothing: team In \[a\] and NotIn \[a\]/,
  ],
  [
    'dead-selector',
    'Exists and DoesNotExist',
    [gate(hook(selecting('objectSelector', { key: 'x', operator: 'Exists' }, { key: 'x', operator: 'DoesNotExist' })))],
    'error',
    /selects nothing: x/,
  ],
  [
    'unexpected-subresources',
    'a slash and a star',
    [gate(hook(rules('pods/*', { operations: ['*'] })))],
    'warning',
    /pods\/binding.*pods\/status|pods\/attach/,
  ],
  [
    'version-bypass',
    'Exact, and another version is served',
    [definition, gate(hook({ ...rules('things', { apiGroups: ['example.com'] }), matchPolicy: 'Exact' }))],
    'warning',
    /not called when things\.example\.com is written as v2/,
  ],
  [
    'condition-constant',
    'never: the operation is not in the rules',
    [gate(hook(condition("request.operation == 'DELETE'")))],
    'error',
    /is false for every request/,
  ],
  [
    'condition-constant',
    'always',
    [gate(hook(condition("request.resource.resource != 'leases'")))],
    'note',
    /is true for every request/,
  ],
  [
    'condition-fails',
    'request.subResource is absent for the resource itself (api/admission/v1/types.go omits it when empty)',
    [gate(hook(condition("request.subResource != 'status'")))],
    'error',
    /match condition c of webhook a.example.com fails for every CREATE and UPDATE: request.subResource is absent there$/,
  ],
  [
    'condition-fails',
    'the same, compared with the empty string',
    [gate(hook(condition("request.requestSubResource == ''")))],
    'error',
    /fails for every CREATE and UPDATE: request.requestSubResource is absent there$/,
  ],
  [
    'condition-fails',
    'request.subResource, for the resource and not for its subresource',
    [
      gate(
        hook({
          rules: [rule('pods', { operations: ['UPDATE'], resources: ['pods', 'pods/status'] })],
          ...condition("request.subResource == 'status'"),
        }),
      ),
    ],
    'error',
    /fails for every UPDATE of pods: request.subResource is absent there$/,
  ],
  [
    'condition-fails',
    'request.namespace is absent for what is in no namespace',
    [gate(hook({ ...rules('nodes'), ...condition("request.namespace != 'kube-system'") }))],
    'error',
    /fails for every CREATE and UPDATE: request.namespace is absent there$/,
  ],
  [
    'condition-fails',
    'metadata.namespace of an object in no namespace',
    [gate(hook({ ...rules('nodes'), ...condition("object.metadata.namespace != 'kube-system'") }))],
    'error',
    /fails for every CREATE and UPDATE: object.metadata.namespace is absent there$/,
  ],
  [
    'condition-fails',
    'params is null where the binding has no paramRef',
    [
      policy({
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        validations: [{ expression: "params.data.x == 'y'" }],
      }),
      binding(),
    ],
    'error',
    /validation 1 of policy p fails for every CREATE and UPDATE: params is null there$/,
  ],
  [
    'condition-fails',
    'a mutation reads oldObject on CREATE',
    [
      {
        ...policy({
          validations: undefined,
          reinvocationPolicy: 'Never',
          mutations: [
            {
              patchType: 'ApplyConfiguration',
              applyConfiguration: {
                expression: 'Object{metadata: Object.metadata{labels: oldObject.metadata.labels}}',
              },
            },
          ],
        }),
        kind: 'MutatingAdmissionPolicy',
      },
    ],
    'error',
    /mutation 1 of policy p fails for every CREATE: oldObject is null there$/,
  ],
  [
    'condition-fails',
    'metadata.uid before the API server sets it',
    [mutator('m', hook({ ...rules('pods'), ...condition("object.metadata.uid != ''") }))],
    'error',
    /fails for every CREATE: object.metadata.uid is absent there$/,
  ],
  [
    'condition-fails',
    'metadata.resourceVersion of an object that is not stored yet',
    [gate(hook({ ...rules('pods'), ...condition("object.metadata.resourceVersion != ''") }))],
    'error',
    /fails for every CREATE: object.metadata.resourceVersion is absent there$/,
  ],
  [
    'absent-name',
    'metadata.name before the API server generates it (pepr#3217)',
    [mutator('m', hook({ ...rules('pods'), ...condition("object.metadata.name.startsWith('web-')") }))],
    'error',
    /fails for every object of pods that is created with generateName: object.metadata.name is absent there$/,
  ],
  [
    'absent-name',
    'request.name in a mutating webhook',
    [mutator('m', hook({ ...rules('configmaps'), ...condition("request.name != 'x'") }))],
    'warning',
    /fails for every object of configmaps that is created with generateName: request.name is absent there$/,
  ],
  [
    'absent-name',
    'request.name in a deletecollection (rule PATH-50)',
    [gate(hook({ ...rules('configmaps', { operations: ['DELETE'] }), ...condition("request.name != 'x'") }))],
    'error',
    /fails for every object of configmaps that is deleted with its collection: request.name is absent there$/,
  ],
  [
    'condition-fails',
    'object on DELETE',
    [
      gate(
        hook({ ...rules('pods', { operations: ['CREATE', 'DELETE'] }), ...condition("object.metadata.name != 'x'") }),
      ),
    ],
    'error',
    /fails for every DELETE: object is null there/,
  ],
  [
    'condition-fails',
    'oldObject on CREATE',
    [gate(hook(condition('oldObject.metadata.name == object.metadata.name')))],
    'error',
    /fails for every CREATE: oldObject is null/,
  ],
  [
    'condition-fails',
    'a validation on DELETE (Volcano)',
    [
      policy({
        matchConstraints: { resourceRules: [rule('pods', { operations: ['*'] })] },
        variables: [{ name: 'n', expression: 'object.metadata.name' }],
        validations: [{ expression: "variables.n != 'x'" }],
      }),
      binding(),
    ],
    'error',
    /validation 1 of policy p fails for every DELETE/,
  ],
  [
    'namespace-object',
    'on nodes',
    [
      policy({
        matchConstraints: { resourceRules: [rule('nodes')] },
        validations: [{ expression: "namespaceObject.metadata.name != 'x'" }],
      }),
      binding(),
    ],
    'error',
    /is null for nodes/,
  ],
  [
    'namespace-object',
    'in a webhook',
    [gate(hook(condition('has(namespaceObject.metadata.labels)')))],
    'error',
    /which is always null for webhooks/,
  ],
  [
    'time-budget',
    'fail-open ones add up (kubernetes#128162)',
    [
      mutator(
        'm',
        ...['a', 'b'].map((name) =>
          hook({ ...rules('pods'), name: `${name}.example.com`, failurePolicy: 'Ignore', timeoutSeconds: 20 }),
        ),
      ),
    ],
    'warning',
    /CREATE pods may wait 40 s mutating = 40 s/,
  ],
  [
    'time-budget',
    'four of 10 s behind a NetworkPolicy (SREGym#886)',
    [
      mutator(
        'm',
        ...['a', 'b', 'c', 'd'].map((name) =>
          hook({ ...rules('pods'), name: `${name}.example.com`, failurePolicy: 'Ignore' }),
        ),
      ),
    ],
    'warning',
    /CREATE pods may wait 40 s mutating = 40 s/,
  ],
  [
    'slow-to-fail-open',
    '30 s, and Pods are not created (gardener#2779)',
    [gate(hook({ ...rules('pods'), failurePolicy: 'Ignore', timeoutSeconds: 30 }))],
    'warning',
    /fails open only after 30 s of the 34 s/,
  ],
  [
    'slow-to-fail-open',
    'a client of 10 s has given up before (gatekeeper#1565)',
    [gate(hook({ failurePolicy: 'Ignore', timeoutSeconds: 15 }))],
    'note',
    /fails open only after 15 s/,
  ],
  [
    'network-blocked',
    'no source is allowed (KAI-Scheduler#883, kubernetes#128162)',
    [...backend(), isolation({}), gate(hook(service('sys')))],
    'error',
    /behind NetworkPolicy sys\/closed, which admits no peers at its port/,
  ],
  [
    'network-blocked',
    'Pods are let in, and another port from everywhere',
    [
      ...backend(),
      isolation({ ingress: [{ from: [{ namespaceSelector: {} }] }, { ports: [{ port: 9090 }] }] }),
      gate(hook(service('sys'))),
    ],
    'warning',
    /which admits only Pods at its port/,
  ],
  [
    'ca-bundle',
    'no certificate',
    [
      gate(
        hook({
          clientConfig: { ...(service('sys')['clientConfig'] as JsonObject), caBundle: btoa('not a certificate') },
        }),
      ),
    ],
    'error',
    /cannot be read: unable to load root certificates/,
  ],
  [
    'no-service',
    'another name',
    [...backend(), gate(hook(service('sys', 'hook')))],
    'error',
    /Service sys\/hook, which does not exist; did you mean "hooks"\?/,
  ],
  [
    'no-service',
    'another port',
    [...backend(labels, 8443), gate(hook(service('sys')))],
    'error',
    /port 443 of Service sys\/hooks, which has 8443/,
  ],
  [
    'no-endpoints',
    'its selector takes no Pod',
    [...backend({ app: 'other' }), gate(hook(service('sys')))],
    'error',
    /selects app=hooks, which no Pod template of sys has/,
  ],
  [
    'called-too-early',
    'before another one for Pods',
    [mutator('a', hook(rules('pods'))), mutator('b', { ...hook(rules('pods')), name: 'b.example.com' })],
    'note',
    /called before b\.example\.com of b, and not again/,
  ],
  [
    'again-with-side-effects',
    'IfNeeded',
    [mutator('a', hook({ reinvocationPolicy: 'IfNeeded', sideEffects: 'NoneOnDryRun' }))],
    'warning',
    /has reinvocationPolicy IfNeeded and side effects/,
  ],
  [
    'same-name',
    'in two configurations',
    [mutator('a', hook({})), mutator('b', hook({}))],
    'note',
    /has the same name as a webhook of MutatingWebhookConfiguration a/,
  ],
  ['without-binding', 'a policy alone', [policy({})], 'note', /has no binding among these files/],
  [
    'without-policy',
    'a slip of the pen',
    [policy({}, 'policy'), binding({ policyName: 'polcy' })],
    'warning',
    /binds polcy, which does not exist; did you mean "policy"\?/,
  ],
  [
    'without-params',
    'none named',
    [policy({ paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }), binding()],
    'warning',
    /without a paramRef/,
  ],
  [
    'without-params',
    'a kind that its group does not have',
    [policy({ paramKind: { apiVersion: 'v1', kind: 'ConfigMapp' } }), binding()],
    'error',
    /policy p has params of kind ConfigMapp, which v1 does not have; did you mean "ConfigMap"\?/i,
  ],
];

test.each(faults)('%s: %s', (...[wanted, , objects, severity, says]) => {
  const found = lintJson(objects).filter((one) => one.rule === wanted);
  expect(found.map((one) => [one.severity, one.title])).toContainEqual([severity, expect.stringMatching(says)]);
});

const rows = faults.map(([wanted, fact, objects]) => [wanted, fact, objects] as const);

// The patch that goes with a finding is what to apply: with it, the same is not found again.
test.each(rows)('the patch of %s does away with it: %s', (wanted, _fact, objects) => {
  const all = lintJson(objects).filter((one) => one.rule === wanted && Object.keys(one.patch).length > 0);
  for (const one of all) {
    const left = lintJson(applyFindingPatch(objects, one)).filter(
      ({ rule: other, field, object }) => other === wanted && field === one.field && object === one.object,
    );
    expect(left).toEqual([]);
  }
});

test('server-certificate alone is shown with certificates, in certificates.test.ts', () => {
  const shown = new Set(faults.map(([wanted]) => wanted));
  expect(lintRules.filter((one) => !shown.has(one))).toEqual(['server-certificate']);
});

/** What must not be found: the row above it with what makes it right. */
const sound: readonly [fact: string, objects: readonly JsonObject[], rules: readonly LintRule[]][] = [
  [
    'its own namespace is left out by name',
    [
      gate(
        hook({
          ...service('sys'),
          ...rules('pods'),
          ...selecting('namespaceSelector', notIn('kubernetes.io/metadata.name', 'sys', 'kube-system')),
        }),
      ),
    ],
    [],
  ],
  [
    'its own namespace is left out by a label that its Namespace has',
    [
      namespace('sys', { skip: 'yes' }),
      gate(
        hook({
          ...service('sys'),
          ...rules('pods'),
          ...selecting('namespaceSelector', { key: 'skip', operator: 'DoesNotExist' }),
        }),
      ),
    ],
    ['guards-kube-system'],
  ],
  [
    'its own Pods are left out by a label of their template',
    [
      ...backend(),
      gate(hook({ ...service('sys'), ...rules('pods'), ...selecting('objectSelector', notIn('app', 'hooks')) })),
    ],
    ['guards-kube-system'],
  ],
  [
    'it fails open',
    [gate(hook({ ...service('sys'), ...rules('pods'), failurePolicy: 'Ignore', timeoutSeconds: 3 }))],
    [],
  ],
  [
    'a condition leaves nodes out',
    [
      gate(
        hook({
          ...rules('*', any),
          ...condition("!(request.resource.resource in ['nodes', 'pods', 'leases', 'certificatesigningrequests'])"),
        }),
      ),
    ],
    [],
  ],
  [
    'Istio: a namespace is opted in by its label',
    [
      gate(
        hook({
          ...service('sys'),
          ...rules('pods'),
          ...selecting('namespaceSelector', { key: 'istio-injection', operator: 'In', values: ['enabled'] }),
        }),
      ),
    ],
    [],
  ],
  [
    'revisions exclude each other and do not add up',
    [
      mutator(
        'm',
        ...['1', '2'].map((revision) =>
          hook({
            ...rules('pods'),
            name: `r${revision}.example.com`,
            failurePolicy: 'Ignore',
            timeoutSeconds: 30,
            ...selecting('namespaceSelector', { key: 'rev', operator: 'In', values: [revision] }),
          }),
        ),
      ),
    ],
    ['slow-to-fail-open'],
  ],
  ['a group whose definitions are elsewhere', [gate(hook(rules('things', { apiGroups: ['other.example.com'] })))], []],
  [
    'a guarded field on DELETE',
    [
      gate(
        hook({
          ...rules('configmaps', { operations: ['CREATE', 'DELETE'] }),
          ...condition("request.operation == 'DELETE' || object.metadata.name != 'x'"),
        }),
      ),
    ],
    [],
  ],
  ...[
    "!has(request.subResource) || request.subResource != 'status' || object.metadata.name == 'x'",
    "request.?subResource.orValue('') != 'status' || object.metadata.name == 'x'",
    "has(request.dryRun) && object.metadata.namespace != 'x'",
    "object.metadata.name != 'x'",
    "request.name != 'x'",
    "object.metadata.uid != ''",
  ].map((expression): (typeof sound)[number] => [
    `a validating webhook has the condition ${expression}`,
    [gate(hook(condition(expression)))],
    expression.includes('subResource') ? ['condition-constant'] : [],
  ]),
  [
    'a mutating webhook tests whether there is a name',
    [mutator('m', hook(condition("has(object.metadata.name) && object.metadata.name != 'x'")))],
    [],
  ],
  [
    'a Namespace is in the namespace of its name',
    [gate(hook({ ...rules('namespaces'), ...condition("request.namespace != 'x'") }))],
    [],
  ],
  [
    'a variable of a macro has the name namespaceObject',
    [
      policy({
        matchConstraints: { resourceRules: [rule('nodes')] },
        validations: [{ expression: 'object.spec.taints.all(namespaceObject, namespaceObject.key != "x")' }],
      }),
      binding(),
    ],
    [],
  ],
  [
    'a policy that looks whether there is a namespace',
    [
      policy({
        matchConstraints: { resourceRules: [rule('nodes')] },
        validations: [{ expression: "namespaceObject == null || namespaceObject.metadata.name != 'x'" }],
      }),
      binding(),
    ],
    [],
  ],
  [
    'cert-manager fills caBundle in',
    [
      {
        ...gate(hook({ clientConfig: { url: 'https://a.example.com/', caBundle: btoa('later') } })),
        metadata: { name: 'gate', annotations: { 'cert-manager.io/inject-ca-from': 'a/b' } },
      },
    ],
    [],
  ],
  ['10 s and open are usual', [gate(hook({ failurePolicy: 'Ignore', timeoutSeconds: 10 }))], []],
  ['30 s and closed are its own affair', [gate(hook({ timeoutSeconds: 30 }))], []],
  ...(
    [
      ['its port is open to everybody', { ingress: [{ ports: [{ port: 443 }] }] }],
      ['a range has its port', { ingress: [{ ports: [{ port: 400, endPort: 500 }] }] }],
      ['addresses are let in', { ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }] }],
      ['the policy is about other Pods', { podSelector: { matchLabels: { app: 'other' } } }],
      ['the policy is about what they call', { policyTypes: ['Egress'] }],
    ] as const
  ).map(([fact, spec]): (typeof sound)[number] => [
    fact,
    [...backend(), isolation(spec), gate(hook(service('sys')))],
    [],
  ]),
  ['a mutating and a validating webhook of one name', [mutator('a', hook({})), gate(hook({}))], []],
];

test.each(sound)('nothing is found when %s', (_fact, objects, allowed) => {
  expect(
    lintJson(objects)
      .filter(({ rule: one }) => !allowed.includes(one))
      .map(({ title }) => title),
  ).toEqual([]);
});

test('namespaceObject alone is said to be null of an expression that reads nothing else', () => {
  const found = lintJson([
    policy({
      matchConstraints: { resourceRules: [rule('nodes')] },
      validations: [{ expression: "namespaceObject.metadata.name != 'x'" }],
    }),
    binding(),
  ]);
  expect(found.map(({ rule: one, title }) => [one, title])).toEqual([
    [
      'namespace-object',
      'validation 1 of policy p reads namespaceObject, which is null for nodes, a cluster-scoped resource',
    ],
  ]);
});

test('on a server what is missing is missing', () => {
  const objects = [
    gate(hook({ ...service('sys'), ...rules('things', { apiGroups: ['other.example.com'] }) })),
    policy({}),
  ];
  const found = lintJson(objects, true).map(({ rule: one, severity }) => `${severity} ${one}`);
  expect(found).toEqual(expect.arrayContaining(['error no-service', 'warning without-binding']));
});

test('a rule about all resources has no dead part, though no webhook sees reviews', () => {
  expect(
    lintJson([gate(hook(rules('*', { ...any, operations: ['*'] })))]).filter((one) => one.rule === 'dead-rule'),
  ).toEqual([]);
});

const aggregated = (service: JsonObject | null): JsonObject => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1.other.example.com' },
  spec: { group: 'other.example.com', version: 'v1', service },
});
const ofOthers = rules('things', { apiGroups: ['other.example.com'] });

test.each([
  ['no APIService serves it', [], ['error']],
  ['the server serves nothing of it', [aggregated(null)], ['error']],
  ['another APIService serves it', [aggregated({ namespace: 'a', name: 'b' })], []],
  [
    'its definition is there',
    [{ ...definition, spec: { ...(definition['spec'] as JsonObject), group: 'other.example.com' } }],
    [],
  ],
])('a rule for a custom group on a server: %s', (_fact, others, severities) => {
  const objects = [gate(hook(ofOthers)), ...others];
  const dead = lintJson(objects, true).filter(({ rule: one }) => one === 'dead-rule');
  expect(dead.map(({ severity }) => severity)).toEqual(severities);
  expect(lintJson(objects).filter(({ rule: one }) => one === 'dead-rule')).toEqual([]);
});

test.each(['apiGroups', 'apiVersions', 'resources', 'operations'])(
  'a rule without %s is refused, not dead',
  (field) => {
    const found = lintJson([gate(hook(rules('pods', { [field]: [] })))]);
    expect(found.map(({ rule: one }) => one)).toContain('refused');
    expect(found.map(({ rule: one }) => one)).not.toContain('dead-rule');
  },
);

test('a dead rule of a group that is not served says so', () => {
  const [dead] = lintJson([gate(hook(ofOthers))], true).filter(({ rule: one }) => one === 'dead-rule');
  expect(dead?.title).toMatch(
    /no request can match this rule of webhook a.example.com: other.example.com has no served resource/,
  );
});

const text = `# kadmit-ignore: wildcard-fail
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: gate }
webhooks:
  # kadmit-ignore: guards-nodes, guards-kube-system
  - name: a.example.com
    clientConfig: { url: https://a.example.com/ }
    admissionReviewVersions: [v1]
    sideEffects: Some # kadmit-ignore: same-name
    rules:
      - { apiGroups: ['*'], apiVersions: ['*'], operations: [CREATE], resources: ['*'] }
`;

test('a comment keeps a rule quiet for what is below it, and no other', () => {
  expect(lintText(text).map(({ rule: one, place, field }) => [one, place.line, field])).toEqual([
    ['refused', 10, 'webhooks[0].sideEffects'],
  ]);
  expect(lintText(text.replaceAll('kadmit-ignore', 'ignore')).map(({ rule: one }) => one)).toEqual([
    'refused',
    'guards-nodes',
    'guards-kube-system',
    'wildcard-fail',
  ]);
});
