import type { ComprehensionExpr, Expr } from '../syntax/ast.ts';
import { accumulator } from '../syntax/macro-fold.ts';
import { mapEntries, newGrowingMap } from '../value/map-key.ts';
import { celGoTypeName } from '../value/runtime-type.ts';
import { CelError, isBox, isCelList, isMap, type CelResult, type Value } from '../value/value.ts';
import { chargeCost, checkInterruption, countRound, type EvaluationFrame, type EvaluationStep } from './frame.ts';
import type { EvaluationPlan, Planner } from './planner.ts';

/** A planned loop: the slots of its variables and the steps of an iteration. */
interface Loop {
  readonly range: EvaluationStep;
  readonly init: EvaluationStep;
  readonly condition: EvaluationStep;
  readonly step: EvaluationStep;
  readonly result: EvaluationStep;
  readonly accumulator: number;
  readonly variables: readonly number[];
  /** Set when the loop only appends to a list: it is filled in place. */
  readonly append: Append | undefined;
}

/** Appends `element` in the iterations that `filter` accepts. */
interface Append {
  readonly filter: EvaluationStep | undefined;
  readonly element: EvaluationStep;
  /** Of `+ [element]`: the list is free when it is a constant. */
  readonly cost: number;
}

/** A fold over a list or a map. Follows cel-go interpreter/interpretable.go evalFold. */
export function planComprehension(planner: Planner, expr: ComprehensionExpr): EvaluationPlan {
  const range = planner.plan(expr.range).step;
  const init = buildsMap(expr) ? newGrowingMap : planner.plan(expr.init).step;
  const names = [expr.variable, ...(expr.variable2 === undefined ? [] : [expr.variable2])];
  return planner.withSlots([expr.accumulator], ([accumulated = 0]) =>
    planner.withSlots(names, (variables) => {
      const append = planner.observed ? undefined : planAppend(planner, expr);
      const loop: Loop = {
        range,
        init,
        condition: planner.plan(expr.condition).step,
        step: append?.element ?? planner.plan(expr.step).step,
        result: planner.plan(expr.result).step,
        accumulator: accumulated,
        variables,
        append,
      };
      return { step: (frame) => runLoop(frame, loop) };
    }),
  );
}

const buildsMap = ({ accumulator: name, init }: ComprehensionExpr): boolean =>
  name === accumulator && init.type === 'map' && init.entries.length === 0;

/** Collecting more elements than this takes noticeable time. */
const fewRounds = 100;

function runLoop(frame: EvaluationFrame, loop: Loop): CelResult {
  const range = loop.range(frame);
  if (range instanceof CelError) return range;
  const rounds = listRounds(range, loop.variables.length === 2);
  if (rounds instanceof CelError) return rounds;
  if (rounds.first.length > fewRounds) checkInterruption(frame);
  const start = loop.init(frame);
  frame.slots[loop.accumulator] = start;
  if (loop.append !== undefined) appendAll(frame, loop, loop.append, rounds);
  else foldAll(frame, loop, rounds);
  return loop.result(frame);
}

/** The values of the variables in each iteration: elements or keys, indices and elements, or keys and values. */
interface Rounds {
  readonly first: readonly Value[];
  readonly second: readonly Value[] | undefined;
}

function listRounds(range: Value, pairs: boolean): Rounds | CelError {
  const target = isBox(range, 'optional') ? (range.value ?? null) : range;
  if (isCelList(target)) return pairs ? indexRounds(target) : { first: target, second: undefined };
  if (isMap(target)) return mapRounds(mapEntries(target), pairs);
  const type = celGoTypeName(target);
  return new CelError(
    pairs ? `unsupported comprehension range type: ${type}` : `got '${type}', expected iterable type`,
  );
}

const indexRounds = (list: readonly Value[]): Rounds => ({ first: [...list.keys()], second: list });

const mapRounds = (entries: ReturnType<typeof mapEntries>, pairs: boolean): Rounds => ({
  first: entries.map(([key]) => key),
  second: pairs ? entries.map(([, value]) => value) : undefined,
});

function foldAll(frame: EvaluationFrame, loop: Loop, rounds: Rounds): void {
  const { accumulator: slot, variables } = loop;
  for (let index = 0; index < rounds.first.length; index += 1) {
    setVariables(frame, variables, rounds, index);
    if (loop.condition(frame) !== true) break;
    frame.slots[slot] = loop.step(frame);
    countRound(frame);
  }
}

function setVariables(frame: EvaluationFrame, variables: readonly number[], rounds: Rounds, index: number): void {
  frame.slots[variables[0] ?? 0] = rounds.first[index] ?? null;
  if (rounds.second !== undefined) frame.slots[variables[1] ?? 0] = rounds.second[index] ?? null;
}

const listCost = 10;

/** Costs what `result + [element]` costs, but does not copy the list in every round. */
function appendAll(frame: EvaluationFrame, loop: Loop, { filter, element, cost }: Append, rounds: Rounds): void {
  const collected: Value[] = [];
  let failure: CelError | undefined;
  for (let index = 0; index < rounds.first.length; index += 1) {
    setVariables(frame, loop.variables, rounds, index);
    const wanted = filter === undefined ? true : filter(frame);
    if (wanted === true) {
      chargeCost(frame, 1);
      const value = element(frame);
      chargeCost(frame, cost);
      if (value instanceof CelError) failure ??= value;
      else if (failure === undefined) collected.push(value);
    } else if (wanted !== false) {
      // A failed filter makes the result an error, which a later round replaces only by its own.
      failure = wanted instanceof CelError ? wanted : new CelError('no such overload');
    }
    countRound(frame);
  }
  frame.slots[loop.accumulator] = failure ?? collected;
}

/** Recognises the loops that the macros `map`, `filter` and `transformList` make. */
function planAppend(planner: Planner, expr: ComprehensionExpr): Append | undefined {
  if (expr.accumulator !== accumulator || expr.init.type !== 'list') return undefined;
  const { step } = expr;
  if (step.type !== 'call') return undefined;
  if (step.name === '_+_') return createAppend(planner, step, undefined);
  const [filter, added] = step.args;
  if (step.name !== '_?_:_' || filter === undefined || added === undefined) return undefined;
  return createAppend(planner, added, filter);
}

function createAppend(planner: Planner, added: Expr, filter: Expr | undefined): Append | undefined {
  const list = added.type === 'call' ? added.args[1] : undefined;
  const element = list?.type === 'list' ? list.elements[0] : undefined;
  if (element === undefined) return undefined;
  const { step, constant } = planner.plan(element);
  const cost = constant === undefined ? listCost + 1 : 1;
  return { filter: filter && planner.plan(filter).step, element: step, cost };
}
