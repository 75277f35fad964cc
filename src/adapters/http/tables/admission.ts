import { goSelector } from '../../../machinery/selectors/go-selector.ts';
import { isJsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { ageOf, nameOf, sizeAt, textAt } from './cell.ts';
import type { Cells } from './cell.ts';

// Follows kubernetes pkg/printers/internalversion/printers.go.

/** Both kinds of webhook configuration. */
export const webhookConfigurationCells: Cells = (object, now) => [
  nameOf(object),
  sizeAt(object, 'webhooks'),
  ageOf(object, now),
];

export const validatingPolicyCells: Cells = (object, now) => [
  nameOf(object),
  sizeAt(object, 'spec', 'validations'),
  paramKind(object),
  ageOf(object, now),
];

export const mutatingPolicyCells: Cells = (object, now) => [
  nameOf(object),
  sizeAt(object, 'spec', 'mutations'),
  paramKind(object),
  ageOf(object, now),
];

function paramKind(policy: JsonObject): string {
  const kind = valueAt(policy, 'spec', 'paramKind');
  return isJsonObject(kind) ? `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}` : '<unset>';
}

/** Both kinds of policy binding. */
export const policyBindingCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'spec', 'policyName'),
  paramName(valueAt(object, 'spec', 'paramRef')),
  ageOf(object, now),
];

/** Without a namespace the scope of the parameter is unknown here. */
function paramName(ref: JsonValue | undefined): string {
  const name = textAt(ref, 'name');
  if (name !== '') return `${textAt(ref, 'namespace') || '*'}/${name}`;
  const selector = valueAt(ref, 'selector');
  return isJsonObject(selector) ? goSelector(selector) : '<unset>';
}
