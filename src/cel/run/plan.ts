import type { ConstantExpr, Expr, IdentExpr, SelectExpr } from '../syntax/ast.ts';
import { presenceStep } from './attribute.ts';
import type { Checked } from '../check/checked.ts';
import type { Step } from './frame.ts';
import type { Operations } from './operation.ts';
import { planCall } from './plan-call.ts';
import { planComprehension } from './plan-comprehension.ts';
import { planList, planMap, planStruct } from './plan-literal.ts';
import { attributeOf, attributePlan, constantPlan, qualified } from './planner.ts';
import type { Plan, Planner } from './planner.ts';
import { typeName } from '../check/type.ts';
import type { Type } from '../check/type.ts';
import { box, CelError, double, int, uint } from '../value/value.ts';
import type { Result, Value } from '../value/value.ts';

/** An expression ready to run: the step, and the variables it needs by slot. */
export interface Program {
  readonly step: Step;
  /** The name of the variable in each of the first slots; '' where a loop keeps its own. */
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
export function plan(checked: Checked, operations: Operations, observed = false): Planning {
  const globals = new Map<string, number>();
  const scopes: (readonly [string, number])[] = [];
  let slots = 0;
  let failure: CelError | undefined;
  const newSlot = (): number => (slots += 1) - 1;
  const planner: Planner = {
    checked,
    operations,
    observed,
    plan: (expr) => (observed ? observedPlan(planExpr(planner, expr), expr) : planExpr(planner, expr)),
    globalSlot: (name) => {
      const slot = globals.get(name) ?? newSlot();
      globals.set(name, slot);
      return slot;
    },
    withSlots: (names, body) => {
      const made = names.map((name): readonly [string, number] => [name, newSlot()]);
      scopes.push(...made);
      const result = body(made.map(([, slot]) => slot));
      scopes.length -= made.length;
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

function observedPlan(made: Plan, expr: Expr): Plan {
  const { step } = made;
  return {
    ...made,
    step: (frame) => {
      const result = step(frame);
      frame.observe?.(expr.id, result);
      return result;
    },
  };
}

function planExpr(planner: Planner, expr: Expr): Plan {
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
      return valueOf(int(constant.value));
    case 'uint':
      return valueOf(uint(constant.value));
    case 'double':
      return double(constant.value);
  }
}

const valueOf = (result: Result): Value => (result instanceof CelError ? null : result);

function planIdent(planner: Planner, { id, name }: IdentExpr): Plan {
  const reference = planner.checked.references.get(id);
  if (reference?.means === 'ident') return planDeclared(planner, id, reference.declared);
  const slot = planner.localSlot(name);
  return slot === undefined ? constantPlan(null) : variablePlan(planner, id, slot);
}

function planDeclared(planner: Planner, id: number, { declared, name, type }: Declared): Plan {
  if (declared === 'type') return constantPlan(box('type', typeValueName(type)));
  return variablePlan(planner, id, planner.globalSlot(name));
}

interface Declared {
  readonly declared: 'variable' | 'type';
  readonly name: string;
  readonly type: Type;
}

const typeValueName = (type: Type): string => (type.kind === 'type' && type.of ? typeName(type.of) : typeName(type));

function variablePlan({ observed }: Planner, id: number, slot: number): Plan {
  const read: Step = (frame) => frame.slots[slot] ?? null;
  const root: Step = (frame) => {
    const value = read(frame);
    frame.observe?.(id, value);
    return value;
  };
  return attributePlan({ root: observed ? root : read, rootCost: 1, qualifiers: [] });
}

function planSelect(planner: Planner, expr: SelectExpr): Plan {
  const reference = planner.checked.references.get(expr.id);
  if (reference?.means === 'ident') return planDeclared(planner, expr.id, reference.declared);
  const attribute = attributeOf(planner.plan(expr.operand));
  if (expr.testOnly) return { step: presenceStep(attribute, expr.field) };
  return qualified(attribute, { id: expr.id, optional: false, key: { constant: expr.field } });
}
