import { sameJson } from '../../../machinery/json/json-equal.ts';
import type { TracedWebhook } from '../../../explain/trace/trace.ts';
import type { WebhookExpectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import { failureOf, wasCalled } from './decisions.ts';
import { short } from './differences.ts';
import { checkTexts, expectedLine, expectedText, textMatches } from './text.ts';
import { yamlText } from './yaml-text.ts';

/** The turns of a webhook that an expectation is about, and what became of it in each, in words. */
interface Turns {
  /** `webhooks[0]`: what a failure is about. */
  readonly what: string;
  readonly turns: readonly TracedWebhook[];
  readonly story: string;
}

/** The patch, failure, warnings and audit annotations of a webhook, in the turns that the expectation is about. */
export function checkWebhookDetails(expected: WebhookExpectation, turns: Turns): readonly Failure[] {
  return [
    ...checkPatch(expected, turns),
    ...checkPhase(expected, turns),
    ...checkError(expected, turns),
    ...checkWarnings(expected, turns),
    ...checkAnnotations(expected, turns),
  ];
}

function checkPatch({ patch, name, place }: WebhookExpectation, { what, turns, story }: Turns): readonly Failure[] {
  if (patch === undefined) return [];
  const patched = turns.find((turn) => (turn.patch ?? []).length > 0);
  const actual = patched?.patch ?? [];
  const wanted = patch ?? [];
  if (sameJson(actual, wanted)) return [];
  const message =
    wanted.length === 0
      ? `${name} was expected to send no patch, and sent ${short(actual)}`
      : actual.length === 0
        ? `${name} sent no patch: it ${story}`
        : `${name} sent another patch${differingOperation(wanted.length, actual, wanted)}`;
  return [{ what: `${what}.patch`, place, message, expected: yamlText(wanted), actual: yamlText(actual) }];
}

type Patch = NonNullable<TracedWebhook['patch']>;

function differingOperation(count: number, actual: Patch, wanted: Patch): string {
  if (actual.length !== count) return `: ${count} operations were expected, and there are ${actual.length}`;
  const index = wanted.findIndex((operation, at) => !sameJson(operation, actual[at]));
  return `: operation ${index} was expected to be ${short(wanted[index])}, and is ${short(actual[index])}`;
}

function checkPhase({ phase, name, place }: WebhookExpectation, { what, turns, story }: Turns): readonly Failure[] {
  if (phase === undefined || turns.some((turn) => turn.failurePhase === phase)) return [];
  const failed = turns.find((turn) => turn.failurePhase !== undefined);
  const was = failed ? `failed: ${failureOf(failed)}` : story;
  return [{ what: `${what}.phase`, place, message: `${name} was expected to fail in phase ${phase}, and ${was}` }];
}

function checkError({ error, name, place }: WebhookExpectation, { what, turns, story }: Turns): readonly Failure[] {
  if (error === undefined || turns.some((turn) => textMatches(error, turn.error ?? ''))) return [];
  const failed = turns.find((turn) => turn.error !== undefined);
  const was = failed?.error === undefined ? story : `failed with ${JSON.stringify(failed.error)}`;
  const message = `${name} was expected to fail with ${expectedText(error)}, and ${was}`;
  const sides = failed?.error === undefined ? {} : { expected: expectedLine(error), actual: failed.error };
  return [{ what: `${what}.error`, place, message, ...sides }];
}

function checkWarnings({ warnings, place }: WebhookExpectation, { what, turns }: Turns): readonly Failure[] {
  if (warnings === undefined) return [];
  const actual = turns.filter(wasCalled).flatMap((turn) => turn.warnings ?? []);
  return checkTexts(warnings, actual, { what: `${what}.warnings`, place });
}

function checkAnnotations(
  { auditAnnotations = {}, name, place }: WebhookExpectation,
  { what, turns }: Turns,
): readonly Failure[] {
  const actual = Object.assign({}, ...turns.map((turn) => turn.auditAnnotations)) as Readonly<Record<string, string>>;
  return Object.entries(auditAnnotations).flatMap(([key, value]) => {
    const found = actual[key] ?? actual[`${name}/${key}`];
    if (found === value) return [];
    const was = found === undefined ? 'it is not there' : `it is ${JSON.stringify(found)}`;
    const message = `${key} was expected to be ${JSON.stringify(value)}, and ${was}`;
    return [{ what: `${what}.auditAnnotations`, place, message }];
  });
}
