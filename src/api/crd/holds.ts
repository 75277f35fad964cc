import { asList, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';

/** What stands anywhere in a schema, its root included. */
export interface Holds {
  readonly defaults: boolean;
  /** Sets, and lists that are maps. */
  readonly keyedLists: boolean;
  readonly embedded: boolean;
  readonly rules: boolean;
}

export const anything: Holds = { defaults: true, keyedLists: true, embedded: true, rules: true };

/** What stands in a schema that is part of one that holds `outer`: nothing else is looked for. */
export function holdsOf(json: JsonObject, outer: Holds): Holds {
  const found = { defaults: false, keyedLists: false, embedded: false, rules: false };
  look(json, outer, found);
  return found;
}

type Found = { -readonly [What in keyof Holds]: boolean };

function look(json: JsonObject, outer: Holds, found: Found): void {
  const listType = json['x-kubernetes-list-type'];
  found.defaults ||= json['default'] !== undefined && json['default'] !== null;
  found.keyedLists ||= listType === 'set' || listType === 'map';
  found.embedded ||= json['x-kubernetes-embedded-resource'] === true;
  found.rules ||= asList(json['x-kubernetes-validations']).length > 0;
  if (isAll(found, outer)) return;
  const { properties } = json;
  if (isJsonObject(properties)) for (const name in properties) lookInside(properties[name], outer, found);
  lookInside(json['additionalProperties'], outer, found);
  lookInside(json['items'], outer, found);
}

function lookInside(child: JsonValue | undefined, outer: Holds, found: Found): void {
  if (isJsonObject(child) && !isAll(found, outer)) look(child, outer, found);
}

const isAll = (found: Holds, outer: Holds): boolean =>
  (found.defaults || !outer.defaults) &&
  (found.keyedLists || !outer.keyedLists) &&
  (found.embedded || !outer.embedded) &&
  (found.rules || !outer.rules);
