import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';
import { type JsonObject, asList, asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import {
  type WebhookConfiguration,
  type WebhookEntry,
  type WebhookFieldValues,
  failurePolicyOf,
  matchPolicyOf,
  reinvocationPolicyOf,
  timeoutSecondsOf,
} from '../../../machinery/meta/webhook-fields.ts';
import { readOnce } from '../../../machinery/once.ts';
import { type SelectorReading, readLabelSelector } from '../../../machinery/selectors/label-selector.ts';
import { type MatchCondition, readMatchConditions } from '../matching/match-conditions.ts';
import { type MatchRule, readRule } from '../matching/match-selectors.ts';
import type { ClientConfig, ServiceReference } from './call.ts';

type EachFieldRead = Readonly<Record<keyof WebhookFieldValues, unknown>>;

/** With every default in place. */
export interface AdmissionWebhook extends EachFieldRead {
  readonly configuration: string;
  readonly name: string;
  /** `configuration/name/n`: n counts earlier webhooks of the same name (rule ORD-3). Never sent. */
  readonly uid: string;
  readonly definition: WebhookEntry;
  readonly clientConfig: ClientConfig;
  readonly rules: readonly MatchRule[];
  readonly failurePolicy: WebhookFieldValues['failurePolicy'];
  readonly matchPolicy: WebhookFieldValues['matchPolicy'];
  readonly namespaceSelector: SelectorReading;
  readonly objectSelector: SelectorReading;
  /** undefined only in old objects. */
  readonly sideEffects: string | undefined;
  readonly timeoutSeconds: number;
  readonly admissionReviewVersions: readonly string[];
  readonly matchConditions: readonly MatchCondition[];
  /** Never for validating webhooks. */
  readonly reinvocationPolicy: WebhookFieldValues['reinvocationPolicy'];
}

/**
 * Read once per stored object: a create that skips twenty webhooks would take a sixth longer, and caBundles are read for every
 * call. Follows apiserver pkg/admission/configuration/mutating_webhook_manager.go.
 */
export const webhooksOf = readOnce((configuration: WebhookConfiguration): readonly AdmissionWebhook[] => {
  const name = asString(metadataOf(configuration).name);
  const nameCounts = new Map<string, number>();
  return asList(configuration.webhooks).map((entry) => {
    const webhook: WebhookEntry = asObject(entry);
    const webhookName = asString(webhook.name);
    const n = nameCounts.get(webhookName) ?? 0;
    nameCounts.set(webhookName, n + 1);
    return readWebhook(webhook, name, `${name}/${webhookName}/${n}`);
  });
});

function readWebhook(webhook: JsonObject, configuration: string, uid: string): AdmissionWebhook {
  const entry: WebhookEntry = webhook;
  return {
    configuration,
    name: asString(entry.name),
    uid,
    definition: webhook,
    clientConfig: readClientConfig(asObject(entry.clientConfig)),
    rules: asList(entry.rules).map((rule) => readRule(asObject(rule))),
    failurePolicy: failurePolicyOf(entry),
    matchPolicy: matchPolicyOf(entry),
    namespaceSelector: readLabelSelector(entry.namespaceSelector),
    objectSelector: readLabelSelector(entry.objectSelector),
    sideEffects: typeof entry.sideEffects === 'string' ? entry.sideEffects : undefined,
    timeoutSeconds: timeoutSecondsOf(entry),
    admissionReviewVersions: asList(entry.admissionReviewVersions).map(asString),
    matchConditions: readMatchConditions(entry.matchConditions),
    reinvocationPolicy: reinvocationPolicyOf(entry),
  };
}

/** Shared with the converters of definitions. */
export function readClientConfig({ url, service, caBundle }: v1.WebhookClientConfig): ClientConfig {
  return {
    ...(typeof url === 'string' ? { url } : {}),
    ...(isJsonObject(service) ? { service: readService(service) } : {}),
    ...(typeof caBundle === 'string' ? { caBundle } : {}),
  };
}

function readService({ namespace, name, path, port }: v1.ServiceReference): ServiceReference {
  return {
    namespace: asString(namespace),
    name: asString(name),
    ...(typeof path === 'string' ? { path } : {}),
    ...(typeof port === 'number' ? { port } : {}),
  };
}

const none: readonly AdmissionWebhook[] = Object.freeze([]);

/**
 * In calling order: configurations by name, then their own order (rules ORD-1, ORD-2). Follows apiserver
 * pkg/admission/configuration/mutating_webhook_manager.go.
 */
export function collectWebhooks(configurations: readonly KubernetesObject[]): readonly AdmissionWebhook[] {
  if (configurations.length === 0) return none;
  return configurations.toSorted(byName).flatMap(webhooksOf);
}

function byName(a: KubernetesObject, b: KubernetesObject): number {
  const [nameA, nameB] = [metadataOf(a).name ?? '', metadataOf(b).name ?? ''];
  return Number(nameA > nameB) - Number(nameA < nameB);
}
