import type { Codec } from '../../../api/codec/codec.ts';
import type { Catalogue, ResourceInfo } from '../../../api/types/catalogue/catalogue.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import { apiVersionOf, type GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest } from '../../../machinery/meta/status.ts';
import {
  readLabelSelector,
  type SelectorReading,
  selectorSentence,
} from '../../../machinery/selectors/label-selector.ts';
import { allAuthenticated, groupsOfServiceAccount, parseServiceAccountUsername } from '../../auth/user.ts';
import { createImmutableViews } from '../matching/versions.ts';
import type { Hook } from '../policies/hooks.ts';
import type { MatchResources } from '../policies/match-resources.ts';
import { selectPolicies, type SelectPorts } from '../policies/select.ts';
import type { AdmissionWebhook } from '../webhooks/read-webhooks.ts';
import { type MatchPorts, matchWebhook } from '../webhooks/match.ts';
import type { AdmissionAttributes, AdmissionPhase, Operation } from './attributes.ts';
import type { ChainPlugin } from './create-chain.ts';
import { policyExemption, webhookExemption } from './exempt.ts';
import type { SkipReason } from './skip-reason.ts';

export interface PreviewStep {
  readonly phase: AdmissionPhase;
  readonly type: 'plugin' | 'webhook' | 'policy';
  readonly name: string;
  /** Of a webhook its configuration, of a policy its binding. */
  readonly within: string;
  readonly definition: JsonObject | null;
  readonly outcome: PreviewOutcome;
}

export type PreviewOutcome =
  | { readonly outcome: 'called' }
  | { readonly outcome: 'depends'; readonly on: readonly string[] }
  | { readonly outcome: 'skipped'; readonly reason: SkipReason }
  /** It refuses the request without being called. */
  | { readonly outcome: 'refuses'; readonly error: string };

export interface PreviewPorts extends MatchPorts, SelectPorts {
  readonly codec: Codec;
  readonly excludesReviews: boolean;
  readonly plugins: readonly ChainPlugin[];
  readonly webhooks: Readonly<Record<AdmissionPhase, () => readonly AdmissionWebhook[]>>;
  readonly hooks: Readonly<Record<AdmissionPhase, () => readonly Hook[]>>;
  /** Configurations and policies from files see admission configuration too. */
  readonly isFixed: (name: string) => boolean;
}

/**
 * Predicts which plugins, webhooks and policies match a request. Only matchConditions of webhooks are evaluated;
 * nothing is called.
 */
export async function previewChain(request: PreviewRequest, ports: PreviewPorts): Promise<readonly PreviewStep[]> {
  const steps: PreviewStep[] = [];
  for (const phase of ['mutating', 'validating'] as const) {
    for (const plugin of ports.plugins) {
      if (!isSelected(plugin, phase, request)) continue;
      steps.push(...(await stepsOf(plugin, phase, request, ports)));
    }
  }
  return steps;
}

const isSelected = (
  { operations, mutate, createMutation, validate }: ChainPlugin,
  phase: AdmissionPhase,
  { attributes }: PreviewRequest,
): boolean =>
  operations.includes(attributes.operation) &&
  (phase === 'mutating' ? (mutate ?? createMutation) : validate) !== undefined;

async function stepsOf(
  { name }: ChainPlugin,
  phase: AdmissionPhase,
  request: PreviewRequest,
  ports: PreviewPorts,
): Promise<readonly PreviewStep[]> {
  if (name.endsWith('AdmissionWebhook')) {
    return Promise.all(ports.webhooks[phase]().map((webhook) => webhookStep(webhook, phase, request, ports)));
  }
  if (name.endsWith('AdmissionPolicy')) return policySteps(phase, request, ports);
  return [{ phase, type: 'plugin', name, within: '', definition: null, outcome: { outcome: 'called' } }];
}

