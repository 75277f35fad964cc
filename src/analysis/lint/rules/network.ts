import { asList, asObject, asString, type JsonObject, type JsonValue, valueAt } from '../../../machinery/json/json.ts';
import { readLabelSelector } from '../../../machinery/selectors/label-selector.ts';
import { find, type LintHook, type LintSet, lintNamespace, templatesFor, templatesIn } from '../model/lint-set.ts';
import type { LintObject } from '../model/lint-object.ts';
import { type LintCheck, hookName, inHook, type UnplacedFinding } from '../finding.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';

/**
 * NetworkPolicies that isolate the backend's Pods drop kube-apiserver's packets: each call waits for its timeout.
 * Follows k8s.io/api networking/v1/types.go NetworkPolicySpec.
 */
export const networkBlocked: LintCheck = (set) =>
  set.hooks.flatMap((hook) => {
    const isolating = hook.service ? isolatingPolicies(set, hook.service) : [];
    const [first] = isolating;
    if (first === undefined) return [];
    const { timeoutSeconds, failurePolicy } = hook.webhook;
    const peers = isolating.some(({ letsPods }) => letsPods);
    return [
      {
        ...inHook(hook, 'clientConfig'),
        rule: 'network-blocked',
        // Behind konnectivity the calls come from a Pod.
        severity: peers ? ('warning' as const) : ('error' as const),
        title: `${hookName(hook)} is behind NetworkPolicy ${first.policy.namespace}/${first.policy.name}, which admits ${peers ? 'only Pods' : 'no peers'} at its port: kube-apiserver is not a Pod`,
        harm:
          failurePolicy === 'Fail'
            ? `packets are dropped: each matching request waits ${timeoutSeconds} s and is refused, context deadline exceeded`
            : `packets are dropped: each matching request waits ${timeoutSeconds} s and is then admitted without the webhook; several such webhooks exceed its deadline`,
        remedy:
          'allow its port from all peers (an ingress rule with ports and without from), or from the addresses of the control plane',
      },
    ];
  });

interface Isolating {
  readonly policy: LintObject;
  /** Whether it allows Pods by their labels. */
  readonly letsPods: boolean;
}

/** Policies that select the Service's Pods, if none allows everything or an address. */
function isolatingPolicies(
  set: LintSet,
  { namespace, name, port }: NonNullable<LintHook['service']>,
): readonly Isolating[] {
  const service = find(set, 'Service', namespace, name);
  const selector = asObject(valueAt(service?.object, 'spec', 'selector'));
  const templates = templatesFor(set, namespace, selector).filter(
    (template) => valueAt(template, 'spec', 'hostNetwork') !== true,
  );
  const target = targetOf(service, port);
  const all = set.objects.filter((one) => one.kind === 'NetworkPolicy' && lintNamespace(one) === namespace);
  for (const template of templates) {
    const selecting = all.filter((policy) => selects(policy, template));
    const rules = selecting.flatMap((policy) => rulesFor(policy, portNumber(target, template), target));
    const isOpen = rules.some(({ from }) => isOpenTo(from));
    if (selecting.length > 0 && !isOpen) return selecting.map((policy) => ({ policy, letsPods: rules.length > 0 }));
  }
  return [];
}

function selects({ object }: LintObject, template: JsonObject): boolean {
  const types = asList(valueAt(object, 'spec', 'policyTypes'));
  if (types.length > 0 && !types.includes('Ingress')) return false;
  const reading = readLabelSelector(valueAt(object, 'spec', 'podSelector') ?? {});
  if (reading.outcome !== 'selector') return false;
  const labels = Object.entries(asObject(valueAt(template, 'metadata', 'labels')));
  return reading.selector.matches(Object.fromEntries(labels.map(([key, value]) => [key, asString(value)])));
}

/** Ingress rules that apply to a port. */
const rulesFor = ({ object }: LintObject, port: number | undefined, target: JsonValue): readonly JsonObject[] =>
  asList(valueAt(object, 'spec', 'ingress'))
    .map(asObject)
    .filter(
      ({ ports }) => asList(ports).length === 0 || asList(ports).some((one) => takes(asObject(one), port, target)),
    );

