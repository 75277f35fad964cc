import type { Checked } from '../check/checker.ts';
import { type Type, typeName } from '../check/type.ts';
import type { ConstantExpr, Expr, IdentExpr, ListExpr, MapExpr, SelectExpr, StructExpr } from '../syntax/ast.ts';
import { createMap } from '../value/map-key.ts';
import { box, CelError, double, int, isBox, noSuchOverload, type CelResult, uint, type Value } from '../value/value.ts';
import { presenceStep } from './attribute.ts';
import { chargeCost, type EvaluationStep } from './frame.ts';
import { planCall } from './plan-call.ts';
import { planComprehension } from './plan-comprehension.ts';
import {
  toAttribute,
  attributePlan,
  constantPlan,
  type EvaluationPlan,
  type Planner,
  qualifiedPlan,
} from './planner.ts';

/** An expression ready to run: the step, and the variables it needs by slot. */
export interface Program {
  readonly step: EvaluationStep;
  /** The name of the variable in each of the first slots; '' for a slot of a loop. */
  readonly globals: readonly string[];
  readonly slots: number;
}

export type Planning =
  | { readonly outcome: 'planned'; readonly program: Program }
  | { readonly outcome: 'failed'; readonly error: string };

/**
 * Turns a checked expression into closures. With `observed`, every part reports its value to the frame's observer.
 * Follows cel-go interpreter/planner.go and decorators.go (constant folding).
 */
export function plan(checked: Checked, observed = false): Planning {
  const globals = new Map<string, number>();
  const scopes: (readonly [string, number])[] = [];
  let slots = 0;
  let failure: CelError | undefined;
  const newSlot = (): number => (slots += 1) - 1;
  const planner: Planner = {
    checked,
    observed,
    plan: (expr) => (observed ? observePlan(planExpr(planner, expr), expr) : planExpr(planner, expr)),
    globalSlot: (name) => {
      const slot = globals.get(name) ?? newSlot();
      globals.set(name, slot);
      return slot;
    },
    withSlots: (names, body) => {
      const assigned = names.map((name): readonly [string, number] => [name, newSlot()]);
      scopes.push(...assigned);
      const result = body(assigned.map(([, slot]) => slot));
      scopes.length -= assigned.length;
      return result;
    },
    localSlot: (name) => scopes.findLast(([scoped]) => scoped === name)?.[1],
    failed: (error) => {
      failure ??= error;
    },
  };
  const { step } = planner.plan(checked.ast.root);
  if (failure !== undefined) return { outcome: 'failed', error: failure.message };
  const names = Array.from({ length: Math.max(0, ...globals.values(), -1) + (globals.size > 0 ? 1 : 0) }, () => '');
  for (const [name, slot] of globals) names[slot] = name;
  return { outcome: 'planned', program: { step, globals: names, slots } };
}

function observePlan(inner: EvaluationPlan, expr: Expr): EvaluationPlan {
  const { step } = inner;
  return {
    ...inner,
    step: (frame) => {
      const result = step(frame);
      frame.observe?.(expr.id, result);
      return result;
    },
  };
}

function planExpr(planner: Planner, expr: Expr): EvaluationPlan {
  switch (expr.type) {
    case 'constant':
      return constantPlan(constantValue(expr));
    case 'ident':
      return planIdent(planner, expr);
    case 'select':
      return planSelect(planner, expr);
    case 'call':
      return planCall(planner, expr);
    case 'list':
      return planList(planner, expr);
    case 'map':
      return planMap(planner, expr);
    case 'struct':
      return planStruct(planner, expr);
    case 'comprehension':
      return planComprehension(planner, expr);
    case 'unspecified':
      return constantPlan(null);
  }
}

function constantValue({ constant }: ConstantExpr): Value {
  switch (constant.type) {
    case 'null':
      return null;
    case 'bool':
    case 'string':
    case 'bytes':
      return constant.value;
    case 'int':
      return nullIfError(int(constant.value));
    case 'uint':
      return nullIfError(uint(constant.value));
    case 'double':
      return double(constant.value);
  }
}

const nullIfError = (result: CelResult): Value => (result instanceof CelError ? null : result);

function planIdent(planner: Planner, { id, name }: IdentExpr): EvaluationPlan {
  const reference = planner.checked.references.get(id);
  if (reference?.means === 'ident') return planDeclared(planner, id, reference.declared);
  const slot = planner.localSlot(name);
  return slot === undefined ? constantPlan(null) : variablePlan(planner, id, slot);
}

function planDeclared(planner: Planner, id: number, { declared, name, type }: Declared): EvaluationPlan {
  if (declared === 'type') return constantPlan(box('type', typeValueName(type)));
  return variablePlan(planner, id, planner.globalSlot(name), name);
}

