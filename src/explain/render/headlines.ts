import { sameJson } from '../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject, valueAt } from '../../machinery/json/json.ts';
import { describeList } from '../findings/describe-field.ts';
import type { Finding } from '../findings/finding.ts';
import { patchFault } from '../trace/object-states.ts';
import { refusalMessage, resourceText } from '../trace/trace-summary.ts';
import type { Trace } from '../trace/trace.ts';
import { groupByCallee, type CalleeDecisions, calleeHeadline } from './callee-headline.ts';
import { conversionAtFault, conversionModels } from './conversion-model.ts';
import type { DecisionModel, PluginModel, WebhookModel } from './decision-model.ts';
import type { Headline } from './about-decision.ts';

const order: readonly Headline['about'][] = ['refusal', 'failed-open', 'near-miss', 'called', 'no-webhook', 'far-miss'];

/** The headlines of a request, refusals first; at most one for each webhook and policy. */
export function headlinesOf(trace: Trace, decisions: readonly DecisionModel[]): readonly Headline[] {
  const isReceived = (one: DecisionModel): boolean => isReceivedBy(one, trace);
  const callees = decisions.flatMap((one) => (one.type === 'plugin' ? [] : [one]));
  const all = [
    ...refusalElsewhere(trace, decisions),
    ...groupByCallee(callees)
      .filter((one) => isRelevantCallee(one, trace))
      .flatMap((one) => calleeHeadline(one, isReceived)),
    ...decisions.flatMap((one) => (one.type === 'plugin' ? pluginHeadline(one) : [])),
    ...noWebhook(trace, decisions),
  ];
  const received = new Set(decisions.filter(isReceived).map(({ key }) => key));
  const rank = ({ about, key = '' }: Headline): number => order.indexOf(about) * 2 + (received.has(key) ? 0 : 1);
  const deletion = deletionHint(trace);
  return all
    .toSorted((a, b) => rank(a) - rank(b))
    .map((one) => (one.about === 'refusal' && deletion !== undefined ? { ...one, hint: deletion } : one));
}

/** The headline of a call that changed nothing says the same as the finding. */
export const isHeadline = ({ rule, where }: Finding, shown: readonly Pick<Headline, 'name'>[]): boolean =>
  rule === 'changed-nothing' && shown.some(({ name }) => name === where.actors[0]?.name);

/** The line about unseen changes and the table say as much. */
export const isAboutRounds = ({ rule, evidence }: Finding): boolean =>
  rule === 'called-again' || (rule === 'changed-nothing' && evidence.length === 0);

/** Of a refused request, a webhook that allowed it unchanged is not reported, unless there is a hint about it. */
const isRelevantCallee = (callee: CalleeDecisions, { verdict }: Trace): boolean =>
  verdict === 'admitted' ||
  !callee.some(({ outcome }) => outcome !== 'skipped') ||
  callee.some(
    (one) =>
      (one.outcome !== 'skipped' && one.outcome !== 'called') ||
      (one.source.patch ?? []).length > 0 ||
      one.type === 'policy' ||
      one.hints.length > 0,
  );

/** Of several refusals, is this the one that the client received? */
function isReceivedBy(decision: DecisionModel, { response }: Trace): boolean {
  const received = response.status?.['message'];
  const own = decision.type === 'plugin' ? decision.message : decision.source.status?.['message'];
  return received !== undefined && own === received;
}

function pluginHeadline({ outcome, name, phase, sentence, tone, key }: PluginModel): readonly Headline[] {
  if (outcome !== 'denied') return [];
  return [{ about: 'refusal', tone, name, key, text: `${phase} plugin ${name} ${sentence}` }];
}

/** A refusal by the API server or a converter, with its stage. */
function refusalElsewhere(trace: Trace, decisions: readonly DecisionModel[]): readonly Headline[] {
  if (trace.verdict === 'admitted' || decisions.some(({ tone }) => tone === 'bad')) return [];
  const fault = conversionAtFault(trace);
  const actor = fault ? `the converter of ${fault.definition}` : 'the API server itself';
  const text = `refused by ${actor}, ${refusalPlace(trace)}: ${refusalMessage(trace)}`;
  const hint = fault ? conversionModels({ conversions: [fault] })[0]?.advice.at(-1) : refusalHint(trace);
  return [{ about: 'refusal', tone: 'bad', name: '', text, ...(hint === undefined ? {} : { hint }) }];
}

