import { ownValue } from '../../machinery/meta/object.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { nearestName } from '../../machinery/nearest-name.ts';
import type { RuleMismatch } from '../../apiserver/admission/chain/skip-reason.ts';
import type { Trace, TracedDecision, TracedPolicy, TracedRequest, TracedWebhook } from '../trace/trace.ts';
import { reinvocationOf, unseenChangesByCall } from '../findings/order-remedy.ts';
import { isNearlyNamed, nearnessOf } from './near-miss.ts';

/** A change that a program can make, for a webhook or policy that was not called, failed, or did not see a change. */
export interface Remedy {
  /** The webhook or policy. */
  readonly name: string;
  /** What the change does, a sentence without its full stop. */
  readonly text: string;
  /** The change as a shell command. */
  readonly command: string;
  readonly target: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  /** `strategic` merges lists by name; `json` is a list of operations. */
  readonly patchType: 'strategic' | 'json';
  readonly patch: JsonValue;
}

/** The remedies of a request that can be expressed as a patch; webhooks that do not match have none. */
export function remediesOf(trace: Trace): readonly Remedy[] {
  const unseen = unseenChangesByCall(trace);
  const all = trace.admission.flatMap((decision, at) => [
    ...remedyOf(decision, trace),
    ...(decision.type === 'webhook' && unseen.get(at) !== undefined ? reinvocationRemedy(decision) : []),
  ]);
  return [...new Map(all.map((one) => [one.command, one])).values()];
}

function remedyOf(decision: TracedDecision, trace: Trace): readonly Remedy[] {
  if (decision.type === 'webhook') return decision.outcome === 'skipped' ? skippedWebhook(decision, trace) : [];
  return decision.type === 'policy' ? misspeltFields(decision, trace) : [];
}

function skippedWebhook(webhook: TracedWebhook, { request }: Trace): readonly Remedy[] {
  const { reason } = webhook;
  if (reason === undefined || nearnessOf(webhook, request) === 'far') return [];
  if (reason.because === 'namespaceSelector') return labelNamespace(webhook, reason);
  return reason.because === 'no-rule-matched' && reason.nearest !== null
    ? correctRule(webhook, reason.nearest, request)
    : [];
}

function correctRule(
  webhook: TracedWebhook,
  { rule, parts: [part] }: RuleMismatch,
  { resource, subresource }: TracedRequest,
): readonly Remedy[] {
  if (part === undefined) return [];
  if (part.part === 'apiVersion' && webhook.definition?.['matchPolicy'] === 'Exact')
    return [patchWebhook(webhook, { matchPolicy: 'Equivalent' }, 'match the other versions of the resource too')];
  const field = fieldOfPart[part.part];
  if (field === undefined) return [];
  const isSubresource = part.part === 'resource' && subresource !== '';
  const wanted = isSubresource ? `${resource}/${subresource}` : part.has;
  const isWrong = (entry: string): boolean =>
    part.part === 'resource' && !isSubresource && isNearlyNamed(entry, resource);
  const rules = asList(webhook.definition?.['rules']).map((one, at) =>
    at === rule ? { ...asObject(one), [field]: [...part.wants.filter((entry) => !isWrong(entry)), wanted] } : one,
  );
  return [patchWebhook(webhook, { rules }, `match ${JSON.stringify(wanted)} in ${field} of rules[${rule}]`)];
}

/** The field of a rule for each part of a mismatch. */
const fieldOfPart: Readonly<Record<string, string>> = {
  operation: 'operations',
  apiGroup: 'apiGroups',
  apiVersion: 'apiVersions',
  resource: 'resources',
};

type NamespaceMismatch = Extract<NonNullable<TracedWebhook['reason']>, { readonly because: 'namespaceSelector' }>;

