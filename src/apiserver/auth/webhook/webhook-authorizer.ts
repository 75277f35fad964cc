import { writeJson } from '../../../machinery/json/json-writer.ts';
import { asString, type JsonObject, setOwn } from '../../../machinery/json/json.ts';
import { parseLabelSelector } from '../../../machinery/selectors/label-selector.ts';
import type { AuthorizationDecision, AuthorizationQuestion, Authorize, ResourceQuestion } from '../authorizer.ts';
import { createLruExpireCache } from './lru-expire-cache.ts';

/** Times in milliseconds; 0: not cached. */
export interface WebhookAuthorization {
  readonly version: 'v1' | 'v1beta1';
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
  /** For failed calls. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** matchConditions over the spec of a SubjectAccessReview. */
  readonly matches: (spec: JsonObject) => ConditionsVerdict;
}

export type ConditionsVerdict =
  | { readonly outcome: 'matched' | 'skipped' }
  | { readonly outcome: 'failed'; readonly error: string };

export type SendReview = (
  review: JsonObject,
) => Promise<
  | { readonly outcome: 'reviewed'; readonly status: JsonObject; readonly bytes: number }
  | { readonly outcome: 'failed'; readonly error: string }
>;

export interface WebhookAuthorizerPorts {
  readonly sendReview: SendReview;
  readonly now: () => number;
}

/** Clients choose the size of questions, so long ones are not cached. */
const maxCachedLength = 10_000;
const maxCached = 8192;

/** Follows apiserver plugin/pkg/authorizer/webhook/webhook.go. */
export function createWebhookAuthorizer(
  settings: WebhookAuthorization,
  { sendReview, now }: WebhookAuthorizerPorts,
): Authorize {
  const cache = createLruExpireCache<JsonObject>(maxCached, now);
  const failed = (error: string): AuthorizationDecision => ({
    allowed: false,
    denied: settings.failurePolicy === 'Deny',
    reason: '',
    error,
  });
  return async (question) => {
    const spec = reviewSpec(question);
    const verdict = settings.matches(spec);
    if (verdict.outcome === 'failed') return failed(verdict.error);
    if (verdict.outcome === 'skipped') return { allowed: false, reason: '' };
    const key = writeJson(spec);
    const cachedStatus = cache.get(key);
    if (cachedStatus) return decisionOf(cachedStatus);
    const answer = await sendReview(reviewOf(spec, settings.version));
    if (answer.outcome === 'failed') return failed(answer.error);
    const { status, bytes } = answer;
    const ttlMs = status['allowed'] === true ? settings.authorizedMs : settings.unauthorizedMs;
    if (lengthOf(question) < maxCachedLength) cache.add(key, { value: status, bytes }, ttlMs);
    return decisionOf(status);
  };
}

const reviewOf = (spec: JsonObject, version: WebhookAuthorization['version']): JsonObject => ({
  kind: 'SubjectAccessReview',
  apiVersion: `authorization.k8s.io/${version}`,
  metadata: {},
  spec: version === 'v1' ? spec : reviewSpecV1beta1(spec),
  status: { allowed: false },
});

function decisionOf(status: JsonObject): AuthorizationDecision {
  const [allowed, denied] = [status['allowed'] === true, status['denied'] === true];
  const reason = asString(status['reason']);
  if (!denied) return { allowed, reason };
  const error = allowed ? 'webhook subject access review returned both allow and deny response' : undefined;
  return { allowed: false, denied, reason, error };
}

function lengthOf(question: AuthorizationQuestion): number {
  if (question.type === 'path') return question.verb.length + question.path.length;
  const { namespace, verb, group, version, resource, subresource, name } = question;
  return [namespace, verb, group, version, resource, subresource, name].join('').length;
}

/**
 * `spec` of a SubjectAccessReview v1 without empty fields. Follows apiserver plugin/pkg/authorizer/webhook/webhook.go.
 */
function reviewSpec(question: AuthorizationQuestion): JsonObject {
  const { username, uid, groups, extra } = question.user;
  const attributes =
    question.type === 'resource'
      ? { resourceAttributes: resourceAttributes(question) }
      : { nonResourceAttributes: withoutEmptyTexts({ path: question.path, verb: question.verb }) };
  return {
    ...attributes,
    ...withoutEmptyTexts({ user: username }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
    ...withoutEmptyTexts({ uid }),
  };
}

/** v1beta1 calls the groups `group`. */
const reviewSpecV1beta1 = (spec: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(spec).map(([name, value]) => [name === 'groups' ? 'group' : name, value]));

function resourceAttributes(question: ResourceQuestion): JsonObject {
  const { namespace, verb, group, version, resource, subresource, name } = question;
  const fields = requirementsOfFields(question.fieldSelector ?? '');
  const labels = requirementsOfLabels(question.labelSelector ?? '');
  return {
    ...withoutEmptyTexts({ namespace, verb, group, version, resource, subresource, name }),
    ...(fields.length === 0 ? {} : { fieldSelector: { requirements: fields } }),
    ...(labels.length === 0 ? {} : { labelSelector: { requirements: labels } }),
  };
}

function withoutEmptyTexts(fields: Readonly<Record<string, string>>): JsonObject {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== '') setOwn(kept, name, value);
  return kept;
}

/** Unreadable requirements are dropped. Follows apimachinery pkg/fields/selector.go. */
function requirementsOfFields(text: string): readonly JsonObject[] {
  const terms = text.split(/(?<!\\),/).filter((term) => term !== '');
  const requirements = terms.map((term) => /^(.*?)(!=|==|=)(.*)$/s.exec(term));
  if (requirements.includes(null)) return [];
  return requirements.map((found) => {
    const [, key = '', operator, value = ''] = found ?? [];
    return { key, operator: operator === '!=' ? 'NotIn' : 'In', values: [value.replaceAll(/\\([\\,=])/g, '$1')] };
  });
}

const labelOperators: ReadonlyMap<string, string> = new Map([
  ['=', 'In'],
  ['==', 'In'],
  ['in', 'In'],
  ['!=', 'NotIn'],
  ['notin', 'NotIn'],
  ['exists', 'Exists'],
  ['!', 'DoesNotExist'],
]);

function requirementsOfLabels(text: string): readonly JsonObject[] {
  const reading = parseLabelSelector(text);
  if (reading.outcome === 'unparsable') return [];
  return reading.selector.requirements.flatMap(({ key, operator, values }) => {
    const known = labelOperators.get(operator);
    if (known === undefined) return [];
    return [{ key, operator: known, ...(values.length === 0 ? {} : { values }) }];
  });
}