/** Where the API server itself refused. */
type RefusalPlace = 'before admission' | 'after the mutating webhooks' | 'after admission';

/** Of several attempts the last counts, unless an earlier one was admitted. */
function refusalPlace({ stages, admission, objectReceived, concurrentWrite }: Trace): RefusalPlace {
  if (concurrentWrite !== undefined && stages.some(({ name, passed }) => passed && name === 'validating-admission')) {
    return 'after admission';
  }
  const last = stages.findLast(({ name, passed }) => passed && refusalOrder.has(name))?.name;
  if (last !== undefined) return refusalOrder.get(last) ?? 'before admission';
  // These stages run both phases.
  if (stages.some(({ name }) => name === 'connect')) return 'after admission';
  const decided = admission.at(-1)?.phase;
  if (decided === 'validating') return 'after admission';
  return decided === 'mutating' || objectReceived !== undefined ? 'after the mutating webhooks' : 'before admission';
}

/** The stages that mark the progress of an attempt; `load-current` begins a new one. */
const refusalOrder: ReadonlyMap<string, RefusalPlace> = new Map([
  ['load-current', 'before admission'],
  ['mutating-admission', 'after the mutating webhooks'],
  ['validating-admission', 'after admission'],
]);

/**
 * A refused update that only removes finalizers keeps an object from being deleted. undefined for all other requests.
 */
function deletionHint({ verdict, objectBefore, objectReceived }: Trace): string | undefined {
  if (verdict === 'admitted' || !objectBefore || !objectReceived) return undefined;
  const { deletionTimestamp } = asObject(objectBefore['metadata']);
  const [before, after] = [finalizersOf(objectBefore), finalizersOf(objectReceived)];
  const removed = before.filter((one) => !after.includes(one));
  const isOnlyRemoval =
    after.every((one) => before.includes(one)) &&
    sameJson(withoutBookkeeping(objectBefore), withoutBookkeeping(objectReceived));
  if (deletionTimestamp === undefined || removed.length === 0 || !isOnlyRemoval) return undefined;
  const what = `finalizer${removed.length === 1 ? '' : 's'} ${describeList(removed)}`;
  return `the object is being deleted (it has a deletionTimestamp), and this update only removes ${what}: the object stays until such an update is admitted; allow updates of objects that have a deletionTimestamp`;
}

const finalizersOf = ({ metadata }: JsonObject): readonly string[] =>
  asList(asObject(metadata)['finalizers']).map(asString);

/** The object without finalizers and the fields that each update changes. */
function withoutBookkeeping({ metadata, ...object }: JsonObject): JsonObject {
  const { finalizers: _finalizers, managedFields: _fields, resourceVersion: _version, ...own } = asObject(metadata);
  return { ...object, metadata: own };
}

/** A hint where the message of the API server says too little. */
function refusalHint(trace: Trace): string | undefined {
  for (const rule of rules) {
    const hint = rule(trace);
    if (hint !== undefined) return hint;
  }
  return undefined;
}

const rules = [
  hintAtPermissions,
  hintAtDiscovery,
  hintAtPatch,
  hintAtConcurrentWrite,
  hintAtStaleVersion,
  hintAtContainers,
];

/** No stage ran: the request was not authorized. */
function hintAtPermissions({ request: { user, namespace }, stages, response }: Trace): string | undefined {
  if (response.code !== 403 || stages.length > 0 || user === null) return undefined;
  const [where, binding] = namespace === '' ? ['', ''] : [` -n ${namespace}`, 'RoleBinding or '];
  return `kubectl auth can-i --list --as '${asString(user['username'])}'${where} lists the permissions of this user; a ${binding}ClusterRoleBinding grants more`;
}

function hintAtDiscovery({
  request: { group, version, resource },
  response: { code, status },
}: Trace): string | undefined {
  if (code !== 404 || status !== null) return undefined;
  const where = group === '' ? version : `${group}/${version}`;
  return `${resource} is not served in ${where} here: kubectl api-resources lists what is; a custom resource needs its CustomResourceDefinition first`;
}

/** Upstream does not name the failed operation (rule PATH-33). */
function hintAtPatch({ request, response, objectBefore }: Trace): string | undefined {
  const { contentType, body } = request;
  if (response.code !== 422 || contentType !== 'application/json-patch+json' || !objectBefore || !body)
    return undefined;
  const fault = patchFault(objectBefore, body);
  return fault === undefined ? undefined : `the patch does not apply to the stored object: ${fault}`;
}

