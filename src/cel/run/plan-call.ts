import { declarationsForVersion, type MinorVersion } from '../check/declarations.ts';
import { isDyn, type Type, typeName } from '../check/type.ts';
import { callArguments, type CallExpr, type Expr } from '../syntax/ast.ts';
import { costOf, operationOf } from '../library/functions.ts';
import { CelError, isBox, noSuchOverload, type Value } from '../value/value.ts';
import { runtimeTypeName } from '../value/runtime-type.ts';
import { type Qualifier, resolveStep } from './attribute.ts';
import { type CelOperation, chargeCost, createMemoryBudget, type EvaluationStep } from './frame.ts';
import { callStep, isTypeConversion, setMembership } from './plan-function.ts';
import {
  toAttribute,
  attributePlan,
  constantPlan,
  type EvaluationPlan,
  type Planner,
  qualifiedPlan,
} from './planner.ts';
import { compileRegex } from './regex.ts';

/** Operators first, since they evaluate their operands in their own way. Follows cel-go interpreter/planner.go. */
export function planCall(planner: Planner, expr: CallExpr): EvaluationPlan {
  switch (expr.name) {
    case '_&&_':
    case '_||_':
      return planLogic(planner, expr, expr.name === '_||_');
    case '_?_:_':
      return planConditional(planner, expr);
    case '_[_]':
    case '_[?_]':
      return planIndex(planner, expr, expr.name === '_[?_]');
    case '_?._':
      return planOptionalSelect(planner, expr);
    case '@not_strictly_false':
      return planNotStrictlyFalse(planner, expr);
    default:
      return planFunction(planner, expr);
  }
}

const planArgument = (planner: Planner, expr: CallExpr, index: number): EvaluationPlan => {
  const arg: Expr | undefined = expr.args[index];
  return arg === undefined ? constantPlan(null) : planner.plan(arg);
};

/** `c ? a : b` is an attribute, so that fields of its result are looked up without paying for the branch's root. */
function planConditional(planner: Planner, expr: CallExpr): EvaluationPlan {
  const condition = planArgument(planner, expr, 0).step;
  const truthy = branchStep(planArgument(planner, expr, 1));
  const falsy = branchStep(planArgument(planner, expr, 2));
  const root: EvaluationStep = (frame) => {
    const chosen = condition(frame);
    if (chosen === true) return truthy(frame);
    if (chosen === false) return falsy(frame);
    return chosen instanceof CelError ? chosen : noSuchOverload;
  };
  return attributePlan({ root, rootCost: 0, qualifiers: [] });
}

const branchStep = ({ attribute, step }: EvaluationPlan): EvaluationStep =>
  attribute === undefined ? step : resolveStep(attribute);

function planIndex(planner: Planner, expr: CallExpr, optional: boolean): EvaluationPlan {
  const operand = toAttribute(planArgument(planner, expr, 0));
  const key = planArgument(planner, expr, 1);
  return qualifiedPlan(operand, { id: expr.id, optional, key: indexKey(key) });
}

const indexKey = ({ constant, attribute, step }: EvaluationPlan): Qualifier['key'] => {
  if (constant !== undefined) return { constant: constant.value };
  return { step: attribute === undefined ? step : resolveStep(attribute) };
};

function planOptionalSelect(planner: Planner, expr: CallExpr): EvaluationPlan {
  const operand = toAttribute(planArgument(planner, expr, 0));
  const field = planArgument(planner, expr, 1).constant?.value ?? null;
  return qualifiedPlan(operand, { id: expr.id, optional: true, key: { constant: field } });
}

/** Only `false` ends a quantifier; an error may still be absorbed. */
function planNotStrictlyFalse(planner: Planner, expr: CallExpr): EvaluationPlan {
  const { step } = planArgument(planner, expr, 0);
  return {
    step: (frame) => {
      const value = step(frame);
      chargeCost(frame, 1);
      return value !== false;
    },
  };
}

function planFunction(planner: Planner, expr: CallExpr): EvaluationPlan {
  const { name, overload, args } = resolveCall(planner, expr);
  const plans = args.map(planner.plan);
  checkConstantPattern(planner, name, plans);
  const membership = overload === 'in_list' ? setMembership(plans) : undefined;
  if (membership !== undefined) return membership;
  if (isOptionalFallback(overload)) return planFallback(plans, overload === 'optional_orValue_value');
  const operation = operationOf(name) ?? (() => noSuchOverload);
  const step = callStep(withOverloadError(name, plans.length, operation), plans, costOf(name, overload).runtime);
  return isTypeConversion(name) ? foldConversion(planner, plans, step) : { step };
}

/** The function that the checker found, its overload if it is only one, and the arguments with the receiver first. */
function resolveCall(planner: Planner, expr: CallExpr): ResolvedCall {
  const reference = planner.checked.references.get(expr.id);
  if (reference?.means !== 'function') return { name: expr.name, overload: '', args: expr.args };
  const { name, overloads } = reference;
  return { name, overload: overloads.length === 1 ? (overloads[0] ?? '') : '', args: callArguments(expr, name) };
}

interface ResolvedCall {
  readonly name: string;
  readonly overload: string;
  readonly args: readonly Expr[];
}

/** A constant pattern is compiled with the program. Follows apiserver pkg/cel/library/regex.go. */
function checkConstantPattern(planner: Planner, name: string, plans: readonly EvaluationPlan[]): void {
  const pattern = plans[1]?.constant?.value;
  if (!['matches', 'find', 'findAll'].includes(name) || typeof pattern !== 'string') return;
  const compiled = compileRegex(pattern);
  if (compiled instanceof CelError) planner.failed(compiled);
}

