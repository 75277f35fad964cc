/** One passing test of each format that `kadmit import` reads, as files. */

export const limit = (max: number, more = ''): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: replicas }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE, DELETE], resources: [deployments] }]
  matchConditions: [{ name: not-exempt, expression: "!has((object == null ? oldObject : object).metadata.labels) || !('exempt' in (object == null ? oldObject : object).metadata.labels)" }]
  validations: [{ expression: "object == null ? oldObject.spec.replicas == 0 : object.spec.replicas <= ${max}", message: too many }]
${more}`;
export const deployment = (name: string, replicas: number, labels = '{}'): string =>
  `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: ${name}, labels: ${labels} }, spec: { replicas: ${replicas} } }\n`;

const completeDeployment = (name: string, replicas: number): string =>
  `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: ${name} }, spec: { replicas: ${replicas}, selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: a, image: a }] } } } }`;

export const kyverno = {
  'kyverno-test.yaml': `
apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: { name: replicas }
policies: [policy.yaml, own.yaml]
resources: [resources.yaml]
results:
  - { policy: replicas, isValidatingAdmissionPolicy: true, kind: Deployment, resources: [two], result: pass }
  - { policy: replicas, isValidatingAdmissionPolicy: true, kind: Deployment, resources: [nine], result: fail }
  - { policy: replicas, isValidatingAdmissionPolicy: true, kind: Deployment, resources: [free], result: skip }
  - { policy: require-labels, rule: team, kind: Deployment, resources: [two], result: fail }
`,
  'policy.yaml': limit(5),
  'own.yaml': `{ apiVersion: kyverno.io/v1, kind: ClusterPolicy, metadata: { name: require-labels }, spec: {} }`,
  'resources.yaml': [deployment('two', 2), deployment('nine', 9), deployment('free', 9, '{ exempt: yes-it-is }')].join(
    '---\n',
  ),
};

export const template = (code: string): string => `
apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: teams }
spec:
  crd:
    spec:
      names: { kind: Teams }
      validation: { openAPIV3Schema: { type: object, properties: { label: { type: string, default: team } } } }
  targets: [{ target: admission.k8s.gatekeeper.sh, ${code} }]
`;
const cel = `code: [{ engine: K8sNativeValidation, source: { validations: [{ expression: "has(variables.anyObject.metadata.labels) && variables.params.label in variables.anyObject.metadata.labels", message: no team }] } }]`;
export const gator = {
  'suite.yaml': `
apiVersion: test.gatekeeper.sh/v1alpha1
kind: Suite
tests:
  - name: teams
    template: template.yaml
    constraint: constraint.yaml
    cases:
      - { name: with a team, object: good.yaml, assertions: [{ violations: no }] }
      - { name: without one, object: bad.yaml, assertions: [{ violations: yes, message: no te.m }] }
      - { name: in an excluded namespace, object: review.yaml, assertions: [{ violations: no }] }
      - { name: with others, object: good.yaml, inventory: [bad.yaml], assertions: [{ violations: no }] }
  - { name: in Rego, template: rego.yaml, constraint: constraint.yaml, cases: [] }
`,
  'template.yaml': template(cel),
  'rego.yaml': template('rego: package teams'),
  'constraint.yaml': `{ apiVersion: constraints.gatekeeper.sh/v1beta1, kind: Teams, metadata: { name: all }, spec: { match: { kinds: [{ apiGroups: [""], kinds: [ConfigMap] }], excludedNamespaces: [kube-*] }, parameters: {} } }`,
  'good.yaml': `{ apiVersion: v1, kind: ConfigMap, metadata: { name: good, labels: { team: a } } }`,
  'bad.yaml': `{ apiVersion: v1, kind: ConfigMap, metadata: { name: bad } }`,
  'review.yaml': `{ apiVersion: admission.k8s.io/v1, kind: AdmissionReview, request: { operation: CREATE, object: { apiVersion: v1, kind: ConfigMap, metadata: { name: own, namespace: kube-system } } } }`,
};

export const kat = {
  'policy.yaml': limit(5),
  'binding.yaml': `{ apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: { name: replicas }, spec: { policyName: replicas, validationActions: [Deny], matchResources: { namespaceSelector: { matchLabels: { env: prod } } } } }`,
  'tests/replicas.two.allow.object.yaml': deployment('two', 2),
  'tests/replicas.nine.deny.request.yaml': `namespace: shop\nnamespaceObject: { apiVersion: v1, kind: Namespace, metadata: { name: shop, labels: { env: prod } } }\nobject: ${deployment('nine', 9)}userInfo: { username: alice, groups: [devs] }\n`,
  'tests/replicas.nine.deny.message.txt': 'too many\n',
  'tests/replicas.elsewhere.allow.request.yaml': `namespace: shop\nnamespaceObject: { apiVersion: v1, kind: Namespace, metadata: { name: shop, labels: { env: dev } } }\nobject: ${deployment('nine', 9)}`,
  'tests/replicas.gone.deny.oldObject.yaml': `${deployment('old', 3).replace('{ name: old', '{ name: old, namespace: shop')}`,
  'tests/replicas.gone.deny.namespaceObject.yaml':
    '{ apiVersion: v1, kind: Namespace, metadata: { name: shop, labels: { env: prod } } }',
  'tests/replicas.asks.deny.authorizer.yaml': '[]',
  'tests/replicas.asks.deny.object.yaml': deployment('asks', 9),
};

export const chainsaw = {
  'chainsaw-test.yaml': `
apiVersion: chainsaw.kyverno.io/v1alpha1
kind: Test
metadata: { name: replicas }
spec:
  steps:
    - try: [{ apply: { file: pol*.yaml } }]
    - name: write
      try:
        - create: { resource: ${completeDeployment('two', 2)} }
        - create: { resource: ${completeDeployment('nine', 9)}, expect: [{ check: { ($error != null): true } }] }
        - patch: { resource: { apiVersion: apps/v1, kind: Deployment, metadata: { name: two }, spec: { replicas: 0 } } }
        - assert: { resource: { apiVersion: apps/v1, kind: Deployment, metadata: { name: two }, spec: { replicas: 0 } } }
        - assert: { resource: { apiVersion: apps/v1, kind: Deployment, metadata: { name: two }, spec: { (replicas > \`0\`): false } } }
        - script: { content: kubectl get deployments }
        - delete: { ref: { apiVersion: apps/v1, kind: Deployment, name: two } }
        - error: { resource: { apiVersion: apps/v1, kind: Deployment, metadata: { name: two } } }
        - sleep: { duration: 2s }
`,
  'policy.yaml': `${limit(5)}---\n{ apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: { name: replicas }, spec: { policyName: replicas, validationActions: [Deny] } }`,
};

export const bound = `${limit(5)}---\n{ apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: { name: replicas }, spec: { policyName: replicas, validationActions: [Deny] } }`;
export const review = {
  'review.json': JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: '1',
      operation: 'UPDATE',
      namespace: 'default',
      kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
      userInfo: { username: 'alice', groups: ['system:authenticated'] },
      object: { metadata: { name: 'web', uid: 'u' }, spec: { replicas: 9 } },
      oldObject: { metadata: { name: 'web' }, spec: { replicas: 1 } },
    },
    response: { allowed: false, status: { message: 'too many' } },
  }),
  'bound/policy.yaml': bound,
};
