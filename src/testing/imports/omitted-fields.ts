import { asList, asObject, asString, isJsonObject, isList } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';

/** `spec.hostNetwork` for `hostNetwork: false`: what is sent and, since it is empty, no longer there when policies see the object. */
export function omittedFields(sent: JsonValue, stored: JsonValue | undefined, path = ''): readonly string[] {
  if (isList(sent)) return sent.flatMap((item, at) => omittedFields(item, asList(stored)[at], path));
  if (!isJsonObject(sent)) return [];
  const there = asObject(stored);
  return Object.entries(sent).flatMap(([name, value]) => {
    const field = path === '' ? name : `${path}.${name}`;
    if (value === false || value === 0 || value === '') return there[name] === undefined ? [field] : [];
    return omittedFields(value ?? null, there[name], field);
  });
}

/** The first of these fields that a policy wants to be there and empty: `has(object.spec.hostNetwork) && !object.spec.hostNetwork`. */
export function wantedField(fields: readonly string[], policies: readonly JsonObject[]): string | undefined {
  const texts = policies.flatMap(({ spec }) =>
    ['variables', 'validations'].flatMap((part) =>
      asList(asObject(spec)[part]).map((one) => asString(asObject(one)['expression'])),
    ),
  );
  return fields.find((field) => texts.some((text) => wants(text, field)));
}

function wants(text: string, field: string): boolean {
  const [, ...calls] = text.replaceAll(/\s/g, '').split('has(');
  return calls.some((call) => {
    const operand = call.slice(0, Math.max(0, call.indexOf(')')));
    return operand.endsWith(`.${field}`) && call.startsWith(`${operand})&&!${operand}`);
  });
}
