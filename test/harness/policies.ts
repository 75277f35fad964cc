import type { TestWorld } from './world.ts';

const group = '/apis/admissionregistration.k8s.io/v1';

const configMaps = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];

/** Stores a ValidatingAdmissionPolicy about ConfigMaps with fields of its own, and a binding under the same name. */
export async function validatingPolicy(
  { send }: Pick<TestWorld, 'send'>,
  name: string,
  spec: object,
  binding: object = { validationActions: ['Deny'] },
): Promise<void> {
  const own = { matchConstraints: { resourceRules: configMaps }, ...spec };
  await send('POST', `${group}/validatingadmissionpolicies`, { metadata: { name }, spec: own });
  await send('POST', `${group}/validatingadmissionpolicybindings`, {
    metadata: { name: `${name}-binding` },
    spec: { policyName: name, ...binding },
  });
}

/** The same for a MutatingAdmissionPolicy of apply configurations. */
export async function mutatingPolicy(
  { send }: Pick<TestWorld, 'send'>,
  name: string,
  expressions: readonly string[],
  spec: object = {},
): Promise<void> {
  const mutations = expressions.map((expression) => ({
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression },
  }));
  const own = { reinvocationPolicy: 'Never', matchConstraints: { resourceRules: configMaps }, mutations, ...spec };
  await send('POST', `${group}/mutatingadmissionpolicies`, { metadata: { name }, spec: own });
  await send('POST', `${group}/mutatingadmissionpolicybindings`, {
    metadata: { name: `${name}-binding` },
    spec: { policyName: name },
  });
}
