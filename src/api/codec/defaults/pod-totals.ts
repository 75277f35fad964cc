import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityText,
} from '../../../machinery/meta/quantity.ts';
import type { Container, PodSpec } from '../../types/generated/core-v1.ts';
import type { StringMap } from '../../../machinery/meta/object.ts';

/**
 * The sum of containers and sidecars, or the largest init container. Follows component-helpers resource/helpers.go
 * AggregateContainerRequests.
 */
export function podTotals(spec: PodSpec, field: 'limits' | 'requests'): StringMap {
  const amountsOf = (container: Container): Amounts => amounts(asObject(asObject(container.resources)[field]));
  let running = asList(spec.containers).map(amountsOf).reduce(sum, new Map());
  let sidecars: Amounts = new Map();
  let starting: Amounts = new Map();
  for (const container of asList(spec.initContainers)) {
    const own = amountsOf(container);
    const isSidecar = container.restartPolicy === 'Always';
    if (isSidecar) running = sum(running, own);
    const needed = sum(sidecars, own);
    if (isSidecar) sidecars = needed;
    starting = largest(starting, needed);
  }
  return Object.fromEntries([...largest(running, starting)].map(([name, amount]) => [name, quantityText(amount)]));
}

type Amounts = ReadonlyMap<string, Quantity>;

function amounts(list: StringMap): Amounts {
  const read = Object.entries(list).map(([name, text]) => ({ name, reading: parseQuantity(asString(text)) }));
  return new Map(
    read.flatMap(({ name, reading }) => (reading.outcome === 'parsed' ? [[name, reading.quantity] as const] : [])),
  );
}

const sum = (a: Amounts, b: Amounts): Amounts => combined(a, b, addQuantities);

const largest = (a: Amounts, b: Amounts): Amounts =>
  combined(a, b, (one, other) => (compareQuantities(other, one) > 0 ? other : one));

function combined(a: Amounts, b: Amounts, combine: (one: Quantity, other: Quantity) => Quantity): Amounts {
  const result = new Map(a);
  for (const [name, amount] of b) {
    const present = a.get(name);
    result.set(name, present === undefined ? amount : combine(present, amount));
  }
  return result;
}
