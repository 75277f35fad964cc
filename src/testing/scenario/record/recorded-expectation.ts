import { bigintAsText } from '../../../machinery/json/json-writer.ts';
import { asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import type { Trace, TracedWebhook } from '../../../explain/trace/trace.ts';
import { hasDenied, webhookWasCalled } from '../expect/decisions.ts';
import { groupByWebhook, decisionsOf, isFailedCall, isSamePhase, recordedWebhooks } from './recorded-faults.ts';

export interface ExpectationContext {
  /** Names used in several configurations. */
  readonly ambiguous: ReadonlySet<string>;
  /** Golden file of a step that leaves an object. */
  readonly golden: string | undefined;
}

/** What another run shows again. {} for nothing. */
export function recordExpectation(trace: Trace, context: ExpectationContext): JsonObject {
  const webhooks = webhookEntries(trace, context);
  const order = callOrder(trace);
  const warnings = trace.response.warnings.filter((text) => !isFieldWarning(text));
  return {
    ...(trace.verdict === 'refused' ? recordRefusal(trace) : {}),
    ...(order.length > 0 || recordedWebhooks(trace).some(isNear) ? { order } : {}),
    ...(webhooks === undefined ? {} : { webhooks }),
    ...recordPolicies(trace),
    ...(warnings.length > 0 ? { warnings: warnings.length === 1 ? (warnings[0] ?? '') : warnings } : {}),
    ...(context.golden === undefined ? {} : { golden: context.golden }),
  };
}

/** Outcomes of evaluated policies; the last one where there are several. */
function recordPolicies(trace: Trace): JsonObject {
  const named = decisionsOf(trace).flatMap(({ type, name, outcome }) =>
    type === 'policy' && outcome !== 'skipped' ? [[name, outcome] as const] : [],
  );
  return named.length === 0 ? {} : { policies: Object.fromEntries(named) };
}

/** A call was possible: not skipped by rules alone, or a rule names the resource. */
export function isNear({ outcome, reason }: TracedWebhook): boolean {
  if (outcome === 'skipped' && reason?.because === 'exempt') return false;
  if (outcome !== 'skipped' || reason?.because !== 'no-rule-matched') return true;
  const parts = reason.nearest?.parts ?? [{ part: 'resource', wants: [], has: '' }];
  return parts.every(
    ({ part, wants, has }) => part !== 'apiGroup' && (part !== 'resource' || wants.some(isSameResource(has))),
  );
}

const isSameResource =
  (resource: string) =>
  (pattern: string): boolean =>
    pattern.split('/')[0] === resource.split('/')[0];

/** Steps validate manifests strictly: fields that the server only warned about are left out. */
export const isFieldWarning = (warning: string): boolean => /^(?:unknown|duplicate) field "/.test(warning);

function recordRefusal(trace: Trace): JsonObject {
  const { response, request } = trace;
  const denier = decisionsOf(trace).find(hasDenied);
  const reason = asString(response.status?.['reason']);
  const message = asString(response.status?.['message']);
  return {
    ...(denier === undefined ? {} : { deniedBy: denier.type === 'policy' ? `policy/${denier.name}` : denier.name }),
    code: response.code,
    ...(denier === undefined && reason !== '' ? { reason } : {}),
    ...(message !== '' && isRepeatable(message, trace) && !isManagersConflict(request, reason) ? { message } : {}),
  };
}

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** Another run repeats the text: it has no generated name, uid or connection error. */
function isRepeatable(message: string, trace: Trace): boolean {
  const generated = trace.objectReceived?.['metadata'];
  const stem = typeof generated === 'object' && generated !== null && 'generateName' in generated;
  if (stem && message.includes(trace.request.name)) return false;
  return (
    !uid.test(message) &&
    !recordedWebhooks(trace).some((one) => one.outcome === 'failed-closed') &&
    !/^\/.*\/$/s.test(message)
  );
}

const isManagersConflict = ({ contentType = '' }: Trace['request'], reason: string): boolean =>
  reason === 'Conflict' && contentType.includes('apply-patch');

/** Mutating calls in call order, validating calls in configuration order. */
function callOrder(trace: Trace): readonly string[] {
  const called = recordedWebhooks(trace).filter(webhookWasCalled);
  const validating = called.filter(({ phase }) => phase === 'validating').toSorted((a, b) => a.index - b.index);
  return [...called.filter(({ phase }) => phase === 'mutating'), ...validating].map(({ name }) => name);
}

/** Webhooks with more than a plain call. */
function webhookEntries(trace: Trace, { ambiguous }: ExpectationContext): JsonValue | undefined {
  const named = groupByWebhook(recordedWebhooks(trace));
  const all = [...named.values()].flatMap((one) => {
    const [first] = one;
    const entry = webhookEntry(one);
    return first === undefined || entry === undefined ? [] : [{ first, entry }];
  });
  if (all.length === 0) return undefined;
  if (all.every(({ first }) => !ambiguous.has(first.name))) {
    return Object.fromEntries(all.map(({ first, entry }) => [first.name, entry]));
  }
  return all.map(({ first: { name, configuration }, entry }) => ({
    name,
    ...(ambiguous.has(name) ? { configuration } : {}),
    ...(typeof entry === 'string' ? { outcome: entry } : entry),
  }));
}

function webhookEntry(named: readonly TracedWebhook[]): string | JsonObject | undefined {
  const failed = named.find(isFailedCall);
  if (failed) return failureEntry(failed);
  const denied = named.find(hasDenied);
  if (denied) return denied.outcome === 'refused' ? 'refused' : undefined;
  const [first] = named;
  if (first?.outcome === 'skipped') return skipEntry(first);
  const patch = named.find((decision) => (decision.patch ?? []).length > 0)?.patch;
  return patch !== undefined && isShort(patch) ? { patch } : undefined;
}

const failureEntry = (decision: TracedWebhook): string | JsonObject =>
  isSamePhase(decision) && decision.failurePhase !== undefined
    ? { outcome: decision.outcome, phase: decision.failurePhase }
    : decision.outcome;

/** Most webhooks are expected to skip by rules or exemption. */
function skipEntry({ reason }: TracedWebhook): JsonObject | undefined {
  if (reason === undefined || reason.because === 'no-rule-matched' || reason.because === 'exempt') return undefined;
  return { skipped: reason.because };
}

const maxPatchLength = 400;

const isShort = (patch: readonly JsonObject[]): boolean => JSON.stringify(patch, bigintAsText).length <= maxPatchLength;