/** For a selector of matchLabels; an expression may have other values that fit better. */
function labelNamespace(
  { name, definition }: TracedWebhook,
  { namespace, labels }: NamespaceMismatch,
): readonly Remedy[] {
  const selector = asObject(definition?.['namespaceSelector']);
  const wanted = Object.entries(asObject(selector['matchLabels'])).filter(
    ([key, value]) => ownValue(labels, key) !== value,
  );
  const expressions = asList(selector['matchExpressions'])
    .map(asObject)
    .filter((one) => !isRequirementMet(one, labels));
  const required = expressions.map(({ key, operator, values }): readonly [string, JsonValue | undefined] => [
    asString(key),
    operator === 'In' ? asList(values)[0] : operator === 'Exists' ? 'true' : undefined,
  ]);
  const all = [...wanted, ...required];
  // The API server sets this label itself.
  if (namespace === '' || all.some(([key, value]) => value === undefined || key === 'kubernetes.io/metadata.name'))
    return [];
  const added = Object.fromEntries(all.map(([key, value]) => [key, asString(value)]));
  const words = Object.entries(added).map(([key, value]) => `${key}=${value}`);
  const overwrites = Object.keys(added).some((key) => Object.hasOwn(labels, key)) ? ' --overwrite' : '';
  return [
    {
      name,
      text: `give namespace ${namespace} the labels that namespaceSelector requires`,
      command: `kubectl label namespace ${namespace} ${words.join(' ')}${overwrites}`,
      target: { apiVersion: 'v1', kind: 'Namespace', name: namespace },
      patchType: 'strategic',
      patch: { metadata: { labels: added } },
    },
  ];
}

function isRequirementMet({ key, operator, values }: JsonObject, labels: Readonly<Record<string, string>>): boolean {
  const label = ownValue(labels, asString(key));
  if (operator === 'In') return label !== undefined && asList(values).includes(label);
  if (operator === 'NotIn') return label === undefined || !asList(values).includes(label);
  return operator === 'Exists' ? label !== undefined : label === undefined;
}

const reinvocationRemedy = (webhook: TracedWebhook): readonly Remedy[] =>
  webhook.phase === 'mutating' && reinvocationOf(webhook) === 'Never'
    ? [patchWebhook(webhook, { reinvocationPolicy: 'IfNeeded' }, 'call it again after later changes')]
    : [];

function patchWebhook({ configuration, name, phase }: TracedWebhook, fields: JsonObject, text: string): Remedy {
  const kind = phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  return patchRemedy(name, text, {
    target: { apiVersion: 'admissionregistration.k8s.io/v1', kind, name: configuration },
    patchType: 'strategic',
    patch: { webhooks: [{ name, ...fields }] },
  });
}

function patchRemedy(name: string, text: string, patch: Pick<Remedy, 'target' | 'patchType' | 'patch'>): Remedy {
  const { target, patchType } = patch;
  const command = `kubectl patch ${target.kind.toLowerCase()} ${target.name} --type=${patchType} -p '${shellText(patch.patch)}'`;
  return { name, text, command, ...patch };
}

/** Within single quotes. */
const shellText = (value: JsonValue): string => JSON.stringify(value).replaceAll("'", String.raw`'\''`);

/** A validation that failed because it names a field that the object lacks and has under a similar name. */
function misspeltFields(policy: TracedPolicy, { objectReceived, objectAfter }: Trace): readonly Remedy[] {
  const object = objectReceived ?? objectAfter;
  return (policy.validations ?? []).flatMap(({ expression, result, message = '' }, index) => {
    const missing = /no such key: (?<key>[\w-]+)/.exec(message)?.groups?.['key'];
    if (result !== 'error' || missing === undefined || !object) return [];
    const right = siblingFields(expression, missing, object);
    const nearest = nearestName(missing, right);
    if (nearest === undefined) return [];
    const fixed = expression.replaceAll(/\.(?<field>\w+)/g, (whole, field) =>
      field === missing ? `.${nearest}` : whole,
    );
    return [
      patchRemedy(policy.name, `write ${nearest} instead of ${missing} in validations[${index}]`, {
        target: { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy', name: policy.name },
        patchType: 'json',
        patch: [{ op: 'replace', path: `/spec/validations/${index}/expression`, value: fixed }],
      }),
    ];
  });
}

/** The fields of the object that the expression reads the missing one from: `object.spec` of `object.spec.replica`. */
function siblingFields(expression: string, missing: string, object: JsonObject): readonly string[] {
  const paths = (expression.match(/\bobject(?:\.\w+)+/g) ?? []).map((text) => text.split('.').slice(1));
  const path = paths.find((fields) => fields.includes(missing));
  if (path === undefined) return [];
  const parent = path
    .slice(0, path.indexOf(missing))
    .reduce<JsonObject>((value, field) => asObject(value[field]), object);
  return Object.keys(parent);
}
