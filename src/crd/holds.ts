import { asList, asObject, isJsonObject } from '../apimachinery/json.ts';
import type { JsonObject } from '../apimachinery/json.ts';
import { readOnce } from './properties.ts';

/** What stands anywhere in a schema, its root included. */
export interface Holds {
  readonly defaults: boolean;
  /** Sets, and lists that are maps. */
  readonly keyedLists: boolean;
  readonly embedded: boolean;
  readonly rules: boolean;
}

export const holdsOf: (json: JsonObject) => Holds = readOnce((json) => {
  const listType = json['x-kubernetes-list-type'];
  let defaults = json['default'] !== undefined && json['default'] !== null;
  let keyedLists = listType === 'set' || listType === 'map';
  let embedded = json['x-kubernetes-embedded-resource'] === true;
  let rules = asList(json['x-kubernetes-validations']).length > 0;
  for (const child of childrenOf(json)) {
    const inside = holdsOf(child);
    defaults ||= inside.defaults;
    keyedLists ||= inside.keyedLists;
    embedded ||= inside.embedded;
    rules ||= inside.rules;
  }
  return { defaults, keyedLists, embedded, rules };
});

/** The schemas directly below a node. */
function childrenOf(json: JsonObject): readonly JsonObject[] {
  const properties = Object.values(asObject(json['properties']));
  return [...properties, json['additionalProperties'], json['items']].filter((child) => isJsonObject(child));
}
