import type { JsonObject } from '../../machinery/json/json.ts';
import type {
  AuthorizerValue,
  Cidr,
  IpAddress,
  NamedFormat,
  QuantityValue,
  Semver,
  Url,
} from '../library/opaque-values.ts';

/** How a list that a schema declares to be a set or a map compares and adds. */
export interface ListKind {
  /** Why it cannot be compared with, or added to, another list. */
  readonly operandError: (other: readonly Value[]) => CelError | undefined;
  readonly equals: (other: readonly Value[]) => boolean;
  readonly add: (other: readonly Value[]) => readonly Value[];
}

/** A property of the list: V8 promotes the values of a WeakMap to the old generation, live or not. */
const kind = Symbol('list kind');

/** The list, marked to be of that kind. A copy of it is not. */
export const markListKind = (list: readonly Value[], value: ListKind): readonly Value[] =>
  Object.defineProperty(list, kind, { value });

export const listKindOf = (list: readonly Value[] & { readonly [kind]?: ListKind }): ListKind | undefined => list[kind];

/**
 * A CEL value. Values with a JSON form are the JSON value itself, so that objects need no conversion:
 *
 * - int: a number when it is a safe integer, else a bigint;
 * - double: a number when it is no safe integer (`0.5`, NaN, `1e300`), else boxed (`1.0`);
 * - list: an array; map with string keys: a plain object;
 * - everything else: boxed. A box is a class instance, which no user's object can imitate.
 */
export type Value = null | boolean | number | bigint | string | Uint8Array | readonly Value[] | JsonObject | AnyBox;

interface Boxes {
  readonly double: number;
  readonly uint: bigint;
  /** Nanoseconds since 1970. */
  readonly timestamp: bigint;
  /** Nanoseconds. */
  readonly duration: bigint;
  /** The name of a type. */
  readonly type: string;
  readonly optional: Value | undefined;
  readonly map: CelMap;
  readonly object: TypedObject;
  readonly struct: CelStruct;
  readonly lazy: LazyFields;
  readonly url: Url;
  readonly ip: IpAddress;
  readonly cidr: Cidr;
  readonly quantity: QuantityValue;
  readonly semver: Semver;
  readonly format: NamedFormat;
  readonly authorizer: AuthorizerValue;
}

export class Box<K extends keyof Boxes = keyof Boxes> {
  readonly kind: K;
  readonly value: Boxes[K];
  constructor(kind: K, value: Boxes[K]) {
    this.kind = kind;
    this.value = value;
  }
}

/** A box of any kind, discriminated by `kind`. */
export type AnyBox = { readonly [K in keyof Boxes]: Box<K> }[keyof Boxes];

/** A map with keys of any type, by `mapKey`. */
export type CelMap = ReadonlyMap<MapKey, readonly [key: Value, value: Value]>;
export type MapKey = string | number | bigint | boolean;

/** A message such as `Object.spec{…}`. */
export interface CelStruct {
  readonly name: string;
  readonly fields: ReadonlyMap<string, Value>;
}

/** An object that a schema describes: fields by their escaped names, and only those that the schema knows. */
export interface TypedObject {
  readonly find: (field: string) => CelResult | undefined;
  readonly fields: () => readonly string[];
  /** Counts unknown fields too. */
  readonly size: number;
  readonly equals: (other: Value) => boolean;
  readonly raw: JsonObject;
}

/** An object whose fields are worked out when they are first read, such as `variables`. */
export interface LazyFields {
  readonly get: (field: string) => CelResult | undefined;
}

/** A failed evaluation; errors are values, since `||` and `&&` can absorb them. */
export class CelError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export type CelResult = Value | CelError;

export const noSuchOverload = new CelError('no such overload');
export const noSuchKey = (key: string): CelError => new CelError(`no such key: ${key}`);

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

export const integerOverflow = new CelError('integer overflow');
export const unsignedOverflow = new CelError('unsigned integer overflow');

export const box = <K extends keyof Boxes>(kind: K, value: Boxes[K]): Box<K> => new Box(kind, value);

/** The double with this value. */
export const double = (value: number): Value => (Number.isSafeInteger(value) ? new Box('double', value) : value);

/** The int with this value, or the overflow. */
export function int(value: bigint): CelResult {
  if (value < minInt || value > maxInt) return integerOverflow;
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

/** The uint with this value, or the overflow. */
export const uint = (value: bigint): CelResult =>
  value < 0n || value > maxUint ? unsignedOverflow : new Box('uint', value);

export const isInt = (value: CelResult): value is number | bigint =>
  typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'bigint';

/** A small int as a number: an index, a count. undefined for everything else. */
export const smallInt = (value: CelResult): number | undefined => (isInt(value) ? Number(value) : undefined);

/** The number that a double holds; undefined for every other value. */
export function unboxDouble(value: CelResult): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? undefined : value;
  return value instanceof Box && value.kind === 'double' ? unbox(value, 'double') : undefined;
}

/** What a box of this kind holds; undefined for every other value. */
export function unbox<K extends keyof Boxes>(value: CelResult, kind: K): Boxes[K] | undefined {
  return isBox(value, kind) ? value.value : undefined;
}

export const isBox = <K extends keyof Boxes>(value: unknown, kind: K): value is Box<K> =>
  value instanceof Box && value.kind === kind;

/** An operation on what a box of this kind holds, and an argument. */
export const onBox =
  <K extends keyof Boxes>(kind: K, run: (held: Boxes[K], argument: Value) => CelResult) =>
  (value: Value, argument: Value): CelResult =>
    isBox(value, kind) ? run(value.value, argument) : noSuchOverload;

export const isCelList = (value: unknown): value is readonly Value[] => Array.isArray(value);

/** A JSON object used as a map. */
export const isJsonMap = (value: CelResult): value is JsonObject =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Box) &&
  !Array.isArray(value) &&
  !(value instanceof CelError) &&
  !(value instanceof Uint8Array);

/** Any value with keys and values. */
export type MapValue = JsonObject | Box<'map'> | Box<'object'>;

export const isMap = (value: CelResult): value is MapValue =>
  value instanceof Box ? value.kind === 'map' || value.kind === 'object' : isJsonMap(value);
