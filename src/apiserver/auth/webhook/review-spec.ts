import { setOwn } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { parseLabelSelector } from '../../../machinery/selectors/label-selector.ts';
import type { AuthorizationQuestion, ResourceQuestion } from '../authorizer.ts';

/**
 * `spec` of a SubjectAccessReview v1 without empty fields. Follows apiserver plugin/pkg/authorizer/webhook/webhook.go.
 */
export function reviewSpec(question: AuthorizationQuestion): JsonObject {
  const { username, uid, groups, extra } = question.user;
  const asked =
    question.type === 'resource'
      ? { resourceAttributes: resourceAttributes(question) }
      : { nonResourceAttributes: filled({ path: question.path, verb: question.verb }) };
  return {
    ...asked,
    ...filled({ user: username }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
    ...filled({ uid }),
  };
}

/** v1beta1 calls the groups `group`. */
export const reviewSpecV1beta1 = (spec: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(spec).map(([name, value]) => [name === 'groups' ? 'group' : name, value]));

function resourceAttributes(question: ResourceQuestion): JsonObject {
  const { namespace, verb, group, version, resource, subresource, name } = question;
  const fields = requirementsOfFields(question.fieldSelector ?? '');
  const labels = requirementsOfLabels(question.labelSelector ?? '');
  return {
    ...filled({ namespace, verb, group, version, resource, subresource, name }),
    ...(fields.length === 0 ? {} : { fieldSelector: { requirements: fields } }),
    ...(labels.length === 0 ? {} : { labelSelector: { requirements: labels } }),
  };
}

function filled(fields: Readonly<Record<string, string>>): JsonObject {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== '') setOwn(kept, name, value);
  return kept;
}

/** Unreadable requirements are dropped. Follows apimachinery pkg/fields/selector.go. */
function requirementsOfFields(text: string): readonly JsonObject[] {
  const terms = text.split(/(?<!\\),/).filter((term) => term !== '');
  const requirements = terms.map((term) => /^(.*?)(!=|==|=)(.*)$/s.exec(term));
  if (requirements.includes(null)) return [];
  return requirements.map((found) => {
    const [, key = '', operator, value = ''] = found ?? [];
    return { key, operator: operator === '!=' ? 'NotIn' : 'In', values: [value.replaceAll(/\\([\\,=])/g, '$1')] };
  });
}

const labelOperators: ReadonlyMap<string, string> = new Map([
  ['=', 'In'],
  ['==', 'In'],
  ['in', 'In'],
  ['!=', 'NotIn'],
  ['notin', 'NotIn'],
  ['exists', 'Exists'],
  ['!', 'DoesNotExist'],
]);

function requirementsOfLabels(text: string): readonly JsonObject[] {
  const reading = parseLabelSelector(text);
  if (reading.outcome === 'unparsable') return [];
  return reading.selector.requirements.flatMap(({ key, operator, values }) => {
    const known = labelOperators.get(operator);
    if (known === undefined) return [];
    return [{ key, operator: known, ...(values.length === 0 ? {} : { values }) }];
  });
}
