import { applyObject } from '../write-object.ts';
import { asList, asString } from '../../machinery/json/json.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { apiserverUser, type ApiClient } from '../client.ts';
import { type ControllerContext, followResource } from '../controller.ts';
import { resourcePath } from '../served-resources.ts';
import { createWorkQueue, type QueueProgress, combineProgress } from '../work-queue.ts';
import {
  autoUpdate,
  danglingCondition,
  type FlowObject,
  flowObjects,
  flowSchemas,
  priorityLevels,
} from './bootstrap.ts';
import type { FlowSchema, PriorityLevelConfiguration } from '../../api/types/generated/flowcontrol-v1.ts';

const producer = 'api-priority-and-fairness-config-producer-v1';
const consumer = 'api-priority-and-fairness-config-consumer-v1';

/**
 * The API server's own controllers for priority and fairness: restores the bootstrap FlowSchemas and levels unless
 * their annotation forbids it, and sets the Dangling condition. Follows kubernetes
 * pkg/registry/flowcontrol/{rest,ensurer} and apiserver pkg/util/flowcontrol/apf_controller.go.
 */
export function runFlowControlController(context: ControllerContext): QueueProgress {
  const { store, clock } = context;
  const client = context.clientFor(apiserverUser);
  const bootstrapQueue = createWorkQueue<FlowObject>(
    ({ resource, name }) => `${resource.resource}/${name}`,
    (desired) => restoreObject(client, desired, store.get(desired.resource, '', desired.name)),
    context,
  );
  const conditionQueue = createWorkQueue<string>(
    (name) => name,
    async (name) => {
      const schema = store.get(flowSchemas, '', name);
      const level = schema && priorityLevelName(schema);
      const isThere = level !== undefined && store.get(priorityLevels, '', level) !== undefined;
      return schema
        ? applyDanglingCondition(
            client,
            schema,
            danglingCondition(priorityLevelName(schema), isThere, formatTime(clock.now())),
          )
        : ok({});
    },
    context,
  );
  for (const resource of [flowSchemas, priorityLevels]) {
    followResource(context, resource, ({ type, object }) => {
      const { name = '' } = metadataOf(object);
      const desired = flowObjects.find((one) => one.resource === resource && one.name === name);
      if (desired && (type === 'removed' || desiredObject(desired, object))) bootstrapQueue.add(desired);
      const schemas =
        resource === flowSchemas ? [object] : store.list(flowSchemas).filter((one) => priorityLevelName(one) === name);
      if (type === 'updated' && resource === priorityLevels) return;
      for (const schema of schemas)
        if (!hasCurrentCondition(schema, store)) conditionQueue.add(metadataOf(schema).name ?? '');
    });
  }
  return combineProgress([bootstrapQueue.progress, conditionQueue.progress]);
}

const priorityLevelName = (schema: FlowSchema): string => asString(schema.spec?.priorityLevelConfiguration?.name);

function hasCurrentCondition(schema: FlowSchema, store: ControllerContext['store']): boolean {
  const level = priorityLevelName(schema);
  const { lastTransitionTime: _since, ...desired } = danglingCondition(
    level,
    Boolean(store.get(priorityLevels, '', level)),
    '',
  );
  const { lastTransitionTime: _when, ...annotation } =
    asList(schema.status?.conditions).find(({ type }) => type === 'Dangling') ?? {};
  return sameJson(desired, annotation);
}

function applyDanglingCondition(
  client: ApiClient,
  { kind, apiVersion, metadata }: KubernetesObject,
  condition: ReturnType<typeof danglingCondition>,
): Promise<Result<unknown>> {
  const configuration = {
    kind,
    apiVersion,
    metadata: { name: metadata?.name ?? '' },
    status: { conditions: [condition] },
  };
  const options = { fieldManager: consumer, subresource: '/status' } as const;
  return applyObject(client, { ...flowSchemas, version: 'v1' }, configuration, options);
}

async function restoreObject(
  client: ApiClient,
  desired: FlowObject,
  current: KubernetesObject | undefined,
): Promise<Result<unknown>> {
  const versioned = { ...desired.resource, version: 'v1' };
  const query = { fieldManager: producer };
  if (!current) return client({ method: 'POST', path: resourcePath(versioned, '', ''), query, body: desired.object });
  const next = desiredObject(desired, current);
  return next
    ? client({ method: 'PUT', path: resourcePath(versioned, '', desired.name), query, body: next })
    : ok(undefined);
}

/** undefined when it needs no change. Follows pkg/registry/flowcontrol/ensurer/strategy.go ReviseIfNeeded. */
function desiredObject(
  { object, isMandatory }: FlowObject,
  current: FlowSchema | PriorityLevelConfiguration,
): KubernetesObject | undefined {
  const { annotations = {}, generation } = metadataOf(current);
  const annotation = annotations[autoUpdate];
  const follows =
    isMandatory || (annotation === 'true' || annotation === 'false' ? annotation === 'true' : generation === 1);
  const spec = follows ? object.spec : (current.spec ?? null);
  if (annotation === String(follows) && sameJson(spec, current.spec ?? null)) return undefined;
  return withMetadata({ ...current, spec }, { annotations: { ...annotations, [autoUpdate]: String(follows) } });
}