async function webhookStep(
  webhook: AdmissionWebhook,
  phase: AdmissionPhase,
  request: PreviewRequest,
  ports: PreviewPorts,
): Promise<PreviewStep> {
  const { name, configuration: within, definition } = webhook;
  const outcome = await webhookOutcome(webhook, request, ports);
  return { phase, type: 'webhook', name, within, definition, outcome };
}

const anything: SelectorReading = readLabelSelector({});

async function webhookOutcome(
  webhook: AdmissionWebhook,
  { attributes, isObjectKnown }: PreviewRequest,
  ports: PreviewPorts,
): Promise<PreviewOutcome> {
  const exemption = webhookExemption(attributes, ports.excludesReviews);
  if (exemption === 'from-all' || (exemption === 'from-api' && !ports.isFixed(webhook.configuration))) {
    return { outcome: 'skipped', reason: { because: 'exempt', kind: attributes.kind.kind } };
  }
  const certain = isObjectKnown ? webhook : { ...webhook, objectSelector: anything, matchConditions: [] };
  const match = await matchWebhook(certain, attributes, createImmutableViews(attributes, ports.codec), ports);
  if (match.outcome === 'refused') return { outcome: 'refuses', error: match.status.message ?? '' };
  if (match.outcome === 'skipped') return { outcome: 'skipped', reason: match.reason };
  const on = isObjectKnown ? [] : [...selectorText(webhook.objectSelector), ...conditionText(webhook)];
  return on.length === 0 ? { outcome: 'called' } : { outcome: 'depends', on };
}

const selectorText = (reading: SelectorReading): readonly string[] =>
  reading.outcome === 'unparsable' || reading.selector.isEmpty
    ? []
    : [`objectSelector requires ${selectorSentence(reading.selector)}`];

const conditionText = ({ matchConditions }: Pick<AdmissionWebhook, 'matchConditions'>): readonly string[] =>
  matchConditions.map(({ name, expression }) => `matchCondition ${name}: ${expression}`);

async function policySteps(
  phase: AdmissionPhase,
  { attributes, isObjectKnown }: PreviewRequest,
  ports: PreviewPorts,
): Promise<readonly PreviewStep[]> {
  const exemption = policyExemption(attributes);
  const isExempt = ({ policy: { name } }: Hook): boolean =>
    exemption === 'from-all' || (exemption === 'from-api' && !ports.isFixed(name));
  const all = ports.hooks[phase]();
  const exempt = all.filter(isExempt).map(({ policy: { name, definition } }): PreviewStep => {
    const reason = { because: 'exempt', kind: attributes.kind.kind } as const;
    return { phase, type: 'policy', name, within: '', definition, outcome: { outcome: 'skipped', reason } };
  });
  const hooks = all.filter((hook) => !isExempt(hook));
  if (hooks.length === 0) return exempt;
  const selected = await selectPolicies(isObjectKnown ? hooks : hooks.map(withoutObject), attributes, ports);
  const policyPreviews = selected.map((selection): PreviewStep => {
    const { policy, binding } = selection;
    const step = {
      phase,
      type: 'policy',
      name: policy.name,
      within: binding?.name ?? '',
      definition: policy.definition,
    } as const;
    if (selection.outcome === 'skipped') return { ...step, outcome: { outcome: 'skipped', reason: selection.reason } };
    if (selection.outcome === 'misconfigured')
      return { ...step, outcome: { outcome: 'refuses', error: selection.error } };
    const selectors = isObjectKnown ? [] : selectorsOf(hooks, step);
    const on = [...selectors.flatMap(selectorText), ...conditionText(policy)];
    return { ...step, outcome: on.length === 0 ? { outcome: 'called' } : { outcome: 'depends', on } };
  });
  return [...policyPreviews, ...exempt];
}

const ignoreObjectSelector = (match: MatchResources): MatchResources => ({ ...match, objectSelector: anything });

const withoutObject = ({ policy, bindings }: Hook): Hook => ({
  policy: { ...policy, match: ignoreObjectSelector(policy.match) },
  bindings: bindings.map((binding) =>
    binding.match ? { ...binding, match: ignoreObjectSelector(binding.match) } : binding,
  ),
});

