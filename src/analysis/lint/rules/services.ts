import { asList, asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import { find, type LintHook, type LintSet, lintNamespace, templatesFor, templatesIn } from '../model/lint-set.ts';
import { type LintCheck, type UnplacedFinding, hookName, inHook } from '../model/report.ts';

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
      return [finding(hook, `calls Service ${service.namespace}/${service.name}, which is not there${hint}`)];
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
    ? 'every request that it takes is refused: failed calling webhook (failurePolicy Fail)'
    : 'every request that it takes passes unseen, and waits for nothing (failurePolicy Ignore)';

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
        remedy: 'let spec.selector of the Service name labels of the Pod template',
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
