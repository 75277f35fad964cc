import { validateText } from '../../../api/validation/field-rules.ts';
import { fieldErrorText, goQuote, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonValue, valueAt, withValue } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { dns1123Subdomain } from '../../../machinery/meta/names.ts';
import { ok, refuse } from '../../../machinery/meta/result.ts';
import { badRequest, conflict, notFound, plainError, type Status } from '../../../machinery/meta/status.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import { withResponse, requirePart } from '../exchange.ts';
import { guaranteedUpdate } from '../guaranteed-writes.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { failedStoragePrecondition } from '../storage-error.ts';
import { isDryRun } from '../write-options.ts';
import { objectOf } from './decode-body.ts';
import { keyRefusal } from './load-current.ts';

const pods = { group: '', resource: 'pods' };

/** The Binding must name the pod of the URL and a node; runs before validating admission. */
export const checkBinding = ({ release }: HandlerDeps): Stage => ({
  name: 'check-binding',
  run: async (exchange) => {
    const binding = objectOf(exchange);
    const { name: requestName } = requirePart(exchange.target, 'target').info;
    if (requestName !== '' && requestName !== (metadataOf(binding).name ?? '')) {
      return refuse(badRequest('name in URL does not match name in Binding object'));
    }
    const [first, ...others] = bindingErrors(binding, release.minor);
    if (first === undefined) return ok(exchange);
    return refuse(plainError(others.length === 0 ? first : `[${[first, ...others].join(', ')}]`));
  },
});

/** Follows kubernetes pkg/apis/core/validation ValidatePodBinding. */
function bindingErrors(binding: KubernetesObject, minor: number): readonly string[] {
  const { kind, name } = asObject(binding['target']);
  const ofNode = asString(kind) === '' || kind === 'Node';
  return [
    ...(ofNode ? [] : [notSupported('target.kind', asString(kind), ['Node', '<empty>'])]),
    ...(asString(name) === '' ? [required('target.name', '')] : []),
    ...(ofNode && asString(name) !== '' && minor >= 37
      ? validateText(dns1123Subdomain, 'target.name', asString(name))
      : []),
  ].map(fieldErrorText);
}

/** Webhooks of pods are not called. Follows kubernetes pkg/registry/core/pod/storage BindingREST. */
export const bind = (deps: HandlerDeps): Stage => ({
  name: 'bind',
  run: async (exchange) => {
    const target = requirePart(exchange.target, 'target');
    const binding = objectOf(exchange);
    const name = target.info.name || (metadataOf(binding).name ?? '');
    const unnamed = keyRefusal(name);
    if (unnamed) return refuse(unnamed);
    const key = { resource: pods, namespace: target.info.namespace, name };
    const dryRun = isDryRun(exchange.options);
    const bound = await guaranteedUpdate<null>(deps, exchange, {
      key,
      dryRun,
      load: async () => {
        const stored = await deps.storage.read(key);
        return stored ? ok({ ...stored, view: stored.object }) : refuse(notFound(pods, name));
      },
      attempt: async (pod) => {
        const { object } = requirePart(pod, 'pod');
        const refusal = checkBindable(object, binding, dryRun);
        if (refusal) return { outcome: 'refused', status: refusal };
        if (dryRun) return { outcome: 'end', value: null };
        const next = assignPod(object, binding, formatTime(deps.clock.now()));
        return { outcome: 'write', object: next, result: async () => ok(null) };
      },
    });
    if (!bound.ok) return bound;
    const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
    return ok(withResponse(exchange, 201, body));
  },
});

/** A bound, gated or terminating pod cannot be bound. */
function checkBindable(pod: KubernetesObject, binding: KubernetesObject, dryRun: boolean): Status | undefined {
  const failed = checkPreconditions(pod, binding, dryRun);
  if (failed) return failed;
  const { name = '', deletionTimestamp } = metadataOf(pod);
  const refused = (text: string): Status => conflict({ group: '', resource: 'pods/binding' }, name, text);
  if (deletionTimestamp !== undefined) return refused(`pod ${name} is being deleted, cannot be assigned to a host`);
  const node = asString(valueAt(pod, 'spec', 'nodeName'));
  if (node !== '') return refused(`pod ${name} is already assigned to node ${goQuote(node)}`);
  const gated = asList(valueAt(pod, 'spec', 'schedulingGates')).length > 0;
  return gated ? refused(`pod ${name} has non-empty .spec.schedulingGates`) : undefined;
}

const preconditions = [
  ['UID', 'uid'],
  ['ResourceVersion', 'resourceVersion'],
] as const;

/** The Binding's uid and resourceVersion are preconditions. */
function checkPreconditions(pod: KubernetesObject, binding: KubernetesObject, dryRun: boolean): Status | undefined {
  for (const [word, field] of preconditions) {
    const [expected, actual] = [metadataOf(binding)[field] ?? '', metadataOf(pod)[field] ?? ''];
    if (expected === '' || expected === actual) continue;
    const { namespace = '', name = '' } = metadataOf(pod);
    const key = { resource: pods, namespace, name };
    return conflict(
      pods,
      name,
      failedStoragePrecondition(key, { field: word, expected, actual }, { isCustom: false, dryRun }),
    );
  }
  return undefined;
}

/** Copies the Binding's labels and annotations. */
function assignPod(pod: KubernetesObject, binding: KubernetesObject, at: string): KubernetesObject {
  const { labels, annotations } = metadataOf(binding);
  const own = metadataOf(pod);
  const merged = withMetadata(pod, {
    ...(labels === undefined ? {} : { labels: { ...own.labels, ...labels } }),
    ...(annotations === undefined ? {} : { annotations: { ...own.annotations, ...annotations } }),
  });
  const placed = withValue(merged, ['spec', 'nodeName'], asString(valueAt(binding, 'target', 'name')));
  const settled = withValue(placed, ['status', 'nominatedNodeName'], undefined);
  return withValue(
    settled,
    ['status', 'conditions'],
    setPodScheduled(asList(valueAt(pod, 'status', 'conditions')), at),
  );
}

/** Follows kubernetes pkg/api/v1/pod/util.go UpdatePodCondition. */
function setPodScheduled(conditions: readonly JsonValue[], at: string): readonly JsonValue[] {
  const index = conditions.findIndex((condition) => asObject(condition)['type'] === 'PodScheduled');
  const before = asObject(conditions[index]);
  const since = before['status'] === 'True' ? (before['lastTransitionTime'] ?? at) : at;
  const condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: since };
  return index < 0 ? [...conditions, condition] : conditions.with(index, condition);
}
