import type { ListExpr, MapExpr, StructExpr } from '../syntax/ast.ts';
import { charge } from './frame.ts';
import { mapOf } from '../value/map-key.ts';
import { constantPlan } from './planner.ts';
import type { Plan, Planner } from './planner.ts';
import { box, CelError, isBox, noSuchOverload } from '../value/value.ts';
import type { Result, Value } from '../value/value.ts';

const listCost = 10;
const mapCost = 30;
const structCost = 40;

/** `[a, b]`; one of constants is a constant and free. Follows cel-go interpreter/interpretable.go evalList. */
export function planList(planner: Planner, expr: ListExpr): Plan {
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
      charge(frame, listCost);
      return failure ?? elements;
    },
  };
}

/** The value of an entry; undefined leaves it out, which only one written with `?` can do. */
function entryValue(result: Result, optional: boolean): Result | undefined {
  if (!optional || result instanceof CelError) return result;
  return isBox(result, 'optional') ? result.value : noSuchOverload;
}

/** `{k: v}`. Duplicate keys are an error, but the last wins when all is constant. */
export function planMap(planner: Planner, expr: MapExpr): Plan {
  const plans = expr.entries.map(({ key, value, optional }) => ({
    key: planner.plan(key),
    value: planner.plan(value),
    optional,
  }));
  const constants = plans.flatMap(({ key, value }): readonly (readonly [Value, Value])[] =>
    key.constant && value.constant ? [[key.constant.value, value.constant.value]] : [],
  );
  if (constants.length === plans.length) {
    const value = mapOf(constants, true);
    if (!(value instanceof CelError)) return constantPlan(value);
  }
  return {
    step: (frame) => {
      const entries: (readonly [Value, Value])[] = [];
      let failure: CelError | undefined;
      for (const { key, value, optional } of plans) {
        const madeKey = key.step(frame);
        const made = madeKey instanceof CelError ? madeKey : entryValue(value.step(frame), optional);
        if (madeKey instanceof CelError || made instanceof CelError) {
          failure = made instanceof CelError ? made : undefined;
          break;
        }
        if (made !== undefined) entries.push([madeKey, made]);
      }
      charge(frame, mapCost);
      return failure ?? mapOf(entries);
    },
  };
}

/** `Name{field: value}`. */
export function planStruct(planner: Planner, expr: StructExpr): Plan {
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
      charge(frame, structCost);
      return failure ?? box('struct', { name, fields });
    },
  };
}
