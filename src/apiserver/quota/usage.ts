import { asString, type JsonObject } from '../../machinery/json/json.ts';
import {
  addQuantities,
  compareQuantities,
  negateQuantity,
  parseQuantity,
  type Quantity,
  quantityText,
} from '../../machinery/meta/quantity.ts';

/** `pods`, `requests.cpu`, `count/deployments.apps`. Follows apiserver pkg/quota/v1/resources.go. */
export type Usage = ReadonlyMap<string, Quantity>;

export const readUsage = (list: JsonObject): Usage =>
  new Map(
    Object.entries(list).flatMap(([name, text]) => {
      const reading = parseQuantity(asString(text));
      return reading.outcome === 'parsed' ? [[name, reading.quantity] as const] : [];
    }),
  );

/** Sorted by name. */
export const usageList = (usage: Usage): Readonly<Record<string, string>> =>
  Object.fromEntries(sortUsage(usage).map(([name, amount]) => [name, quantityText(amount)]));

/** `cpu=1,pods=2`, sorted by name. */
export const formatUsage = (usage: Usage): string =>
  sortUsage(usage)
    .map(([name, amount]) => `${name}=${quantityText(amount)}`)
    .join(',');

export const count = (amount: number): Quantity => ({ value: BigInt(amount), scale: 0, format: 'DecimalSI' });

export function addUsage(a: Usage, b: Usage): Usage {
  const result = new Map(a);
  for (const [name, amount] of b) {
    const present = a.get(name);
    result.set(name, present === undefined ? amount : addQuantities(present, amount));
  }
  return result;
}

/** `a` minus `b`, at least 0. */
export const subtractUsage = (a: Usage, b: Usage): Usage =>
  new Map(
    [...a].map(([name, amount]) => {
      const before = b.get(name);
      const more = before === undefined ? amount : addQuantities(amount, negateQuantity(before));
      return [name, more.value < 0n ? count(0) : more] as const;
    }),
  );

export const pickUsage = (usage: Usage, names: readonly string[]): Usage => {
  const wanted = new Set(names);
  return new Map([...usage].filter(([name]) => wanted.has(name)));
};

export const withoutZeros = (usage: Usage): Usage => new Map([...usage].filter(([, amount]) => amount.value !== 0n));

/** The names above their limit; no limit without an entry. */
export const findExceeded = (usage: Usage, limits: Usage): readonly string[] =>
  [...usage].flatMap(([name, amount]) => {
    const limit = limits.get(name);
    return limit !== undefined && compareQuantities(amount, limit) > 0 ? [name] : [];
  });

export const findNegative = (usage: Usage): readonly string[] =>
  [...usage].flatMap(([name, amount]) => (amount.value < 0n ? [name] : []));

const sortUsage = (usage: Usage): readonly (readonly [string, Quantity])[] =>
  [...usage].toSorted(([a], [b]) => (a < b ? -1 : 1));
