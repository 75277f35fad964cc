import { sameJson } from '../../machinery/json/json-equal.ts';
import { asString, isJsonObject, isList, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import type { Trace } from '../../explain/trace/trace.ts';

/** What changes a request now, and which fields. */
interface ChangedNow {
  /** `policy team-label`, `webhook a.example.com`. */
  readonly by: string;
  /** JSON pointers. */
  readonly fields: readonly string[];
}

/**
 * What changes a request now that did not change it then: compares the logged response object with the patches of
 * policies and webhooks. Without a response object all patches count.
 */
export function changedNow(
  trace: Pick<Trace, 'admission'> | undefined,
  then: JsonObject | undefined,
): readonly ChangedNow[] {
  const found = new Map<string, Set<string>>();
  for (const { type, name, patch } of (trace?.admission ?? []).filter((one) => one.type !== 'plugin')) {
    for (const operation of patch ?? []) {
      const path = asString(operation['path']);
      if (then && wasSo(then, operation, path)) continue;
      const by = `${type} ${name}`;
      found.set(by, (found.get(by) ?? new Set()).add(path));
    }
  }
  return [...found].map(([by, fields]) => ({ by, fields: [...fields] }));
}

function wasSo(then: JsonObject, { op, value }: JsonObject, path: string): boolean {
  const there = valueAtPointer(then, path);
  if (op === 'remove') return there === undefined;
  return there !== undefined && includes(there, value);
}

/** Whether all of it is present; others may have added more. */
const includes = (there: JsonValue, wanted: JsonValue | undefined): boolean =>
  isJsonObject(there) && isJsonObject(wanted)
    ? Object.entries(wanted).every(([field, value]) => value === undefined || includes(there[field] ?? null, value))
    : sameJson(there, wanted ?? null);

function valueAtPointer(object: JsonObject, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (isJsonObject(value)) value = value[name];
    else if (isList(value)) value = value[Number(name)];
    else return undefined;
  }
  return value;
}
