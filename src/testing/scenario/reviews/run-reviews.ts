import { basename, resolve } from 'node:path';
import { asObject, asString } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { readJson, plainValue } from '../../../machinery/json/json-reader.ts';
import { readScriptAnswer } from '../../stubs/script-answer.ts';
import type { ScenarioOutcome, StepOutcome } from '../outcome.ts';
import { answerText, checkAnswer } from './check-answer.ts';
import type { ReviewCase, ReviewSuite } from './load-reviews.ts';

/** What a webhook said to a review, and what kube-apiserver would make of it. */
export interface ReviewReply {
  /** The body of the answer; '' when there was none. */
  readonly body: string;
  /** Why the answer is none that kube-apiserver takes; '' for a good one. */
  readonly error: string;
}

export interface ReviewPorts {
  readonly ask: (review: JsonObject) => Promise<ReviewReply>;
  /** Real time, milliseconds. */
  readonly now: () => number;
}

/**
 * Asks one webhook all reviews of a folder. Each is a step; one without an expected answer fails only when the answer is
 * none that kube-apiserver takes.
 */
export async function runReviews(
  { folder, reviews }: ReviewSuite,
  { ask, now }: ReviewPorts,
): Promise<ScenarioOutcome> {
  const startedAt = now();
  const steps: StepOutcome[] = [];
  for (const one of reviews) {
    const askedAt = now();
    const step = stepFor(one, await ask(one.review));
    steps.push({ ...step, milliseconds: now() - askedAt });
  }
  const milliseconds = now() - startedAt;
  return {
    scenario: { name: basename(resolve(folder)), file: folder, description: '' },
    combination: '',
    outcome: steps.some((step) => step.outcome === 'failed') ? 'failed' : 'passed',
    steps,
    milliseconds,
    worldMilliseconds: milliseconds,
  };
}

function stepFor(
  { file, review, expected }: ReviewCase,
  { body, error }: ReviewReply,
): Omit<StepOutcome, 'milliseconds'> {
  const place = { file, line: 1, column: 1 };
  const about = `${basename(file)}: ${subjectOf(review)}`;
  const common = { name: about, place, trace: undefined, leftOut: [] };
  if (error !== '') return { ...common, outcome: 'failed', failures: [{ what: 'answer', place, message: error }] };
  const answer = readScriptAnswer(asObject(parsed(body))['response'] ?? {});
  if (answer.outcome === 'unreadable') {
    return { ...common, outcome: 'failed', failures: [{ what: 'answer', place, message: answer.error }] };
  }
  const failures = expected ? checkAnswer(expected, answer) : [];
  return { ...common, outcome: failures.length > 0 ? 'failed' : 'passed', failures, note: answerText(answer) };
}

function parsed(body: string): JsonObject {
  const reading = readJson(body);
  return reading.outcome === 'read' ? asObject(plainValue(reading.json.value)) : {};
}

/** `CREATE pods shop/web`. */
function subjectOf(review: JsonObject): string {
  const { operation, resource, subResource, namespace, name } = asObject(review['request']);
  const what = [asString(asObject(resource)['resource']), asString(subResource)]
    .filter((part) => part !== '')
    .join('/');
  const which = [asString(namespace), asString(name)].filter((part) => part !== '').join('/');
  return [asString(operation), what, which].filter((part) => part !== '').join(' ');
}
