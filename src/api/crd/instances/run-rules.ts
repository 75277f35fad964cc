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
import { createMapListLookup, type CorrelatedObject } from '../correlated-object.ts';
import { trimSpace } from '../../../machinery/go/strings.ts';
import { additionalSchema, type Structural } from '../structural.ts';
import { normalizeFieldPath } from './rule-field-path.ts';

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
  readonly nearest: CorrelatedObject | undefined;
  readonly correlated: CorrelatedObject | undefined;
}

/** Parents first. Follows apiextensions-apiserver pkg/apiserver/schema/cel/validation.go. */
export function runRules(
  tree: RuleNode,
  value: JsonValue,
  old?: JsonValue,
  correlated?: CorrelatedObject,
): ValidationResult {
  return runRulesAt(tree, { value, old, path: '', nearest: undefined, correlated });
}

export function runRulesAt(tree: RuleNode, target: RuleTarget): ValidationResult {
  const run: RuleRun = { errors: [], warnings: [], budget: resourceBudget };
  runRulesOfValue(tree, target, run);
  return run;
}

interface RuleRun {
  readonly errors: FieldError[];
  readonly warnings: string[];
  /** Negative: no more rules run. */
  budget: number;
}

function runRulesOfValue(node: RuleNode | undefined, target: RuleTarget, run: RuleRun): void {
  const { value } = target;
  if (node === undefined || value === null || run.budget < 0) return;

  runNodeRules(node, target, run);
  if (isJsonObject(value)) runFieldRules(node, value, target, run);
  else if (isList(value)) runItemRules(node, { ...target, items: value }, run);
}

function runNodeRules(node: RuleNode, { value, old, path, nearest, correlated }: RuleTarget, run: RuleRun): void {
  const compiled = node.compiled();
  if (compiled === undefined) return;
  const isUnchanged = (): boolean => (correlated ?? nearest)?.isUnchanged() ?? false;
  const subject = { scope: compiled.scope, path, self: value, oldSelf: old ?? undefined, isUnchanged };
  const outcome = evaluateRules(compiled.rules, subject, run.budget, { costLimit: expressionBudget });
  append(run.errors, outcome.errors);
  append(run.warnings, outcome.warnings);
  run.budget = outcome.remaining;
}

function runFieldRules(node: RuleNode, object: JsonObject, target: RuleTarget, run: RuleRun): void {
  const additional = node.additional();
  const fields = Object.keys(object);
  for (const field of additional === undefined ? [] : fields) {
    runRulesOfValue(additional, toFieldTarget(target, field, `${target.path}[${field}]`), run);
  }
  for (const field of fields) {
    const property = node.property(field);
    if (property !== undefined)
      runRulesOfValue(property, toFieldTarget(target, field, childPath(target.path, field)), run);
  }
}

function toFieldTarget(target: RuleTarget, field: string, path: string): RuleTarget {
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

function runItemRules(node: RuleNode, target: ListTarget, run: RuleRun): void {
  const element = node.items();
  if (element === undefined) return;
  const { items, old, path, nearest, correlated } = target;
  const oldItem = createMapListLookup(old !== undefined && isList(old) ? old : [], node.schema);
  for (const [index, value] of items.entries()) {
    const at = { value, old: oldItem(value), path: `${path}[${index}]` };
    const inner =
      correlated === undefined
        ? { ...at, nearest, correlated }
        : { ...at, nearest: correlated, correlated: correlated.index(index) };
    runRulesOfValue(element, inner, run);
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
const resourceNodes = new WeakMap<JsonObject, RuleNode>();
const valueNodes = new WeakMap<JsonObject, RuleNode>();

/**
 * undefined without rules. `isResource`: a root or embedded resource. Follows apiextensions-apiserver
 * pkg/apiserver/schema/cel/validation.go NewValidator.
 */
export function getRuleNode(schema: Structural | undefined, isResource: boolean): RuleNode | undefined {
  if (schema?.features.rules !== true) return undefined;
  const known = isResource ? resourceNodes : valueNodes;
  const node = known.get(schema.json) ?? createRuleNode(schema, isResource);
  known.set(schema.json, node);
  return node;
}

function createRuleNode(schema: Structural, isResource: boolean): RuleNode {
  const rules = asList(schema.json['x-kubernetes-validations']).map(asObject);
  let compiled: { readonly node: CompiledNode | undefined } | undefined;
  const inner = (child: Structural | undefined): RuleNode | undefined => getRuleNode(child, child?.embedded === true);
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
    compiled.push(...compileNodeRule(rule, scope, schema));
  }
  return { scope, rules: compiled };
}

function compileNodeRule(
  json: JsonObject,
  scope: RuleScope,
  schema: Structural,
): readonly (ValidationRule | UncompiledRule)[] {
  const text = asString(json['rule']);
  if (trimSpace(text) === '') return [];
  const optionalOldSelf = json['optionalOldSelf'] === true;
  const compilation = compileRule(scope, text, { stored: true, optionalOldSelf });
  if (compilation.outcome === 'failed') return [compilation];
  const fieldPath = normalizeFieldPath(asString(json['fieldPath']), schema);
  return [
    {
      rule: compilation.rule,
      text,
      message: asString(json['message']),
      messageExpression: compileMessage(asString(json['messageExpression']), scope, optionalOldSelf),
      optionalOldSelf,
      reason: readReason(json['reason']),
      fieldPath: fieldPath === '' ? undefined : `.${fieldPath}`,
    },
  ];
}

function compileMessage(text: string, scope: RuleScope, optionalOldSelf: boolean): CompiledRule | undefined {
  if (text === '') return undefined;
  const compilation = compileRuleMessage(scope, text, { stored: true, optionalOldSelf });
  return compilation.outcome === 'failed' ? undefined : compilation.rule;
}

const ruleReasons: Readonly<Record<string, FieldErrorType>> = {
  FieldValueInvalid: 'FieldValueInvalid',
  FieldValueForbidden: 'FieldValueForbidden',
  FieldValueRequired: 'FieldValueRequired',
  FieldValueDuplicate: 'FieldValueDuplicate',
};

const readReason = (json: JsonValue | undefined): FieldErrorType | undefined =>
  Object.hasOwn(ruleReasons, asString(json)) ? ruleReasons[asString(json)] : undefined;
