import { asList, type JsonValue } from '../../../machinery/json/json.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { type Expr, qualifiedName } from '../../../cel/index.ts';

/** The result of an expression with partly known variables. */
export type Truth =
  | { readonly outcome: 'value'; readonly value: JsonValue }
  | { readonly outcome: 'error'; readonly missing: Missing }
  | { readonly outcome: 'unknown' };

/** A name that cannot be read: it is null, or the map has no such key. */
export interface Missing {
  readonly name: string;
  readonly state: 'null' | 'absent';
}

/** A value, absent, or present with an unknown value. */
export type Fact = { readonly value: JsonValue } | 'absent' | 'present';

/** By qualified name: `request.operation`. */
interface Facts {
  readonly values: ReadonlyMap<string, Fact>;
  readonly variables: ReadonlyMap<string, Expr>;
}

const unknown: Truth = { outcome: 'unknown' };
const knownValue = (value: JsonValue): Truth => ({ outcome: 'value', value });
const missingError = (name: string, state: Missing['state']): Truth => ({ outcome: 'error', missing: { name, state } });

/**
 * Evaluates with CEL's logic: `false && error` is false, `true || error` is true; a field of null and an absent field
 * are errors. Anything that depends on an unknown is unknown.
 */
export function evaluateTruth(expr: Expr, facts: Facts): Truth {
  const name = nameOf(expr);
  const fact = facts.values.get(name ?? '');
  return name === undefined || fact === undefined ? evaluateParts(expr, name, facts) : truthOfFact(name, fact);
}

function evaluateParts(expr: Expr, name: string | undefined, facts: Facts): Truth {
  switch (expr.type) {
    case 'constant':
      return evaluateConstant(expr.constant);
    case 'select':
      return evaluateSelect(expr, name, facts);
    case 'call':
      return evaluateCall(expr, facts);
    case 'list':
      return evaluateList(expr.elements.map((element) => evaluateTruth(element, facts)));
    case 'map':
    case 'struct':
      return firstErrorOrUnknown(expr.entries.map(({ value }) => evaluateTruth(value, facts)));
    case 'comprehension':
      return firstErrorOrUnknown([evaluateTruth(expr.range, facts)]);
    case 'ident':
    case 'unspecified':
      return unknown;
  }
}

function truthOfFact(name: string, fact: Fact): Truth {
  if (fact === 'present') return unknown;
  return fact === 'absent' ? missingError(name, 'absent') : knownValue(fact.value);
}

const nameOf = (expr: Expr): string | undefined =>
  expr.type === 'constant' || expr.type === 'call' ? undefined : qualifiedName(expr);

function evaluateConstant(constant: Extract<Expr, { type: 'constant' }>['constant']): Truth {
  if (constant.type === 'bytes') return unknown;
  return knownValue(constant.type === 'null' ? null : constant.value);
}

/** A field of null, or `has()` of one, is an error; `variables.x` is the result of its expression. */
function evaluateSelect({ operand, field, testOnly }: Select, name: string | undefined, facts: Facts): Truth {
  const of = nameOf(operand) ?? '';
  const truth = evaluateTruth(operand, facts);
  if (truth.outcome === 'error') return truth;
  if (truth.outcome === 'value') return truth.value === null ? missingError(of, 'null') : unknown;
  if (testOnly) {
    const fact = facts.values.get(`${of}.${field}`);
    return fact === undefined ? unknown : knownValue(fact !== 'absent');
  }
  const variable = name?.startsWith('variables.') ? facts.variables.get(name.slice('variables.'.length)) : undefined;
  return variable === undefined ? unknown : evaluateTruth(variable, facts);
}

type Select = Extract<Expr, { type: 'select' }>;

