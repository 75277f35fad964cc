import { asList, asObject, asString, type JsonObject, type JsonValue, valueAt } from '../../../machinery/json/json.ts';
import { readLabelSelector } from '../../../machinery/selectors/label-selector.ts';
import {
  findObject,
  type LintHook,
  type LintSet,
  effectiveNamespace,
  templatesFor,
  templatesIn,
} from '../model/lint-set.ts';
import type { LintObject } from '../model/lint-object.ts';
import { type LintCheck, webhookTitle, webhookField, type UnplacedFinding } from '../finding.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';

/**
 * NetworkPolicies that isolate the backend's Pods drop kube-apiserver's packets: each call waits for its timeout.
 * Follows k8s.io/api networking/v1/types.go NetworkPolicySpec.
 */
export const networkBlocked: LintCheck = (set) =>
  set.hooks.flatMap((hook) => {
    const isolating = hook.service ? findIsolatingPolicies(set, hook.service) : [];
    const [first] = isolating;
    if (first === undefined) return [];
    const { timeoutSeconds, failurePolicy } = hook.webhook;
    const peers = isolating.some(({ letsPods }) => letsPods);
    return [
      {
        ...webhookField(hook, 'clientConfig'),
        rule: 'network-blocked',
        // Behind konnectivity the calls come from a Pod.
        severity: peers ? ('warning' as const) : ('error' as const),
        title: `${webhookTitle(hook)} is behind NetworkPolicy ${first.policy.namespace}/${first.policy.name}, which admits ${peers ? 'only Pods' : 'no peers'} at its port: kube-apiserver is not a Pod`,
        harm:
          failurePolicy === 'Fail'
            ? `packets are dropped: each matching request waits ${timeoutSeconds} s and is refused, context deadline exceeded`
            : `packets are dropped: each matching request waits ${timeoutSeconds} s and is then admitted without the webhook; several such webhooks exceed its deadline`,
        remedy:
          'allow its port from all peers (an ingress rule with ports and without from), or from the addresses of the control plane',
      },
    ];
  });

interface IsolatingPolicy {
  readonly policy: LintObject;
  /** Whether it allows Pods by their labels. */
  readonly letsPods: boolean;
}

/** Policies that select the Service's Pods, if none allows everything or an address. */
function findIsolatingPolicies(
  set: LintSet,
  { namespace, name, port }: NonNullable<LintHook['service']>,
): readonly IsolatingPolicy[] {
  const service = findObject(set, 'Service', namespace, name);
  const selector = asObject(valueAt(service?.object, 'spec', 'selector'));
  const templates = templatesFor(set, namespace, selector).filter(
    (template) => valueAt(template, 'spec', 'hostNetwork') !== true,
  );
  const target = findTargetPort(service, port);
  const all = set.objects.filter((one) => one.kind === 'NetworkPolicy' && effectiveNamespace(one) === namespace);
  for (const template of templates) {
    const selecting = all.filter((policy) => selectsPod(policy, template));
    const rules = selecting.flatMap((policy) => ingressRulesFor(policy, portNumber(target, template), target));
    const isOpen = rules.some(({ from }) => allowsControlPlane(from));
    if (selecting.length > 0 && !isOpen) return selecting.map((policy) => ({ policy, letsPods: rules.length > 0 }));
  }
  return [];
}

function selectsPod({ object }: LintObject, template: JsonObject): boolean {
  const types = asList(valueAt(object, 'spec', 'policyTypes'));
  if (types.length > 0 && !types.includes('Ingress')) return false;
  const reading = readLabelSelector(valueAt(object, 'spec', 'podSelector') ?? {});
  if (reading.outcome !== 'selector') return false;
  const labels = Object.entries(asObject(valueAt(template, 'metadata', 'labels')));
  return reading.selector.matches(Object.fromEntries(labels.map(([key, value]) => [key, asString(value)])));
}

/** Ingress rules that apply to a port. */
const ingressRulesFor = ({ object }: LintObject, port: number | undefined, target: JsonValue): readonly JsonObject[] =>
  asList(valueAt(object, 'spec', 'ingress'))
    .map(asObject)
    .filter(
      ({ ports }) => asList(ports).length === 0 || asList(ports).some((one) => allowsPort(asObject(one), port, target)),
    );

function allowsPort({ port, endPort }: JsonObject, number: number | undefined, target: JsonValue): boolean {
  if (port === undefined || port === target || port === number) return true;
  // An undeclared name may be any number.
  if (typeof port === 'string' || number === undefined) return true;
  return typeof port === 'number' && typeof endPort === 'number' && number >= port && number <= endPort;
}