/** The object was created, changed or deleted while the webhooks were called. */
function hintAtConcurrentWrite({ request, response: { code, status }, concurrentWrite }: Trace): string | undefined {
  const what = request.name === '' ? request.resource : `${request.resource} ${request.name}`;
  if (code === 404 && concurrentWrite === 'deleted') {
    return `${what} existed when the webhooks were called and was deleted before they responded: another client or one of the webhooks deleted it`;
  }
  if (code === 409 && concurrentWrite === 'created' && status?.['reason'] === 'AlreadyExists') {
    return `${what} did not exist when the webhooks were called and was created before they responded: another client or one of the webhooks created it`;
  }
  if (code === 409 && concurrentWrite === 'updated' && status?.['reason'] === 'Conflict') {
    return `${what} was changed while the webhooks were called, by another client or by one of the webhooks: read it again, apply the change, and write it`;
  }
  return undefined;
}

function hintAtStaleVersion({ request: { body, verb }, response: { code }, objectBefore }: Trace): string | undefined {
  if (code !== 409 || verb !== 'update') return undefined;
  const sent = asString(valueAt(body, 'metadata', 'resourceVersion'));
  const stored = asString(valueAt(objectBefore, 'metadata', 'resourceVersion'));
  if (sent === '' || stored === '' || sent === stored) return undefined;
  return `the request has resourceVersion ${sent}, but ${stored} is stored: read the object again, apply the change, and write it`;
}

function hintAtContainers({ request: { resource, subresource }, response: { code } }: Trace): string | undefined {
  const isStream = ['exec', 'attach', 'portforward', 'proxy'].includes(subresource) && resource === 'pods';
  if (!isStream || (code !== 400 && code !== 501)) return undefined;
  return 'kadmit runs no containers: it only decides whether the request is allowed';
}

/** kube-apiserver calls no webhooks for such an object. */
const isExempt = (one: DecisionModel): boolean => one.type === 'webhook' && one.source.reason?.because === 'exempt';

/** Reads pass no admission. */
const reads = new Set(['get', 'list', 'watch']);

/** Why no webhook was called, unless a webhook or policy has its own headline. */
function noWebhook(trace: Trace, decisions: readonly DecisionModel[]): readonly Headline[] {
  const webhooks = decisions.filter((one) => one.type === 'webhook');
  const hasHeadline = webhooks.some((one) => one.tone !== 'quiet' && !isExempt(one));
  const hasPolicy = decisions.some(({ type, outcome }) => type === 'policy' && outcome !== 'skipped');
  if (hasHeadline || hasPolicy || reads.has(trace.request.verb)) return [];
  const text = trace.verdict === 'refused' ? refusedText(trace, decisions) : admittedText(trace, decisions, webhooks);
  return text === undefined ? [] : [{ about: 'no-webhook', tone: 'quiet', name: '', text }];
}

function refusedText({ objectReceived }: Trace, decisions: readonly DecisionModel[]): string | undefined {
  if (decisions.length === 0 && objectReceived === undefined) return undefined;
  return 'no webhook was called before the refusal';
}

function admittedText(trace: Trace, decisions: readonly DecisionModel[], webhooks: readonly WebhookModel[]): string {
  const none = 'no webhook was called';
  const exempt = webhooks.find(isExempt);
  if (decisions.length === 0 && trace.objectReceived === undefined) return `${none}: admission was not reached`;
  if (exempt) return `${none}: ${exempt.sentence}`;
  if (webhooks.length === 0) return `${none}: ${configurationText(trace)}`;
  const known = groupByCallee(webhooks).length;
  const count = known === 1 ? 'the only webhook does not match' : `none of the ${known} webhooks matches`;
  return `${none}: ${count} ${trace.request.verb} of ${resourceText(trace.request)}`;
}

function configurationText({ emptyConfigurations: empty = [] }: Trace): string {
  if (empty.length === 0) return 'no webhook configuration is stored on this server';
  const are = empty.length === 1 ? ['configuration', 'is'] : ['configurations', 'are'];
  return `${are[0]} ${describeList(empty)} ${are[1]} stored without webhooks (webhooks: [])`;
}
