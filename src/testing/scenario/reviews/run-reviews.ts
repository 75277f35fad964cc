import { basename, resolve } from 'node:path';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { plainValue, readJson } from '../../../machinery/json/json-reader.ts';
import { asObject, asString, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { loadScript } from '../../stubs/load-script.ts';
import { readScriptAnswer, type ScriptAnswer } from '../../stubs/script-answer.ts';
import { replyTo, type StubReply } from '../../stubs/stub-reply.ts';
import { checkTexts, expectedText, textMatches, yamlText } from '../expect/text.ts';
import type { Failure, ScenarioOutcome, StepOutcome } from '../outcome.ts';
import type { Located } from '../read/located.ts';
import { createProblems } from '../read/problems.ts';
import { scalarText } from '../read/scalar-text.ts';
import { readTextExpectation } from '../read/expectation.ts';
import type { ReviewCase, ReviewSuite } from './load-reviews.ts';
import { countText } from '../../../machinery/lists.ts';

export interface ReviewReply {
  /** '' without a response. */
  readonly body: string;
  /** Why kube-apiserver rejects the response; '' if it does not. */
  readonly error: string;
}

export interface RunReviewsPorts {
  readonly send: (review: JsonObject) => Promise<ReviewReply>;
  /** Real milliseconds. */
  readonly now: () => number;
}

type ScriptResponder =
  | { readonly outcome: 'loaded'; readonly respond: (review: JsonObject) => Promise<StubReply> }
  | { readonly outcome: 'unloadable'; readonly error: string };

/** A script that responds to reviews like a webhook, without HTTP. */
export async function loadResponder(file: string): Promise<ScriptResponder> {
  const loading = await loadScript(file);
  if (loading.outcome === 'unloadable') return loading;
  const spec = { name: file, does: [{ type: 'script', run: loading.run }], faults: [] } as const;
  return { outcome: 'loaded', respond: (review) => replyTo(spec, review, undefined) };
}

/** Each review is a step. Without an expected response, it fails only when kube-apiserver would reject the response. */
export async function runReviews(
  { folder, reviews }: ReviewSuite,
  { send, now }: RunReviewsPorts,
): Promise<ScenarioOutcome> {
  const startedAt = now();
  const steps: StepOutcome[] = [];
  for (const one of reviews) {
    const sentAt = now();
    const step = reviewStep(one, await send(one.review));
    steps.push({ ...step, milliseconds: now() - sentAt });
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

function reviewStep(
  { file, review, expected }: ReviewCase,
  { body, error }: ReviewReply,
): Omit<StepOutcome, 'milliseconds'> {
  const place = { file, line: 1, column: 1 };
  const about = `${basename(file)}: ${reviewTitle(review)}`;
  const common = { name: about, place, trace: undefined, leftOut: [] };
  if (error !== '') return { ...common, outcome: 'failed', failures: [{ what: 'answer', place, message: error }] };
  const answer = readScriptAnswer(asObject(parseBody(body))['response'] ?? {});
  if (answer.outcome === 'unreadable') {
    return { ...common, outcome: 'failed', failures: [{ what: 'answer', place, message: answer.error }] };
  }
  const failures = expected ? checkAnswer(expected, answer) : [];
  return { ...common, outcome: failures.length > 0 ? 'failed' : 'passed', failures, note: answerText(answer) };
}

function parseBody(body: string): JsonObject {
  const reading = readJson(body);
  return reading.outcome === 'read' ? asObject(plainValue(reading.json.value)) : {};
}

/** `CREATE pods shop/web`. */
function reviewTitle(review: JsonObject): string {
  const { operation, resource, subResource, namespace, name } = asObject(review['request']);
  const what = [asString(asObject(resource)['resource']), asString(subResource)]
    .filter((part) => part !== '')
    .join('/');
  const which = [asString(namespace), asString(name)].filter((part) => part !== '').join('/');
  return [asString(operation), what, which].filter((part) => part !== '').join(' ');
}

type ReadVerdict = Extract<ScriptAnswer, { outcome: 'read' }>;

/** `denied with 403: no privileged containers`, or `allowed, 2 operations, 1 warning`. */
function answerText({ denial, operations, warnings }: ReadVerdict): string {
  if (denial) {
    const { code = 403, message } = denial;
    return `denied with ${scalarText(code)}${typeof message === 'string' ? `: ${message}` : ', without a message'}`;
  }
  const count = (number: number, word: string): readonly string[] => (number === 0 ? [] : [countText(number, word)]);
  return ['allowed', ...count(operations.length, 'operation'), ...count(warnings.length, 'warning')].join(', ');
}

/**
 * Expected: a `response` or a whole AdmissionReview; only its fields count. `patch` may be operations instead of base64; texts may be
 * patterns.
 */
function checkAnswer(wanted: Located, answer: ReadVerdict): readonly Failure[] {
  const response = wanted.get('response') ?? wanted;
  const reading = readScriptAnswer(response.value);
  if (reading.outcome === 'unreadable' || !isJsonObject(response.value)) {
    return [{ what: 'expected', place: wanted.place, message: 'is no response of an AdmissionReview' }];
  }
  const decision = checkAllowed(response, answer);
  if (decision.length > 0) return decision; // What else differs follows from that.
  return [
    ...checkStatus(response.get('status'), answer),
    ...(response.get('patch') ? checkPatch(response, reading, answer) : []),
    ...checkWarnings(response.get('warnings'), answer),
    ...checkAudit(response.get('auditAnnotations'), answer),
  ];
}

function checkAllowed(response: Located, answer: ReadVerdict): readonly Failure[] {
  const at = response.get('allowed');
  const allowed = answer.denial === undefined;
  if (!at || at.value === allowed) return [];
  const wanted = at.value === true ? 'it was to be allowed' : 'it was to be denied';
  return [{ what: 'allowed', place: at.keyPlace, message: `${wanted}, and is ${answerText(answer)}` }];
}

function checkStatus(at: Located | undefined, { denial = {} }: ReadVerdict): readonly Failure[] {
  return (at?.entries() ?? []).flatMap(([name, wanted]) => {
    const has = denial[name];
    const problems = createProblems();
    if (typeof wanted.value === 'string' || isJsonObject(wanted.value)) {
      const text = readTextExpectation(wanted, problems);
      if (typeof has === 'string' && textMatches(text, has)) return [];
      const message = `${expectedText(text)} was expected, and ${has === undefined ? 'there is none' : `it is ${formatJson(has)}`}`;
      return [{ what: `status.${name}`, place: wanted.place, message }];
    }
    if (sameJson(wanted.value, has ?? null)) return [];
    const message = `${formatJson(wanted.value)} was expected, and ${has === undefined ? 'there is none' : `it is ${formatJson(has)}`}`;
    return [{ what: `status.${name}`, place: wanted.place, message }];
  });
}

const formatJson = (value: JsonValue): string => JSON.stringify(value);

function checkPatch(response: Located, wanted: ReadVerdict, { operations }: ReadVerdict): readonly Failure[] {
  if (sameJson(wanted.operations, operations)) return [];
  const place = response.get('patch')?.keyPlace ?? response.place;
  const message = 'it sent another patch';
  return [{ what: 'patch', place, message, expected: yamlText(wanted.operations), actual: yamlText(operations) }];
}

function checkWarnings(at: Located | undefined, { warnings }: ReadVerdict): readonly Failure[] {
  if (!at) return [];
  const wanted = at.items().map((item) => readTextExpectation(item, createProblems()));
  return checkTexts(wanted, warnings, { what: 'warnings', place: at.keyPlace });
}

function checkAudit(at: Located | undefined, { auditAnnotations }: ReadVerdict): readonly Failure[] {
  const has: JsonObject = auditAnnotations;
  return (at?.entries() ?? []).flatMap(([name, wanted]) => {
    const text = readTextExpectation(wanted, createProblems());
    const value = has[name];
    if (typeof value === 'string' && textMatches(text, value)) return [];
    const message = `${name}: ${expectedText(text)} was expected, and ${value === undefined ? 'there is none' : `it is ${formatJson(value)}`}`;
    return [{ what: 'auditAnnotations', place: wanted.keyPlace, message }];
  });
}
