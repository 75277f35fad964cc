import { asObject, asString, isJsonObject, valueAt } from '../../apimachinery/json.ts';
import { readLabelSelector } from '../../apimachinery/label-selector.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { ok, refuse } from '../../apimachinery/result.ts';
import { badRequest, failure, notFound } from '../../apimachinery/status.ts';
import type { Status } from '../../apimachinery/status.ts';
import { deleteOptionsOf } from '../delete-options.ts';
import { answered, held } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import type { Stage } from '../stage.ts';
import { isDryRun } from '../write-options.ts';
import { objectOf } from './decode-body.ts';
import { removeOne } from './delete-object.ts';
import { readCurrent } from './load-current.ts';

/** The Eviction must name the pod of the URL; asked between mutating and validating admission. */
export const checkEviction: Stage = {
  name: 'check-eviction',
  run: (exchange) => {
    const { name = '' } = metadataOf(objectOf(exchange));
    if (name === held(exchange.target, 'target').info.name) return ok(exchange);
    return refuse(badRequest('name in URL does not match name in Eviction object'));
  },
};

/** The pod goes unless a disruption budget holds it. Follows kubernetes pkg/registry/core/pod/storage/eviction.go. */
export const evict = (rooms: Rooms): Stage => ({
  name: 'evict',
  run: async (exchange) => {
    const target = held(exchange.target, 'target');
    const pod = await readCurrent(rooms, target);
    if (!pod.ok) return pod;
    if (!pod.value) return refuse(notFound(target.resource, target.info.name));
    const options = evictionOptions(exchange);
    if (!options.ok) return options;
    const refusal = blockingBudget(rooms, pod.value.object);
    if (refusal) return refuse(refusal);
    const deletion = { options: options.value, name: target.info.name, admittedName: target.info.name, unasked: true };
    const pods = rooms.strategyFor({ group: '', resource: 'pods' });
    const removed = await removeOne(rooms, { ...exchange, target: { ...target, strategy: pods } }, deletion);
    return removed.ok ? ok(answered(exchange, 201, created)) : removed;
  },
});

const created = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

function evictionOptions(exchange: Exchange): ReturnType<typeof deleteOptionsOf> {
  const given = valueAt(objectOf(exchange), 'deleteOptions');
  const options = deleteOptionsOf(isJsonObject(given) ? given : {});
  if (!options.ok || !isDryRun(exchange.options)) return options;
  return ok({ ...options.value, dryRun: ['All'] });
}

const finished = ['Succeeded', 'Failed'];

/** The refusal of the budgets that cover the pod: 500 for more than one, 429 when the one has no disruption left. */
function blockingBudget(rooms: Rooms, pod: KubernetesObject): Status | undefined {
  const { namespace = '', labels = {}, deletionTimestamp } = metadataOf(pod);
  const phase = asString(valueAt(pod, 'status', 'phase'));
  if (finished.includes(phase) || phase === 'Pending' || deletionTimestamp !== undefined) return undefined;
  const budgets = rooms.store
    .list({ group: 'policy', resource: 'poddisruptionbudgets' }, namespace)
    .filter((budget) => {
      const selector = readLabelSelector(valueAt(budget, 'spec', 'selector'));
      return selector.outcome === 'selector' && selector.selector.matches(labels);
    });
  const [budget] = budgets;
  if (!budget) return undefined;
  if (budgets.length > 1) {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    return failure({ code: 500, reason: 'InternalError', message, details: {} });
  }
  const allowed = valueAt(budget, 'status', 'disruptionsAllowed') ?? 0;
  return typeof allowed === 'number' && allowed > 0 ? undefined : tooManyDisruptions(budget);
}

function tooManyDisruptions(budget: KubernetesObject): Status {
  const { desiredHealthy, currentHealthy } = asObject(budget['status']);
  const needs = typeof desiredHealthy === 'number' ? desiredHealthy : 0;
  const has = typeof currentHealthy === 'number' ? currentHealthy : 0;
  const { name = '' } = metadataOf(budget);
  return failure({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [
        {
          reason: 'DisruptionBudget',
          message: `The disruption budget ${name} needs ${needs} healthy pods and has ${has} currently`,
        },
      ],
    },
  });
}
