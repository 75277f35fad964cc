import { asList, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { ruleNode } from '../instances/rule-tree.ts';
import type { RuleNode } from '../instances/rule-tree.ts';
import { readStructural } from '../structural.ts';

/** Compiles the rules that the defaults of a schema are judged by, a place a step. */
export const compileForDefaults = (schema: JsonObject): void => aroundDefaults(ruleNode(readStructural(schema), true));

function aroundDefaults(node: RuleNode | undefined): void {
  if (node?.schema.holds.defaults !== true) return;
  const { fallback, properties } = node.schema;

  if (fallback !== undefined) rulesFor(node, fallback);
  for (const name of properties.names) aroundDefaults(node.property(name));
  aroundDefaults(node.items());
}

/** The rules that a value meets. */
function rulesFor(node: RuleNode | undefined, value: JsonValue): void {
  if (node === undefined) return;
  node.compiled();

  if (Array.isArray(value)) rulesFor(node.items(), asList(value)[0] ?? null);
  else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) rulesFor(node.property(name) ?? node.additional(), value[name] ?? null);
  }
}
