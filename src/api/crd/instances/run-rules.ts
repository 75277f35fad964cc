import { childPath } from '../prune.ts';
import {
  append,
  asList,
  asObject,
  asString,
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import type { FieldError, FieldErrorType } from '../../../machinery/meta/field-error.ts';
import {
  type CompiledRule,
  compileRule,
  compileRuleMessage,
  evaluateRules,
  type ValidationRule,
  ruleScope,
  type RuleScope,
  type UncompiledRule,
} from '../../../cel/index.ts';
import { createMapList, type Correlated } from '../correlated.ts';
import { trimSpace } from '../../../machinery/go/strings.ts';
import { additionalSchema, type Structural } from '../structural.ts';
import { normalizedFieldPath } from './rule-field-path.ts';

/** The cost limits of a resource and of one expression. Follows apiserver pkg/apis/cel/config.go. */
const resourceBudget = 10_000_000;
const expressionBudget = 1_000_000;

export interface ValidationResult {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

export interface RuleTarget {
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
  readonly path: string;
  /** Of the nearest parent: errors of unchanged values are dropped. */
  readonly nearest: Correlated | undefined;
  readonly correlated: Correlated | undefined;
}

/** Parents first. Follows apiextensions-apiserver pkg/apiserver/schema/cel/validation.go. */
export function runRules(tree: RuleNode, value: JsonValue, old?: JsonValue, correlated?: Correlated): ValidationResult {
  return runRulesAt(tree, { value, old, path: '', nearest: undefined, correlated });
}

export function runRulesAt(tree: RuleNode, target: RuleTarget): ValidationResult {
  const run: Run = { errors: [], warnings: [], budget: resourceBudget };
  visit(tree, target, run);
  return run;
}

interface Run {
  readonly errors: FieldError[];
  readonly warnings: string[];
  /** Negative: no more rules run. */
  budget: number;
}

function visit(node: RuleNode | undefined, target: RuleTarget, run: Run): void {
  const { value } = target;
  if (node === undefined || value === null || run.budget < 0) return;

  runOwn(node, target, run);
  if (isJsonObject(value)) visitFields(node, value, target, run);
  else if (isList(value)) visitItems(node, { ...target, items: value }, run);
}

function runOwn(node: RuleNode, { value, old, path, nearest, correlated }: RuleTarget, run: Run): void {
  const compiled = node.compiled();
  if (compiled === undefined) return;
  const isUnchanged = (): boolean => (correlated ?? nearest)?.isUnchanged() ?? false;
  const subject = { scope: compiled.scope, path, self: value, oldSelf: old ?? undefined, isUnchanged };
  const outcome = evaluateRules(compiled.rules, subject, run.budget, { costLimit: expressionBudget });
  append(run.errors, outcome.errors);
  append(run.warnings, outcome.warnings);
  run.budget = outcome.remaining;
}

function visitFields(node: RuleNode, object: JsonObject, target: RuleTarget, run: Run): void {
  const additional = node.additional();
  const fields = Object.keys(object);
  for (const field of additional === undefined ? [] : fields) {
    visit(additional, inside(target, field, `${target.path}[${field}]`), run);
  }
  for (const field of fields) {
    const property = node.property(field);
    if (property !== undefined) visit(property, inside(target, field, childPath(target.path, field)), run);
  }
}

function inside(target: RuleTarget, field: string, path: string): RuleTarget {
  const { value, old, nearest, correlated } = target;
  const at = (object: JsonValue | undefined): JsonValue | undefined =>
    isJsonObject(object) && Object.hasOwn(object, field) ? object[field] : undefined;
  const here = { value: at(value) ?? null, old: at(old), path };
  if (correlated === undefined) return { ...here, nearest, correlated };
  // apiVersion and kind of the old object are those of the conversion.
  if (nearest === undefined && (field === 'apiVersion' || field === 'kind')) {
    return { ...here, nearest: undefined, correlated: undefined };
  }
  return { ...here, nearest: correlated, correlated: correlated.key(field) };
}

interface ListTarget extends RuleTarget {
  readonly items: readonly JsonValue[];
}

function visitItems(node: RuleNode, target: ListTarget, run: Run): void {
  const element = node.items();
  if (element === undefined) return;
  const { items, old, path, nearest, correlated } = target;
  const oldItem = createMapList(old !== undefined && isList(old) ? old : [], node.schema);
  for (const [index, value] of items.entries()) {
    const at = { value, old: oldItem(value), path: `${path}[${index}]` };
    const inner =
      correlated === undefined
        ? { ...at, nearest, correlated }
        : { ...at, nearest: correlated, correlated: correlated.index(index) };
    visit(element, inner, run);
    if (run.budget < 0) return;
  }
}

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
  readonly rules: readonly (ValidationRule | UncompiledRule)[];
}

/** Nodes with rules inside, by schema, which a write of the definition's status keeps: its rules stay compiled. */
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
  const compiled: (ValidationRule | UncompiledRule)[] = [];
  for (const rule of rules) {
    compiled.push(...compiledRule(rule, scope, schema));
  }
  return { scope, rules: compiled };
}

function compiledRule(
  json: JsonObject,
  scope: RuleScope,
  schema: Structural,
): readonly (ValidationRule | UncompiledRule)[] {
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