/** `int('42')` is evaluated when the program is planned, also if it fails. */
function foldConversion(planner: Planner, plans: readonly EvaluationPlan[], step: EvaluationStep): EvaluationPlan {
  const [argument] = plans;
  if (argument?.constant === undefined || plans.length !== 1) return { step };
  const value = step({
    slots: [],
    cost: 0,
    costLimit: Infinity,
    rounds: 0,
    interrupted: undefined,
    memory: createMemoryBudget(),
    observe: undefined,
    isTyped: undefined,
  });
  if (!(value instanceof CelError)) return constantPlan(value);
  planner.failed(value);
  return { step };
}

const isOptionalFallback = (overload: string): boolean =>
  overload === 'optional_orValue_value' || overload === 'optional_or_optional';

/**
 * `a.or(b)` and `a.orValue(b)` evaluate `b` only when `a` is none, and cost nothing; a value that is not optional is
 * the result.
 */
function planFallback(plans: readonly EvaluationPlan[], unwrap: boolean): EvaluationPlan {
  const [first = constantPlan(null), second = constantPlan(null)] = plans;
  return {
    step: (frame) => {
      const value = first.step(frame);
      if (value instanceof CelError) return value;
      if (!isBox(value, 'optional')) return value;
      if (value.value === undefined) return second.step(frame);
      return unwrap ? value.value : value;
    },
  };
}

/**
 * `&&` and `||`: one decisive operand is enough, on either side of a failure. Free of cost themselves.
 * Follows cel-go interpreter/interpretable.go evalOr and evalAnd.
 */
function planLogic(planner: Planner, expr: CallExpr, decisive: boolean): EvaluationPlan {
  const [left = constantPlan(null), right = constantPlan(null)] = expr.args.map(planner.plan);
  const first = left.step;
  const second = right.step;
  return {
    step: (frame) => {
      const a = first(frame);
      if (a === decisive) return decisive;
      const b = second(frame);
      if (b === decisive) return decisive;
      if (typeof a !== 'boolean') return a instanceof CelError ? a : noSuchOverload;
      if (typeof b !== 'boolean') return b instanceof CelError ? b : noSuchOverload;
      return !decisive;
    },
  };
}

const numbers = ['int', 'uint', 'double'];
const moments = ['google.protobuf.Timestamp', 'google.protobuf.Duration'];
const ordered = [...numbers, ...moments, 'string', 'bytes', 'bool'];

/** The types of the first operand that a function accepts; cel-go calls them traits. */
const operandTypes: ReadonlyMap<string, readonly string[]> = new Map([
  ['_+_', [...numbers, ...moments, 'string', 'bytes', 'list']],
  ['_-_', [...numbers, ...moments]],
  ['_*_', numbers],
  ['_/_', numbers],
  ['_%_', ['int', 'uint']],
  ['-_', ['int', 'double', 'bool', 'google.protobuf.Duration']],
  ['_<_', ordered],
  ['_<=_', ordered],
  ['_>_', ordered],
  ['_>=_', ordered],
  ['size', ['string', 'bytes', 'list', 'map']],
  ['sort', ['list']],
]);

/** Types whose values receive calls by name (cel-go's Receiver) and return an error of their own. */
const receivers: ReadonlySet<string> = new Set(['string', ...moments]);

/** Their errors do not name the types of the arguments. */
const plainErrors: ReadonlySet<string> = new Set(
  '!_ _==_ _!=_ @in type dyn contains startsWith endsWith matches find findAll'.split(' '),
);

/**
 * The operation, with cel-go's error when no overload matches the arguments: the name alone when the first operand
 * lacks the trait, the types of all arguments when overloads differ by type. Follows cel-go
 * interpreter/interpretable.go and common/decls/decls.go MaybeNoSuchOverload.
 */
function withOverloadError(name: string, count: number, operation: CelOperation): CelOperation {
  if (plainErrors.has(name)) return operation;
  return (a, b, c, d) => {
    const result = operation(a, b, c, d);
    return result === noSuchOverload ? noOverloadError(name, [a, b, c, d].slice(0, count)) : result;
  };
}

/** Does an overload accept these types? Then the function itself refused the values. */
const hasOverload = (name: string, types: readonly string[]): boolean =>
  (declarationsForVersion(everyVersion).overloads(name) ?? []).some(
    ({ args }) => args.length === types.length && args.every((type, at) => acceptsType(type, types[at] ?? '')),
  );

const everyVersion: MinorVersion = Number.MAX_SAFE_INTEGER;

const acceptsType = (type: Type, name: string): boolean =>
  isDyn(type) || type.kind === 'param' || typeName(type) === name;

function noOverloadError(name: string, values: readonly Value[]): CelError {
  const types = values.map(runtimeTypeName);
  const [first = ''] = types;
  if (name === 'flatten')
    return new CelError(`no such overload: ${first === 'map' ? 'map(dyn, dyn)' : first}.flatten()`);
  const abilities = operandTypes.get(name);
  if (abilities === undefined && hasOverload(name, types)) return noSuchOverload;
  if (abilities === undefined) return new CelError(`no such overload: ${name}(${types.join(', ')})`);
  return abilities.includes(first) || receivers.has(first) ? noSuchOverload : new CelError(`no such overload: ${name}`);
}
