import { mapKeyText } from '../value/convert.ts';
import { lookup } from '../value/map-key.ts';
import { celGoTypeName, runtimeTypeName } from '../value/runtime-type.ts';
import {
  Box,
  box,
  CelError,
  unboxDouble,
  isBox,
  isInt,
  isCelList,
  isJsonMap,
  isMap,
  noSuchKey,
  type CelResult,
  type Value,
} from '../value/value.ts';
import { chargeCost, type EvaluationFrame, type EvaluationStep } from './frame.ts';

/** One `.field` or `[key]` after a variable or another value. */
export interface Qualifier {
  readonly id: number;
  readonly optional: boolean;
  readonly key: { readonly constant: Value } | { readonly step: EvaluationStep };
}

/**
 * A value and the path into it. Resolving does not include the cost of the root: evaluating the attribute as an
 * expression adds `rootCost`. A ternary uses the attributes of its branches without paying for their roots.
 */
export interface Attribute {
  readonly root: EvaluationStep;
  readonly rootCost: number;
  readonly qualifiers: readonly Qualifier[];
  /** The variable of the environment that is the root. */
  readonly variable?: string;
}

/** The attribute as an expression. Follows cel-go interpreter/attributes.go. */
export function attributeStep({ rootCost, ...attribute }: Attribute): EvaluationStep {
  if (attribute.qualifiers.length === 0) return rootStep(attribute.root, rootCost);
  const resolve = resolveStep(attribute);
  return (frame) => {
    chargeCost(frame, rootCost);
    return resolve(frame);
  };
}

const rootStep =
  (root: EvaluationStep, rootCost: number): EvaluationStep =>
  (frame) => {
    chargeCost(frame, rootCost);
    return root(frame);
  };

/** The attribute without the cost of its root. */
export function resolveStep(attribute: Path): EvaluationStep {
  const { root } = attribute;
  return (frame) => {
    const value = root(frame);
    return value instanceof CelError ? value : resolvePath(frame, value, attribute);
  };
}

type Path = Omit<Attribute, 'rootCost'>;

function resolvePath(frame: EvaluationFrame, start: Value, { qualifiers, variable }: Path): CelResult {
  let value = start;
  let optional = false;
  for (const qualifier of qualifiers) {
    if (isBox(value, 'optional')) {
      if (value.value === undefined) return value;
      value = value.value;
      optional = true;
    }
    optional = optional || qualifier.optional;
    const next = resolveQualifier(frame, value, qualifier, { optional, variable });
    if (next === undefined) return box('optional', undefined);
    if (next instanceof CelError) return next;
    value = next;
  }
  return optional ? box('optional', value) : value;
}

/** One qualifier; it costs 1, also when it fails, but not when it is optional and absent. */
function resolveQualifier(
  frame: EvaluationFrame,
  value: Value,
  qualifier: Qualifier,
  { optional, variable }: QualifierContext,
): FieldResult {
  const key = evaluateKey(frame, qualifier);
  const element = key instanceof CelError ? key : (typedKeyError(frame, value, key, variable) ?? findIndex(value, key));
  if (element === undefined && optional) return undefined;
  chargeCost(frame, 1);
  const result = element === undefined ? absenceError(value, key) : element;
  frame.observe?.(qualifier.id, result);
  return result;
}

interface QualifierContext {
  readonly optional: boolean;
  readonly variable: string | undefined;
}

/**
 * A list that is a Go value accepts only int indexes, a map only string keys. Follows apiserver
 * pkg/cel/common/valuesschemalesstyped.go (since 1.37).
 */
function typedKeyError(
  frame: EvaluationFrame,
  value: Value,
  key: Value,
  variable: string | undefined,
): CelError | undefined {
  if (typeof key === 'string' || variable === undefined || frame.isTyped?.(variable) !== true) return undefined;
  if (isJsonMap(value)) return new CelError(`unsupported map key type: ${celGoTypeName(key)}`);
  if (!isCelList(value) || isInt(key)) return undefined;
  const index = listIndex(key);
  const isThere = typeof index === 'number' && index >= 0 && index < value.length;
  return isThere ? new CelError(`unsupported index type: ${celGoTypeName(key)}`) : undefined;
}

const absenceError = (value: Value, key: CelResult): CelError =>
  key instanceof CelError ? key : missingKeyError(value, key);

const evaluateKey = (frame: EvaluationFrame, { key }: Qualifier): CelResult =>
  'constant' in key ? key.constant : key.step(frame);

/** `has(operand.field)`: the path costs, the root does not. */
export function presenceStep(operand: Path, field: string): EvaluationStep {
  const resolve = operand.qualifiers.length === 0 ? operand.root : resolveStep(operand);
  return (frame) => {
    const value = resolve(frame);
    if (value instanceof CelError) return value;
    const target = isBox(value, 'optional') ? value.value : value;
    if (target === undefined) return false;
    chargeCost(frame, 1);
    const fieldValue = findField(target, field);
    return fieldValue instanceof CelError ? fieldValue : fieldValue !== undefined;
  };
}

/** The result of a selection or an index: a value, none, or an error. */
type FieldResult = CelResult | undefined;

/** The field of a value; undefined when it has none. Follows cel-go interpreter/attributes.go refQualify. */
function findField(value: Value, field: string): FieldResult {
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof Box) return findInBox(value, field);
  if (isCelList(value)) return unsupportedIndex(field);
  if (value instanceof Uint8Array) return undefined;
  return Object.hasOwn(value, field) ? value[field] : undefined;
}

function findInBox(value: Box, field: Value): FieldResult {
  if (isBox(value, 'map')) return lookup(value, field);
  if (typeof field !== 'string') return undefined;
  if (isBox(value, 'object')) return value.value.find(field);
  if (isBox(value, 'struct')) return value.value.fields.get(field);
  return isBox(value, 'lazy') ? value.value.get(field) : undefined;
}

/** The element of a list or the value of a map; undefined when it has none. */
function findIndex(value: Value, key: Value): FieldResult {
  if (isCelList(value)) {
    const index = listIndex(key);
    return typeof index === 'number' ? value[index] : index;
  }
  if (typeof key === 'string') return findField(value, key);
  return isMap(value) ? lookup(value, key) : undefined;
}

const unsupportedIndex = (key: Value): CelError =>
  new CelError(`unsupported index type '${runtimeTypeName(key)}' in list`);

/** Whole numbers of any type may index a list. -1 is out of range for every list. */
function listIndex(key: Value): number | CelError {
  if (isInt(key)) return typeof key === 'number' ? key : -1;
  const number = unboxDouble(key);
  if (number !== undefined) return Number.isSafeInteger(number) ? number : unsupportedIndex(key);
  return isBox(key, 'uint') ? Number(key.value) : unsupportedIndex(key);
}

/** The error about a key or an index that is not there. */
function missingKeyError(value: Value, key: Value): CelError {
  const text = mapKeyText(key);
  return isCelList(value) ? new CelError(`index out of bounds: ${text}`) : noSuchKey(text);
}
