import { asList } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';
import { qualifiedName } from '../../cel/index.ts';
import type { Expr } from '../../cel/index.ts';

/** What an expression comes to when only some of what it names is known. */
export type Truth =
  | { readonly outcome: 'value'; readonly value: JsonValue }
  | { readonly outcome: 'error' | 'unknown' };

/** What is known of a request: values by their whole names (`request.operation`); `object: null` says that there is none. */
export interface Facts {
  readonly values: ReadonlyMap<string, JsonValue>;
  /** The expressions of `variables`, by name. */
  readonly variables: ReadonlyMap<string, Expr>;
}

const unknown: Truth = { outcome: 'unknown' };
const error: Truth = { outcome: 'error' };
const known = (value: JsonValue): Truth => ({ outcome: 'value', value });

/**
 * Evaluates an expression over what is known, with CEL's logic: `false && error` is false, `true || error` is true, a field
 * of null is an error. What would need more than is known is unknown; nothing is guessed.
 */
export function truthOf(expr: Expr, facts: Facts): Truth {
  const name = nameOf(expr);
  if (name !== undefined && facts.values.has(name)) return known(facts.values.get(name) ?? null);
  if (expr.type === 'constant') return constantOf(expr.constant);
  if (expr.type === 'select') return ofOperand(truthOf(expr.operand, facts), name, facts);
  if (expr.type === 'call') return ofCall(expr, facts);
  if (expr.type === 'list') return listOf(expr.elements.map((element) => truthOf(element, facts)));
  return expr.type === 'comprehension' ? strict([truthOf(expr.range, facts)]) : unknown;
}

/** The name of an expression is put together once, however many requests it is held against. */
const names = new WeakMap<Expr, { readonly name: string | undefined }>();

function nameOf(expr: Expr): string | undefined {
  if (expr.type === 'constant' || expr.type === 'call') return undefined;
  const found = names.get(expr);
  if (found) return found.name;
  const name = qualifiedName(expr);
  names.set(expr, { name });
  return name;
}

function constantOf(constant: Extract<Expr, { type: 'constant' }>['constant']): Truth {
  if (constant.type === 'bytes') return unknown;
  return known(constant.type === 'null' ? null : constant.value);
}

/** A field of null, or `has()` of one, is an error; `variables.x` is what its expression comes to. */
function ofOperand(operand: Truth, name: string | undefined, facts: Facts): Truth {
  if (operand.outcome === 'error') return error;
  if (operand.outcome === 'value') return operand.value === null ? error : unknown;
  const variable = name?.startsWith('variables.') ? facts.variables.get(name.slice('variables.'.length)) : undefined;
  return variable === undefined ? unknown : truthOf(variable, facts);
}

function ofCall({ name, target, args }: Extract<Expr, { type: 'call' }>, facts: Facts): Truth {
  const at = (index: number): Truth => {
    const arg = args[index];
    return arg === undefined ? unknown : truthOf(arg, facts);
  };
  switch (name) {
    case '_&&_':
      return joined(at(0), at(1), false);
    case '_||_':
      return joined(at(0), at(1), true);
    case '!_':
      return mapped([at(0)], ([value]) => (typeof value === 'boolean' ? !value : undefined));
    case '_?_:_':
      return chosen(
        at(0),
        () => at(1),
        () => at(2),
      );
    case '_==_':
      return compared(at(0), at(1), true);
    case '_!=_':
      return compared(at(0), at(1), false);
    case '@in':
      return mapped(
        [at(0), at(1)],
        ([one = null, list]) => Array.isArray(list) && asList(list).some((item) => sameJson(item, one)),
      );
    case 'startsWith':
      return mapped([target === undefined ? unknown : truthOf(target, facts), at(0)], ([text, start]) =>
        typeof text === 'string' && typeof start === 'string' ? text.startsWith(start) : undefined,
      );
    default:
      return strict([
        ...(target === undefined ? [] : [truthOf(target, facts)]),
        ...args.map((_arg, index) => at(index)),
      ]);
  }
}

/** `decisive` ends it whatever the other side is. */
function joined(left: Truth, right: Truth, decisive: boolean): Truth {
  const sides = [left, right];
  if (sides.some((side) => side.outcome === 'value' && side.value === decisive)) return known(decisive);
  if (sides.some((side) => side.outcome === 'unknown')) return unknown;
  return sides.some((side) => side.outcome === 'error') ? error : known(!decisive);
}

function compared(one: Truth, other: Truth, isTrueIfSame: boolean): Truth {
  if (one.outcome !== 'value' || other.outcome !== 'value') return strict([one, other]);
  return known(sameJson(one.value, other.value) === isTrueIfSame);
}

function chosen(condition: Truth, yes: () => Truth, no: () => Truth): Truth {
  if (condition.outcome === 'value') return condition.value === true ? yes() : no();
  if (condition.outcome === 'error') return error;
  const [one, other] = [yes(), no()];
  const isSame = one.outcome === 'value' && other.outcome === 'value' && sameJson(one.value, other.value);
  return isSame || (one.outcome === 'error' && other.outcome === 'error') ? one : unknown;
}

function strict(parts: readonly Truth[]): Truth {
  return parts.some(({ outcome }) => outcome === 'error') ? error : unknown;
}

function mapped(parts: readonly Truth[], apply: (values: readonly JsonValue[]) => boolean | undefined): Truth {
  const values: JsonValue[] = [];
  for (const part of parts) {
    if (part.outcome !== 'value') return strict(parts);
    values.push(part.value);
  }
  const value = apply(values);
  return value === undefined ? unknown : known(value);
}

function listOf(parts: readonly Truth[]): Truth {
  const values = parts.flatMap((part) => (part.outcome === 'value' ? [part.value] : []));
  return values.length < parts.length ? strict(parts) : known(values);
}
