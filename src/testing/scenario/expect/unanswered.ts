import type { Trace } from '../../../explain/trace/trace.ts';
import type { UnansweredCall } from '../../stubs/stub-registry.ts';
import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import { isCalled, webhooksIn } from './decisions.ts';

/** A webhook with `to` must respond, unless the step expects its call to fail. One failure for each webhook. */
export function checkUnanswered(
  expect: Expectation,
  calls: readonly UnansweredCall[],
  trace: Trace | undefined,
): readonly Failure[] {
  const byWebhook = new Map(calls.map((call) => [nameOf(call), call]));
  return [...byWebhook.values()]
    .filter((call) => !expectsFailure(expect, call, trace))
    .map(({ webhook, to, error }) => ({
      what: 'webhooks',
      place: expect.place,
      message: `${webhook} did not respond at ${to}: ${error}. Start it, or expect failed-open or failed-closed`,
    }));
}

const nameOf = ({ configuration = '', webhook }: UnansweredCall): string => `${configuration}/${webhook}`;

/** By name, or by comparing the response of a webhook that failed closed. */
function expectsFailure(expect: Expectation, call: UnansweredCall, trace: Trace | undefined): boolean {
  const isNamed = expect.webhooks.some(
    ({ name, outcome, phase, error }) =>
      (name === call.webhook || name === nameOf(call)) &&
      (outcome === 'failed-open' || outcome === 'failed-closed' || phase !== undefined || error !== undefined),
  );
  const { code, reason, message } = expect;
  const comparesResponse = code !== undefined || reason !== undefined || message !== undefined;
  return isNamed || (comparesResponse && trace !== undefined && failedClosed(trace, call));
}

const failedClosed = (trace: Trace, call: UnansweredCall): boolean =>
  webhooksIn(trace).some((one) => one.outcome === 'failed-closed' && isCalled(one, call.webhook));
