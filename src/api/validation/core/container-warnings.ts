import { writeJson } from '../../../machinery/json/json-writer.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { repeatsIn } from '../../../machinery/repeats.ts';
import type { Container, EnvVar } from '../../types/generated/core-v1.ts';
import { isFractional } from '../meta/quantity-amount.ts';

/** What one container is warned of. Follows kubernetes pkg/api/pod/warnings.go. */
export function containerWarnings(container: Container, path: string): readonly string[] {
  const resources = asObject(container.resources);
  return [
    ...countedBytes.flatMap(([kind, name]) => {
      const amount = asObject(resources[kind])[name];
      return amount === undefined ? none : fractionWarnings(amount, `${path}.resources.${kind}[${name}]`);
    }),
    ...hiddenVariables(container.env, `${path}.env`),
  ];
}

const countedBytes = ['memory', 'ephemeral-storage'].flatMap((name) =>
  (['limits', 'requests'] as const).map((kind) => [kind, name] as const),
);

const none: readonly string[] = [];

/** Bytes that cannot be counted. */
export function fractionWarnings(amount: JsonValue | undefined, field: string): readonly string[] {
  if (amount === undefined || !isFractional(amount)) return none;
  return [`${field}: fractional byte value ${writeJson(amount)} is invalid, must be an integer`];
}

/** A variable that is set twice, unless the second builds on the first. */
function hiddenVariables(env: readonly EnvVar[] | undefined, path: string): readonly string[] {
  if (env === undefined) return none;
  const list = asList(env);
  const repeats = repeatsIn(list.map(({ name }) => asString(name)));
  if (repeats.size === 0) return none;
  return list.flatMap(({ name = '', value = '', valueFrom }, index) => {
    if (!repeats.has(index)) return none;
    const reference = `$(${name})`;
    if (valueFrom === undefined && value.includes(reference) && value !== reference) return none;
    return [
      `${path}[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
    ];
  });
}
