import type { JsonObject } from '../../../machinery/json/json.ts';
import type { World, WorldSetup } from '../world.ts';

const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';

/**
 * Lets the users of a scenario do everything on a server that asks roles, as `authorizationMode: AlwaysAllow` does in
 * kadmit. Returns the paths of the bindings, which go with the scenario. One that cannot be made shows when the user
 * is refused.
 */
export async function grantAll(
  { users = [], authorizationMode }: Pick<WorldSetup, 'users' | 'authorizationMode'>,
  send: World['send'],
): Promise<readonly string[]> {
  if (authorizationMode === 'RBAC') return [];
  const made: string[] = [];
  for (const { username } of users) {
    const binding = bindingFor(username);
    const { code } = await send({ method: 'POST', path, body: binding.object });
    if (code === 201) made.push(`${path}/${binding.name}`);
  }
  return made;
}

function bindingFor(username: string): { readonly name: string; readonly object: JsonObject } {
  const name = `kadmit-test:${username.replaceAll(/[^A-Za-z0-9:.-]/g, '-')}`;
  const object = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: username }],
  };
  return { name, object };
}
