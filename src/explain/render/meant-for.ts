import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { DecisionModel } from './decision-model.ts';

const most = 3;

/** ` (for deployments, services)`: the resources that the rules of a webhook or policy name. */
export function meantFor(decision: DecisionModel): string {
  const named = [...new Set(rulesOf(decision).flatMap(({ resources }) => asList(resources).map(asString)))];
  if (named.length === 0) return '';
  return ` (for ${named.slice(0, most).join(', ')}${named.length > most ? ' …' : ''})`;
}

function rulesOf(decision: DecisionModel): readonly JsonObject[] {
  if (decision.type === 'plugin') return [];
  const { definition } = decision.source;
  const rules = decision.type === 'webhook' ? definition?.['rules'] : matchOf(definition)['resourceRules'];
  return asList(rules).map(asObject);
}

const matchOf = (definition: JsonObject | undefined): JsonObject => asObject(definition?.['matchConstraints']);