/** The selectors that were not evaluated. */
function selectorsOf(
  hooks: readonly Hook[],
  { name, within }: Pick<PreviewStep, 'name' | 'within'>,
): readonly SelectorReading[] {
  const hook = hooks.find(({ policy }) => policy.name === name);
  const binding = hook?.bindings.find((one) => one.name === within);
  return [hook?.policy.match, binding?.match].flatMap((match) => (match ? [match.objectSelector] : []));
}

interface PreviewRequest {
  readonly attributes: AdmissionAttributes;
  /** Without it, results that need labels or fields stay open. */
  readonly isObjectKnown: boolean;
}

const operations: ReadonlyMap<string, Operation> = new Map([
  ['create', 'CREATE'],
  ['update', 'UPDATE'],
  ['patch', 'UPDATE'],
  ['delete', 'DELETE'],
  ['connect', 'CONNECT'],
]);

/**
 * Reads `verb`, `group`, `version`, `resource`, `subresource`, `namespace`, `name`, `object`, `oldObject`, `user`,
 * `groups`; refuses unknown resources and verbs without admission.
 */
export function previewRequest(question: JsonValue, catalogue: Catalogue): Result<PreviewRequest> {
  const fields = asObject(question);
  const text = (field: string): string => asString(fields[field]);
  const operation = operations.get(text('verb'));
  if (operation === undefined) {
    return refuse(badRequest(`verb: ${JSON.stringify(text('verb'))} is none of ${[...operations.keys()].join(', ')}`));
  }
  const resource = { group: text('group'), version: text('version'), resource: text('resource') };
  const row = catalogue.find(resource, text('subresource'));
  if (!row) return refuse(badRequest(`there is no ${resourceText(resource, text('subresource'))} on this server`));
  const name = text('name');
  const namespace = row.namespaced ? text('namespace') || 'default' : row.resource === 'namespaces' ? name : '';
  const given = objectOf(fields['object'] ?? fields['oldObject']);
  const object = given ?? createPlaceholder(row, namespace, name);
  const oldObject =
    operation === 'CREATE' || operation === 'CONNECT' ? null : (objectOf(fields['oldObject']) ?? object);
  return ok({
    isObjectKnown: given !== undefined,
    attributes: {
      operation,
      kind: row.kind,
      resource,
      subresource: row.subresource,
      name,
      namespace,
      object: operation === 'DELETE' ? null : object,
      oldObject,
      options: null,
      dryRun: false,
      userInfo: {
        username: text('user'),
        uid: '',
        groups: [...groupsOf(asList(fields['groups']).map(asString), text('user')), allAuthenticated],
        extra: {},
      },
    },
  });
}

/** Service accounts get their default groups. Follows apiserver pkg/endpoints/filters/impersonation.go. */
function groupsOf(given: readonly string[], username: string): readonly string[] {
  const account = given.length > 0 ? undefined : parseServiceAccountUsername(username);
  return account ? groupsOfServiceAccount(account.namespace) : given;
}

const resourceText = ({ group, version, resource }: GroupVersionResource, subresource: string): string =>
  `${resource}${subresource === '' ? '' : `/${subresource}`} in ${apiVersionOf({ group, version })}`;

function objectOf(value: JsonValue | undefined): KubernetesObject | undefined {
  if (!isJsonObject(value)) return undefined;
  return { ...value, kind: asString(value['kind']), apiVersion: asString(value['apiVersion']), ...metadataIn(value) };
}

const metadataIn = ({ metadata }: JsonObject): Pick<KubernetesObject, 'metadata'> =>
  isJsonObject(metadata) ? { metadata } : {};

const createPlaceholder = ({ kind, namespaced }: ResourceInfo, namespace: string, name: string): KubernetesObject => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  metadata: { ...(name === '' ? {} : { name }), ...(namespaced ? { namespace } : {}) },
});
