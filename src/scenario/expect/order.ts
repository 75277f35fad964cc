import { sameJson } from '../../apimachinery/json-equal.ts';
import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import { isCalled, wasCalled, webhooksIn } from './decisions.ts';
import type { Shown } from './shown.ts';

/** Which webhooks were called, in order, round after round; one called twice stands there twice. Needs the trace. */
export function checkOrder({ order, place }: Expectation, { trace }: Shown): readonly Failure[] {
  if (order === undefined || trace === undefined) return [];
  const called = webhooksIn(trace).filter(wasCalled);
  // Named as the scenario names them, so that `configuration/name` may be used.
  const names = called.map(
    (webhook, index) => order.find((name, at) => at === index && isCalled(webhook, name)) ?? nameIn(order, webhook),
  );
  if (sameJson(names, order)) return [];
  const message = `the calls were expected to be ${list(order)}, and were ${list(names)}`;
  return [{ what: 'order', place, message, expected: lines(order), actual: lines(names) }];
}

const nameIn = (order: readonly string[], webhook: Parameters<typeof isCalled>[0]): string =>
  order.find((name) => isCalled(webhook, name)) ?? webhook.name;

const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

const lines = (names: readonly string[]): string => names.map((name) => `${name}\n`).join('');
