import { asList, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { compileAhead } from '../../cel/engine.ts';
import { ruleNode } from '../instances/rule-tree.ts';
import type { RuleNode } from '../instances/rule-tree.ts';
import { readStructural } from '../structural.ts';
import { internalSpec, schemasIn } from './internal-form.ts';
import { forCreate, storedIn } from './strictness.ts';

/**
 * Does in small steps what takes long in `validateDefinition` and `validateDefinitionUpdate`: expressions are compiled,
 * those that defaults are judged by too. Who takes the steps can let others in between two.
 */
export function* definitionAhead(definition: JsonObject, old?: JsonObject): Generator<void, void> {
  const isStored = old ? storedIn(old) : forCreate.isStoredExpression;
  for (const schema of schemasIn(internalSpec(definition))) {
    yield* compileAhead(schema, isStored);
    yield* aroundDefaults(ruleNode(readStructural(schema), true));
  }
}

function* aroundDefaults(node: RuleNode | undefined): Generator<void, void> {
  if (node?.schema.holds.defaults !== true) return;
  const { fallback, properties } = node.schema;
  if (fallback !== undefined) yield* rulesFor(node, fallback);
  for (const name of properties.names) yield* aroundDefaults(node.property(name));
  yield* aroundDefaults(node.items());
}

/** The rules that a value meets. */
function* rulesFor(node: RuleNode | undefined, value: JsonValue): Generator<void, void> {
  if (node === undefined) return;
  node.compiled();
  yield;
  if (Array.isArray(value)) yield* rulesFor(node.items(), asList(value)[0] ?? null);
  else if (isJsonObject(value)) {
    for (const name of Object.keys(value))
      yield* rulesFor(node.property(name) ?? node.additional(), value[name] ?? null);
  }
}
