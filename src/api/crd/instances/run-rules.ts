import { append } from '../../../machinery/json/append.ts';
import type { FieldError } from '../../../machinery/meta/field-error.ts';
import { isJsonObject, isList, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { evaluateRules } from '../../../cel/index.ts';
import { createMapList, type Correlated } from '../correlated.ts';
import { childPath } from '../embedded.ts';
import type { RuleNode } from './rule-tree.ts';

/** The cost limits of a resource and of one expression. Follows apiserver pkg/apis/cel/config.go. */
const resourceBudget = 10_000_000;
const expressionBudget = 1_000_000;

export interface RulesVerdict {
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
export function runRules(tree: RuleNode, value: JsonValue, old?: JsonValue, correlated?: Correlated): RulesVerdict {
  return runRulesAt(tree, { value, old, path: '', nearest: undefined, correlated });
}

export function runRulesAt(tree: RuleNode, target: RuleTarget): RulesVerdict {
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