interface Declared {
  readonly declared: 'variable' | 'type';
  readonly name: string;
  readonly type: Type;
}

const typeValueName = (type: Type): string => (type.kind === 'type' && type.of ? typeName(type.of) : typeName(type));

function variablePlan({ observed }: Planner, id: number, slot: number, variable?: string): EvaluationPlan {
  const read: EvaluationStep = (frame) => frame.slots[slot] ?? null;
  const root: EvaluationStep = (frame) => {
    const value = read(frame);
    frame.observe?.(id, value);
    return value;
  };
  const attribute = { root: observed ? root : read, rootCost: 1, qualifiers: [] };
  return attributePlan(variable === undefined ? attribute : { ...attribute, variable });
}

function planSelect(planner: Planner, expr: SelectExpr): EvaluationPlan {
  const reference = planner.checked.references.get(expr.id);
  if (reference?.means === 'ident') return planDeclared(planner, expr.id, reference.declared);
  const attribute = toAttribute(planner.plan(expr.operand));
  if (expr.testOnly) return { step: presenceStep(attribute, expr.field) };
  return qualifiedPlan(attribute, { id: expr.id, optional: false, key: { constant: expr.field } });
}

const listCost = 10;
const mapCost = 30;
const structCost = 40;

/** `[a, b]`; one of constants is a constant and free. Follows cel-go interpreter/interpretable.go evalList. */
function planList(planner: Planner, expr: ListExpr): EvaluationPlan {
  const plans = expr.elements.map(planner.plan);
  const constants = plans.flatMap(({ constant }) => (constant === undefined ? [] : [constant.value]));
  if (constants.length === plans.length) return constantPlan(constants);
  const optional = new Set(expr.optional);
  const steps = plans.map(({ step }, index) => ({ step, optional: optional.has(index) }));
  return {
    step: (frame) => {
      const elements: Value[] = [];
      let failure: CelError | undefined;
      for (const { step, optional } of steps) {
        const value = entryValue(step(frame), optional);
        if (value instanceof CelError) {
          failure = value;
          break;
        }
        if (value !== undefined) elements.push(value);
      }
      chargeCost(frame, listCost);
      return failure ?? elements;
    },
  };
}

/** The value of an entry; undefined leaves it out (only with `?`). */
function entryValue(result: CelResult, optional: boolean): CelResult | undefined {
  if (!optional || result instanceof CelError) return result;
  return isBox(result, 'optional') ? result.value : noSuchOverload;
}

/** `{k: v}`. Duplicate keys are an error, but the last wins when all is constant. */
function planMap(planner: Planner, expr: MapExpr): EvaluationPlan {
  const plans = expr.entries.map(({ key, value, optional }) => ({
    key: planner.plan(key),
    value: planner.plan(value),
    optional,
  }));
  const constants = plans.flatMap(({ key, value }): readonly (readonly [Value, Value])[] =>
    key.constant && value.constant ? [[key.constant.value, value.constant.value]] : [],
  );
  if (constants.length === plans.length) {
    const value = createMap(constants, true);
    if (!(value instanceof CelError)) return constantPlan(value);
  }
  return {
    step: (frame) => {
      const entries: (readonly [Value, Value])[] = [];
      let failure: CelError | undefined;
      for (const { key, value, optional } of plans) {
        const entryKey = key.step(frame);
        const entryResult = entryKey instanceof CelError ? entryKey : entryValue(value.step(frame), optional);
        if (entryKey instanceof CelError || entryResult instanceof CelError) {
          failure = entryResult instanceof CelError ? entryResult : undefined;
          break;
        }
        if (entryResult !== undefined) entries.push([entryKey, entryResult]);
      }
      chargeCost(frame, mapCost);
      return failure ?? createMap(entries);
    },
  };
}

/** `Name{field: value}`. */
function planStruct(planner: Planner, expr: StructExpr): EvaluationPlan {
  const type = planner.checked.typeOf(expr.id);
  const name = type.kind === 'struct' ? type.name : expr.name;
  const plans = expr.entries.map(({ field, value, optional }) => ({ field, step: planner.plan(value).step, optional }));
  return {
    step: (frame) => {
      const fields = new Map<string, Value>();
      let failure: CelError | undefined;
      for (const { field, step, optional } of plans) {
        const value = entryValue(step(frame), optional);
        if (value instanceof CelError) {
          failure = value;
          break;
        }
        if (value !== undefined) fields.set(field, value);
      }
      chargeCost(frame, structCost);
      return failure ?? box('struct', { name, fields });
    },
  };
}
