import { trimSpace } from '../../../machinery/go/trim-space.ts';
import type { FieldErrorType } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { compileRule, compileRuleMessage, ruleScope } from '../../../cel/index.ts';
import type { CompiledRule, Rule, RuleScope, UncompiledRule } from '../../../cel/index.ts';
import { additionalSchema, type Structural } from '../structural.ts';
import { normalizedFieldPath } from './rule-field-path.ts';

export interface RuleNode {
  readonly schema: Structural;
  /** Compiled at first use; undefined without rules or for values invisible to expressions. */
  readonly compiled: () => CompiledNode | undefined;
  readonly property: (name: string) => RuleNode | undefined;
  readonly additional: () => RuleNode | undefined;
  readonly items: () => RuleNode | undefined;
}

export interface CompiledNode {
  readonly scope: RuleScope;
  readonly rules: readonly (Rule | UncompiledRule)[];
}

/** Only nodes with rules inside are cached. */
const resources = new WeakMap<JsonObject, RuleNode>();
const values = new WeakMap<JsonObject, RuleNode>();

/**
 * undefined without rules. `isResource`: a root or embedded resource. Follows apiextensions-apiserver
 * pkg/apiserver/schema/cel/validation.go NewValidator.
 */
export function ruleNode(schema: Structural | undefined, isResource: boolean): RuleNode | undefined {
  if (schema?.holds.rules !== true) return undefined;
  const known = isResource ? resources : values;
  const node = known.get(schema.json) ?? createRuleNode(schema, isResource);
  known.set(schema.json, node);
  return node;
}

function createRuleNode(schema: Structural, isResource: boolean): RuleNode {
  const rules = asList(schema.json['x-kubernetes-validations']).map(asObject);
  let compiled: { readonly node: CompiledNode | undefined } | undefined;
  const inner = (child: Structural | undefined): RuleNode | undefined => ruleNode(child, child?.embedded === true);
  return {
    schema,
    compiled() {
      compiled ??= { node: compileNode(schema, rules, isResource) };
      return compiled.node;
    },
    property: (name) => inner(schema.properties.get(name)),
    additional: () => inner(additionalSchema(schema)),
    items: () => inner(schema.items),
  };
}

function compileNode(schema: Structural, rules: readonly JsonObject[], isResource: boolean): CompiledNode | undefined {
  if (rules.length === 0) return undefined;
  const scope = ruleScope(schema.json, isResource);
  if (!scope) return undefined;
  const compiled: (Rule | UncompiledRule)[] = [];
  for (const rule of rules) {
    compiled.push(...compiledRule(rule, scope, schema));
  }
  return { scope, rules: compiled };
}

function compiledRule(json: JsonObject, scope: RuleScope, schema: Structural): readonly (Rule | UncompiledRule)[] {
  const text = asString(json['rule']);
  if (trimSpace(text) === '') return [];
  const optionalOldSelf = json['optionalOldSelf'] === true;
  const compilation = compileRule(scope, text, { stored: true, optionalOldSelf });
  if (compilation.outcome === 'failed') return [compilation];
  const fieldPath = normalizedFieldPath(asString(json['fieldPath']), schema);
  return [
    {
      rule: compilation.rule,
      text,
      message: asString(json['message']),
      messageExpression: compiledMessage(asString(json['messageExpression']), scope, optionalOldSelf),
      optionalOldSelf,
      reason: reasonOf(json['reason']),
      fieldPath: fieldPath === '' ? undefined : `.${fieldPath}`,
    },
  ];
}

function compiledMessage(text: string, scope: RuleScope, optionalOldSelf: boolean): CompiledRule | undefined {
  if (text === '') return undefined;
  const compilation = compileRuleMessage(scope, text, { stored: true, optionalOldSelf });
  return compilation.outcome === 'failed' ? undefined : compilation.rule;
}

const reasons: Readonly<Record<string, FieldErrorType>> = {
  FieldValueInvalid: 'FieldValueInvalid',
  FieldValueForbidden: 'FieldValueForbidden',
  FieldValueRequired: 'FieldValueRequired',
  FieldValueDuplicate: 'FieldValueDuplicate',
};

const reasonOf = (json: JsonValue | undefined): FieldErrorType | undefined =>
  Object.hasOwn(reasons, asString(json)) ? reasons[asString(json)] : undefined;