function takes({ port, endPort }: JsonObject, number: number | undefined, target: JsonValue): boolean {
  if (port === undefined || port === target || port === number) return true;
  // An undeclared name may be any number.
  if (typeof port === 'string' || number === undefined) return true;
  return typeof port === 'number' && typeof endPort === 'number' && number >= port && number <= endPort;
}

/** An empty list allows everything; an address may be the control plane's. */
const isOpenTo = (from: JsonValue | undefined): boolean =>
  asList(from).length === 0 || asList(from).some((peer) => asObject(peer)['ipBlock'] !== undefined);

/** The targetPort of a Service port: a number or a name. */
function targetOf(service: LintObject | undefined, port: number): JsonValue {
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
    const own = set.objects.filter((one) => one.kind === 'Service' && lintNamespace(one) === service.namespace);
    const object = find(set, 'Service', service.namespace, service.name);
    if (object === undefined) {
      if (own.length === 0 && !set.isWhole) return [];
      const hint = suggestion(
        service.name,
        own.map(({ name }) => name),
      );
      return [finding(hook, `calls Service ${service.namespace}/${service.name}, which does not exist${hint}`)];
    }
    const ports = asList(valueAt(object.object, 'spec', 'ports')).map((port) =>
      JSON.stringify(asObject(port)['port'] ?? null),
    );
    if (ports.includes(String(service.port)) || valueAt(object.object, 'spec', 'type') === 'ExternalName') return [];
    return [
      finding(
        hook,
        `calls port ${service.port} of Service ${service.namespace}/${service.name}, which has ${ports.join(', ') || 'none'}`,
      ),
    ];
  });

const finding = (hook: LintHook, what: string): UnplacedFinding => ({
  ...inHook(hook, 'clientConfig'),
  rule: 'no-service',
  severity: 'error',
  title: `${hookName(hook)} ${what}`,
  harm: failureOf(hook),
  remedy: 'correct clientConfig.service, or add the Service',
});

const failureOf = ({ webhook }: LintHook): string =>
  webhook.failurePolicy === 'Fail'
    ? 'every matching request is refused: failed calling webhook (failurePolicy Fail)'
    : 'every matching request is admitted without the webhook (failurePolicy Ignore)';

/** The Service selects no Pod. */
export const noEndpoints: LintCheck = (set) =>
  set.hooks.flatMap((hook) => {
    const why = hook.service && whyUnserved(set, hook.service);
    if (why === undefined) return [];
    return [
      {
        ...inHook(hook, 'clientConfig'),
        rule: 'no-endpoints',
        severity: 'error',
        title: `${hookName(hook)} has no backend to call: ${why}`,
        harm: failureOf(hook),
        remedy: 'set spec.selector of the Service to labels of the Pod template',
      },
    ];
  });

function whyUnserved(set: LintSet, { namespace, name }: NonNullable<LintHook['service']>): string | undefined {
  const object = find(set, 'Service', namespace, name);
  if (object === undefined || valueAt(object.object, 'spec', 'type') === 'ExternalName') return undefined;
  if (set.isWhole)
    return servedEndpoints(set, namespace, name)
      ? undefined
      : `Service ${namespace}/${name} has no endpoint that is ready`;
  const selector = asObject(valueAt(object.object, 'spec', 'selector'));
  const others = templatesIn(set, namespace);
  if (Object.keys(selector).length === 0 || others.length === 0 || templatesFor(set, namespace, selector).length > 0)
    return undefined;
  const labels = Object.entries(selector).map(([key, value]) => `${key}=${asString(value)}`);
  return `Service ${namespace}/${name} selects ${labels.join(', ')}, which no Pod template of ${namespace} has`;
}

const servedEndpoints = (set: LintSet, namespace: string, service: string): boolean =>
  set.objects.some(
    ({ kind, object, ...one }) =>
      kind === 'EndpointSlice' &&
      one.namespace === namespace &&
      valueAt(object, 'metadata', 'labels', 'kubernetes.io/service-name') === service &&
      asList(object['endpoints']).some((endpoint) => valueAt(endpoint, 'conditions', 'ready') !== false),
  );
