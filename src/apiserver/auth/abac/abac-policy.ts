import { asObject, asString, isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { plainValue, readJson } from '../../../machinery/json/json-reader.ts';

/** One line of --authorization-policy-file. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

export type AbacReading =
  | { readonly outcome: 'read'; readonly policies: readonly AbacPolicy[] }
  | { readonly outcome: 'unreadable'; readonly line: number };

const version = 'abac.authorization.kubernetes.io/v1beta1';

/** One policy per line; skips empty lines and `#` comments. Follows kubernetes pkg/auth/authorizer/abac/abac.go. */
export function readAbacPolicies(text: string): AbacReading {
  const policies: AbacPolicy[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    const reading = readJson(line);
    const value = reading.outcome === 'unreadable' ? undefined : reading.json.value;
    const policy = isJsonObject(value) ? asObject(plainValue(value)) : {};
    if (policy['kind'] !== 'Policy' || policy['apiVersion'] !== version) {
      return { outcome: 'unreadable', line: index + 1 };
    }
    policies.push(policyOf(asObject(policy['spec'])));
  }
  return { outcome: 'read', policies };
}

const policyOf = (spec: JsonObject): AbacPolicy => ({
  user: asString(spec['user']),
  group: asString(spec['group']),
  readonly: spec['readonly'] === true,
  apiGroup: asString(spec['apiGroup']),
  resource: asString(spec['resource']),
  namespace: asString(spec['namespace']),
  nonResourcePath: asString(spec['nonResourcePath']),
});
