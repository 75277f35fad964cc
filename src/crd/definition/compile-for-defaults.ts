import { asList, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import type { Steps } from '../../apimachinery/pause.ts';
import { ruleNode } from '../instances/rule-tree.ts';
import type { RuleNode } from '../instances/rule-tree.ts';
import { readStructural } from '../structural.ts';

/** Compiles the rules that the defaults of a schema are judged by, a place a step. */
export const compileForDefaults = (schema: JsonObject): Steps<void> =>
  aroundDefaults(ruleNode(readStructural(schema), true));

function* aroundDefaults(node: RuleNode | undefined): Steps<void> {
  if (node?.schema.holds.defaults !== true) return;
  const { fallback, properties } = node.schema;
  yield;
  if (fallback !== undefined) yield* rulesFor(node, fallback);
  for (const name of properties.names) yield* aroundDefaults(node.property(name));
  yield* aroundDefaults(node.items());
}

/** The rules that a value meets. */
function* rulesFor(node: RuleNode | undefined, value: JsonValue): Steps<void> {
  if (node === undefined) return;
  yield* node.compiled();
  yield;
  if (Array.isArray(value)) yield* rulesFor(node.items(), asList(value)[0] ?? null);
  else if (isJsonObject(value)) {
    for (const name of Object.keys(value))
      yield* rulesFor(node.property(name) ?? node.additional(), value[name] ?? null);
  }
}
