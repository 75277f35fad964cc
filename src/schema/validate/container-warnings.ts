import { writeJson } from '../../apimachinery/json-writer.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { amountOf } from './quantity-amount.ts';

/** What one container is warned of. Follows kubernetes pkg/api/pod/warnings.go. */
export function containerWarnings(container: JsonObject, path: string): readonly string[] {
  const resources = asObject(container['resources']);
  return [
    ...['memory', 'ephemeral-storage'].flatMap((name) =>
      (['limits', 'requests'] as const).flatMap((kind) =>
        fractionWarnings(asObject(resources[kind])[name], `${path}.resources.${kind}[${name}]`),
      ),
    ),
    ...hiddenVariables(container['env'], `${path}.env`),
  ];
}

/** Bytes that cannot be counted. */
export function fractionWarnings(amount: JsonValue | undefined, field: string): readonly string[] {
  if (amount === undefined || amountOf(amount) % 1_000_000_000n === 0n) return [];
  return [`${field}: fractional byte value ${writeJson(amount)} is invalid, must be an integer`];
}

/** A variable that is set twice, unless the second builds on the first. */
function hiddenVariables(env: JsonValue | undefined, path: string): readonly string[] {
  const seen = new Set<string>();
  return asList(env).flatMap((item, index) => {
    const variable = asObject(item);
    const [name, value] = [asString(variable['name']), asString(variable['value'])];
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const reference = `$(${name})`;
    if (variable['valueFrom'] === undefined && value.includes(reference) && value !== reference) return [];
    return [
      `${path}[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
    ];
  });
}
