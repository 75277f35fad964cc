import { testCases } from './controller-cases.ts';
import type { Cluster } from './cluster.ts';

const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

const policy = (resources: readonly string[], spec: object) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 't' },
  spec: {
    matchConstraints: {
      resourceRules: [{ operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: [...resources] }],
    },
    ...spec,
  },
});

async function statusOf({ send, find, settle }: Cluster, object: ReturnType<typeof policy>): Promise<unknown> {
  await send('POST', path, object as never);
  await settle();
  return (await find(`${path}/t`))?.['status'];
}

const typed = {
  paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
  variables: [{ name: 'n', expression: 'object.spec.nosuch' }],
  matchConditions: [{ name: 'c', expression: 'object.spec.replicas == "x"' }],
  validations: [
    { expression: 'variables.n == 1' },
    { expression: 'params.data.x == 1' },
    { expression: 'object.spec.replicas > 1', messageExpression: '"a" + object.spec.replicas' },
  ],
};

const overload = (kind: string, column: number, text: string, what: string): string =>
  `apps/v1, Kind=${kind}: ERROR: <input>:1:${column}: found no matching overload for ${what}\n | ${text}\n | ${'.'.repeat(column - 1)}^\n`;

const both = (column: number, text: string, what: string): string =>
  ['Deployment', 'ReplicaSet'].map((kind) => overload(kind, column, text, what)).join('\n');

// Source: recorded conversation controllers-vap-type-checking-status; apiserver policy/validating/typechecking.go
testCases([
  [
    'a wrong type is reported once for each kind',
    (cluster) => statusOf(cluster, policy(['deployments', 'replicasets'], typed)),
    {
      observedGeneration: 1,
      typeChecking: {
        expressionWarnings: [
          {
            fieldRef: 'spec.validations[1].expression',
            warning: both(15, 'params.data.x == 1', "'_==_' applied to '(string, int)'"),
          },
          {
            fieldRef: 'spec.validations[2].messageExpression',
            warning: both(5, '"a" + object.spec.replicas', "'_+_' applied to '(string, int)'"),
          },
        ],
      },
    },
  ],
  [
    'nothing is said of wildcards and subresources',
    (cluster) =>
      statusOf(cluster, policy(['*', 'deployments/scale'], { validations: [{ expression: 'object.no == 1' }] })),
    { observedGeneration: 1, typeChecking: {} },
  ],
  ...[{ apiGroups: ['*'] }, { apiVersions: ['*'] }].map((wild): Parameters<typeof testCases>[0][number] => [
    `nothing is said of a rule with ${JSON.stringify(wild)}`,
    (cluster) => {
      const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
      const matchConstraints = { resourceRules: [{ ...rule, ...wild }] };
      return statusOf(cluster, policy([], { matchConstraints, validations: [{ expression: 'object.no == 1' }] }));
    },
    { observedGeneration: 1, typeChecking: {} },
  ]),
  [
    'an unknown field is a warning',
    async (cluster) =>
      JSON.stringify(
        await statusOf(cluster, policy(['deployments'], { validations: [{ expression: 'object.spec.nosuch == 1' }] })),
      ).includes("undefined field 'nosuch'"),
    true,
  ],
]);
