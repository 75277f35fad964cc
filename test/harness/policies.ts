import type { JsonObject } from '../../src/machinery/json/json.ts';

/** A world or a cluster. */
interface Sending {
  readonly send: (method: 'POST', path: string, body: JsonObject) => Promise<unknown>;
}

const group = '/apis/admissionregistration.k8s.io/v1';

const configMaps = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];

/** Stores a ValidatingAdmissionPolicy for ConfigMaps with these fields, and a binding with the same name. */
export async function validatingPolicy(
  { send }: Sending,
  name: string,
  spec: JsonObject,
  binding: JsonObject = { validationActions: ['Deny'] },
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
  { send }: Sending,
  name: string,
  expressions: readonly string[],
  spec: JsonObject = {},
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