function evaluateCall({ name, target, args }: Extract<Expr, { type: 'call' }>, facts: Facts): Truth {
  const at = (index: number): Truth => {
    const arg = args[index];
    return arg === undefined ? unknown : evaluateTruth(arg, facts);
  };
  switch (name) {
    case '_&&_':
      return evaluateLogical(at(0), at(1), false);
    case '_||_':
      return evaluateLogical(at(0), at(1), true);
    case '!_':
      return applyToValues([at(0)], ([value]) => (typeof value === 'boolean' ? !value : undefined));
    case '_?_:_':
      return evaluateConditional(
        at(0),
        () => at(1),
        () => at(2),
      );
    case '_==_':
    case '_!=_':
      return evaluateEquality(at(0), at(1), name === '_==_');
    case '@in':
      return applyToValues(
        [at(0), at(1)],
        ([one = null, list]) => Array.isArray(list) && asList(list).some((item) => sameJson(item, one)),
      );
    case 'orValue':
      return evaluateOptional(target, at(0), facts);
    case 'startsWith':
      return applyToValues([evaluateTarget(target, facts), at(0)], ([text, start]) =>
        typeof text === 'string' && typeof start === 'string' ? text.startsWith(start) : undefined,
      );
    default:
      return firstErrorOrUnknown([evaluateTarget(target, facts), ...args.map((_arg, index) => at(index))]);
  }
}

const evaluateTarget = (target: Expr | undefined, facts: Facts): Truth =>
  target === undefined ? unknown : evaluateTruth(target, facts);

/** `request.?subResource.orValue('')`. */
function evaluateOptional(target: Expr | undefined, otherwise: Truth, facts: Facts): Truth {
  const [operand, field] = target?.type === 'call' && target.name === '_?._' ? target.args : [];
  if (operand === undefined || field?.type !== 'constant' || field.constant.type !== 'string') return unknown;
  const truth = evaluateTruth(operand, facts);
  const fact = facts.values.get(`${nameOf(operand) ?? ''}.${field.constant.value}`);
  if (truth.outcome === 'error' || fact === undefined) return firstErrorOrUnknown([truth]);
  return fact === 'absent' ? otherwise : truthOfFact('', fact);
}

/** `decisive` decides whatever the other side is. */
function evaluateLogical(left: Truth, right: Truth, decisive: boolean): Truth {
  const sides = [left, right];
  if (sides.some((side) => side.outcome === 'value' && side.value === decisive)) return knownValue(decisive);
  if (sides.some((side) => side.outcome === 'unknown')) return unknown;
  return sides.find((side) => side.outcome === 'error') ?? knownValue(!decisive);
}

function evaluateEquality(one: Truth, other: Truth, isTrueIfSame: boolean): Truth {
  if (one.outcome !== 'value' || other.outcome !== 'value') return firstErrorOrUnknown([one, other]);
  return knownValue(sameJson(one.value, other.value) === isTrueIfSame);
}

function evaluateConditional(condition: Truth, yes: () => Truth, no: () => Truth): Truth {
  if (condition.outcome === 'value') return condition.value === true ? yes() : no();
  if (condition.outcome === 'error') return condition;
  const [one, other] = [yes(), no()];
  const isSame = one.outcome === 'value' && other.outcome === 'value' && sameJson(one.value, other.value);
  return isSame || (one.outcome === 'error' && other.outcome === 'error') ? one : unknown;
}

function firstErrorOrUnknown(parts: readonly Truth[]): Truth {
  return parts.find(({ outcome }) => outcome === 'error') ?? unknown;
}

function applyToValues(parts: readonly Truth[], apply: (values: readonly JsonValue[]) => boolean | undefined): Truth {
  const values: JsonValue[] = [];
  for (const part of parts) {
    if (part.outcome !== 'value') return firstErrorOrUnknown(parts);
    values.push(part.value);
  }
  const value = apply(values);
  return value === undefined ? unknown : knownValue(value);
}

function evaluateList(parts: readonly Truth[]): Truth {
  const values = parts.flatMap((part) => (part.outcome === 'value' ? [part.value] : []));
  return values.length < parts.length ? firstErrorOrUnknown(parts) : knownValue(values);
}
