import { sameJson } from '../../../machinery/json/json-equal.ts';
import type { TracedWebhook } from '../../../explain/trace/trace.ts';
import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import { isCalled, webhookWasCalled, webhooksIn } from './decisions.ts';
import type { StepObservation } from './step-observation.ts';

/**
 * The called webhooks by round; one that was called twice is listed twice. Validating webhooks, called in parallel, are in configuration
 * order. Needs the trace.
 */
export function checkOrder({ order, place }: Expectation, { trace }: StepObservation): readonly Failure[] {
  if (order === undefined || trace === undefined) return [];
  const called = webhooksIn(trace).filter(webhookWasCalled);
  const validating = called.filter(({ phase }) => phase === 'validating').toSorted((a, b) => a.index - b.index);
  const inOrder = [...called.filter(({ phase }) => phase === 'mutating'), ...validating];
  const names = inOrder.map((webhook) => nameIn(order, webhook, inOrder));
  if (sameJson(names, order)) return [];
  const message = `the calls were expected to be ${list(order)}, and were ${list(names)}`;
  return [{ what: 'order', place, message, expected: lines(order), actual: lines(names) }];
}

/** As the scenario names it, else with its configuration when the name is ambiguous. */
function nameIn(order: readonly string[], webhook: TracedWebhook, all: readonly TracedWebhook[]): string {
  const written = order.find((name) => isCalled(webhook, name));
  if (written !== undefined) return written;
  const { name, configuration } = webhook;
  const isOnlyOne = all.every((other) => other.name !== name || other.configuration === configuration);
  return isOnlyOne ? name : `${configuration}/${name}`;
}

const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

const lines = (names: readonly string[]): string => names.map((name) => `${name}\n`).join('');
