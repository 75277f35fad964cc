import type { Trace, TracedWebhook } from '../../../explain/trace/trace.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import {
  groupByWebhook,
  recordedCalls,
  type FaultPlan,
  faultPlanOf,
  isFailedCall,
  recordedWebhooks,
  corruptsAnswer,
  recordedSubject,
  webhookKey,
} from './recorded-faults.ts';

export interface RecordedStub {
  readonly name: string;
  /** Only if several configurations use the name. */
  readonly configuration: string | undefined;
  readonly stub: Stub;
  readonly faults: FaultPlan;
}

export interface RecordedStubs {
  /** In the order of their first calls. */
  readonly webhooks: readonly RecordedStub[];
  /** Names used in several configurations. */
  readonly ambiguous: ReadonlySet<string>;
}

/** For webhooks that the writes or the server's own controllers called. */
export function recordStubs(writes: readonly Trace[], inside: readonly Trace[]): RecordedStubs {
  const considered = writes.flatMap(recordedWebhooks);
  const ambiguous = ambiguousNames(considered);
  const ownCalls = inside.flatMap(recordedCalls);
  const calls = groupByWebhook([...writes.flatMap(recordedCalls), ...ownCalls]);
  const webhooks = [...calls].flatMap(([key, all]): readonly RecordedStub[] => {
    const [first] = all;
    const isOurs = considered.some((one) => webhookKey(one) === key);
    if (first === undefined || !isOurs) return [];
    const byStep = writes.map((write) => recordedCalls(write).filter((call) => webhookKey(call) === key));
    return [
      {
        name: first.name,
        configuration: ambiguous.has(first.name) ? first.configuration : undefined,
        stub: recordStub(all),
        faults: faultPlanOf(byStep),
      },
    ];
  });
  return { webhooks, ambiguous };
}

function ambiguousNames(webhooks: readonly TracedWebhook[]): ReadonlySet<string> {
  const owners = new Map<string, Set<string>>();
  for (const { name, configuration } of webhooks) {
    const known = owners.get(name) ?? new Set();
    owners.set(name, known.add(configuration));
  }
  return new Set([...owners].flatMap(([name, configurations]) => (configurations.size > 1 ? [name] : [])));
}

type Stub =
  | { readonly type: 'does'; readonly does: JsonValue }
  /** Different responses: in order, by subject. */
  | { readonly type: 'script'; readonly answers: ReadonlyMap<string, readonly JsonObject[]> };

/** The simplest stub with the recorded responses; failed calls have none. */
function recordStub(calls: readonly TracedWebhook[]): Stub {
  const answers = calls.filter((call) => !isFailedCall(call)).map(recordedResponse);
  const [first = allowed] = answers;
  const does = answers.every((answer) => sameJson(answer, first)) ? recordBehaviour(first) : undefined;
  return does === undefined ? { type: 'script', answers: answersBySubject(calls) } : { type: 'does', does };
}

const allowed: JsonObject = { allowed: true };

function answersBySubject(calls: readonly TracedWebhook[]): ReadonlyMap<string, readonly JsonObject[]> {
  const answers = new Map<string, readonly JsonObject[]>();
  for (const call of calls) {
    // A fault that modifies the response needs one.
    if (isFailedCall(call) && !corruptsAnswer(call)) continue;
    const subject = recordedSubject(call.review ?? {});
    answers.set(subject, [...(answers.get(subject) ?? []), isFailedCall(call) ? allowed : recordedResponse(call)]);
  }
  const distinctive = [...answers].filter(([, given]) => given.some((reply) => !sameJson(reply, allowed)));
  return new Map(distinctive.map(([subject, given]) => [subject, withoutRepeats(given)]));
}

/** The script repeats the last response. */
function withoutRepeats(given: readonly JsonObject[]): readonly JsonObject[] {
  const last = given.at(-1);
  const end = given.findLastIndex((reply) => !sameJson(reply, last));
  return given.slice(0, end + 2);
}

/** As a script returns it: without uid and empty fields, the patch as operations. */
function recordedResponse({ answer, patch }: TracedWebhook): JsonObject {
  const { allowed: isAllowed, status, warnings, auditAnnotations } = asObject(asObject(answer)['response']);
  return {
    allowed: isAllowed === true,
    ...(isAllowed === true ? {} : recordedStatus(status)),
    ...(patch === undefined || patch.length === 0 || isAllowed !== true ? {} : { patch }),
    ...(asList(warnings).length === 0 ? {} : { warnings: warnings ?? [] }),
    ...(Object.keys(asObject(auditAnnotations)).length === 0 ? {} : { auditAnnotations: auditAnnotations ?? {} }),
  };
}

function recordedStatus(status: JsonValue | undefined): JsonObject {
  const { metadata: _metadata, status: word, ...rest } = asObject(status);
  const all = word === undefined || word === 'Failure' ? rest : { ...rest, status: word };
  return Object.keys(all).length === 0 ? {} : { status: all };
}

/** undefined when it needs a script. */
function recordBehaviour({
  allowed: isAllowed,
  status,
  patch,
  warnings,
  auditAnnotations,
}: JsonObject): JsonValue | undefined {
  const denial = isAllowed === true ? undefined : recordedDenial(asObject(status));
  if (isAllowed !== true && denial === undefined) return undefined;
  const operations = asList(patch);
  if (!operations.every(isPlainOperation)) return undefined;
  const texts = asList(warnings);
  const does: JsonObject = {
    ...(operations.length === 0 ? {} : { patch: operations }),
    ...(texts.length === 0 ? {} : { warn: texts.length === 1 ? (texts[0] ?? '') : texts }),
    ...(auditAnnotations === undefined ? {} : { audit: auditAnnotations }),
    ...(denial === undefined ? {} : { deny: denial }),
  };
  return Object.keys(does).length === 0 ? 'allow' : does;
}

function recordedDenial(status: JsonObject): JsonValue | undefined {
  const fields = Object.keys(status);
  if (fields.length === 0) return true;
  if (!fields.every((field) => ['message', 'code', 'reason'].includes(field))) return undefined;
  return fields.length === 1 && typeof status['message'] === 'string' ? status['message'] : status;
}

const operationFields = new Set(['op', 'path', 'from', 'value']);
const operationNames = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

const isPlainOperation = (operation: JsonValue): boolean =>
  isJsonObject(operation) &&
  operationNames.has(asString(operation['op'])) &&
  typeof operation['path'] === 'string' &&
  Object.keys(operation).every((field) => operationFields.has(field));
