import { asList, asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { ResourceQuestion } from '../authorizer.ts';

/** As in a query. Follows kubernetes pkg/registry/authorization/util/helpers.go. */
export const askedSelectors = ({
  fieldSelector,
  labelSelector,
}: JsonObject): Pick<ResourceQuestion, 'fieldSelector' | 'labelSelector'> => ({
  ...(isJsonObject(fieldSelector) ? { fieldSelector: selectorText(fieldSelector, fieldTerm) } : {}),
  ...(isJsonObject(labelSelector) ? { labelSelector: selectorText(labelSelector, labelTerm) } : {}),
});

type Term = (key: string, operator: string, values: readonly string[]) => string;

function selectorText(selector: JsonObject, term: Term): string {
  const requirements = asList(selector['requirements']).map(asObject);
  if (requirements.length === 0) return asString(selector['rawSelector']);
  const terms = requirements.map(({ key, operator, values }) =>
    term(asString(key), asString(operator), asList(values).map(asString)),
  );
  return terms.filter((text) => text !== '').join(',');
}

const fieldTerm: Term = (key, operator, [value = '']) => {
  const escaped = value.replaceAll(/[\\,=]/g, String.raw`\$&`);
  if (operator === 'In') return `${key}=${escaped}`;
  return operator === 'NotIn' ? `${key}!=${escaped}` : '';
};

const labelTerm: Term = (key, operator, values) => {
  switch (operator) {
    case 'In':
      return `${key} in (${values.join(',')})`;
    case 'NotIn':
      return `${key} notin (${values.join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return '';
  }
};
