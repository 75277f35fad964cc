import { asList, asString, type JsonValue } from '../../../machinery/json/json.ts';
import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';

/** One of `rules` of a webhook, of `resourceRules` or `excludeResourceRules` of a policy or binding. */
export interface MatchRule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
  readonly resourceNames?: readonly string[];
}

export const readRule = (rule: v1.NamedRuleWithOperations): MatchRule => ({
  operations: strings(rule.operations),
  apiGroups: strings(rule.apiGroups),
  apiVersions: strings(rule.apiVersions),
  resources: strings(rule.resources),
  scope: typeof rule.scope === 'string' ? rule.scope : '*',
  ...(Array.isArray(rule.resourceNames) ? { resourceNames: strings(rule.resourceNames) } : {}),
});

const strings = (value: JsonValue | undefined): readonly string[] => asList(value).map(asString);