/** An empty list allows everything; an address may be the control plane's. */
const allowsControlPlane = (from: JsonValue | undefined): boolean =>
  asList(from).length === 0 || asList(from).some((peer) => asObject(peer)['ipBlock'] !== undefined);

/** The targetPort of a Service port: a number or a name. */
function findTargetPort(service: LintObject | undefined, port: number): JsonValue {
  const ports = asList(valueAt(service?.object, 'spec', 'ports')).map(asObject);
  return ports.find((one) => one['port'] === port)?.['targetPort'] ?? port;
}

function portNumber(target: JsonValue, template: JsonObject): number | undefined {
  if (typeof target === 'number') return target;
  const declared = asList(valueAt(template, 'spec', 'containers')).flatMap((one) =>
    asList(asObject(one)['ports']).map(asObject),
  );
  const found = declared.find(({ name }) => name === target)?.['containerPort'];
  return typeof found === 'number' ? found : undefined;
}

/** The webhook's Service or its port does not exist. */
export const noService: LintCheck = (set) =>
  set.hooks.flatMap((hook) => {
    const { service, webhook } = hook;
    if (service === undefined || webhook.clientConfig.service === undefined) return [];
    const own = set.objects.filter((one) => one.kind === 'Service' && effectiveNamespace(one) === service.namespace);
    const object = findObject(set, 'Service', service.namespace, service.name);
    if (object === undefined) {
      if (own.length === 0 && !set.isWhole) return [];
      const hint = suggestion(
        service.name,
        own.map(({ name }) => name),
      );
      return [serviceFinding(hook, `calls Service ${service.namespace}/${service.name}, which does not exist${hint}`)];
    }
    const ports = asList(valueAt(object.object, 'spec', 'ports')).map((port) =>
      JSON.stringify(asObject(port)['port'] ?? null),
    );
    if (ports.includes(String(service.port)) || valueAt(object.object, 'spec', 'type') === 'ExternalName') return [];
    return [
      serviceFinding(
        hook,
        `calls port ${service.port} of Service ${service.namespace}/${service.name}, which has ${ports.join(', ') || 'none'}`,
      ),
    ];
  });

const serviceFinding = (hook: LintHook, what: string): UnplacedFinding => ({
  ...webhookField(hook, 'clientConfig'),
  rule: 'no-service',
  severity: 'error',
  title: `${webhookTitle(hook)} ${what}`,
  harm: callFailureText(hook),
  remedy: 'correct clientConfig.service, or add the Service',
});

const callFailureText = ({ webhook }: LintHook): string =>
  webhook.failurePolicy === 'Fail'
    ? 'every matching request is refused: failed calling webhook (failurePolicy Fail)'
    : 'every matching request is admitted without the webhook (failurePolicy Ignore)';

/** The Service selects no Pod. */
export const noEndpoints: LintCheck = (set) =>
  set.hooks.flatMap((hook) => {
    const why = hook.service && unservedReason(set, hook.service);
    if (why === undefined) return [];
    return [
      {
        ...webhookField(hook, 'clientConfig'),
        rule: 'no-endpoints',
        severity: 'error',
        title: `${webhookTitle(hook)} has no backend to call: ${why}`,
        harm: callFailureText(hook),
        remedy: 'set spec.selector of the Service to labels of the Pod template',
      },
    ];
  });

function unservedReason(set: LintSet, { namespace, name }: NonNullable<LintHook['service']>): string | undefined {
  const object = findObject(set, 'Service', namespace, name);
  if (object === undefined || valueAt(object.object, 'spec', 'type') === 'ExternalName') return undefined;
  if (set.isWhole)
    return hasReadyEndpoint(set, namespace, name)
      ? undefined
      : `Service ${namespace}/${name} has no endpoint that is ready`;
  const selector = asObject(valueAt(object.object, 'spec', 'selector'));
  const others = templatesIn(set, namespace);
  if (Object.keys(selector).length === 0 || others.length === 0 || templatesFor(set, namespace, selector).length > 0)
    return undefined;
  const labels = Object.entries(selector).map(([key, value]) => `${key}=${asString(value)}`);
  return `Service ${namespace}/${name} selects ${labels.join(', ')}, which no Pod template of ${namespace} has`;
}

const hasReadyEndpoint = (set: LintSet, namespace: string, service: string): boolean =>
  set.objects.some(
    ({ kind, object, ...one }) =>
      kind === 'EndpointSlice' &&
      one.namespace === namespace &&
      valueAt(object, 'metadata', 'labels', 'kubernetes.io/service-name') === service &&
      asList(object['endpoints']).some((endpoint) => valueAt(endpoint, 'conditions', 'ready') !== false),
  );
