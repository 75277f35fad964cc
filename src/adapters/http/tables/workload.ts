import { groupKindText, parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { asString, isJsonObject, type JsonObject, type JsonValue, valueAt } from '../../../machinery/json/json.ts';
import { readLabelSelector, selectorText } from '../../../machinery/selectors/label-selector.ts';
import { humanDuration } from '../../../machinery/go/human-duration.ts';
import { toAutoscalerV2 } from '../../../api/codec/convert/autoscaler.ts';
import {
  ageOf,
  type Cells,
  conditionStatus,
  containerCells,
  elapsed,
  isBeingDeleted,
  labelSelectorText,
  labelsText,
  millisecondsOf,
  nameOf,
  numberAt,
  objectsAt,
  scalarAt,
  sizeAt,
  textAt,
} from './cell.ts';

// Follows kubernetes pkg/printers/internalversion/printers.go.

const templateCells = (object: JsonObject): readonly [string, string] =>
  containerCells(valueAt(object, 'spec', 'template', 'spec'));

const replicas = (object: JsonObject): number | bigint => numberAt(object, 'spec', 'replicas');

export const deploymentCells: Cells = (object, now) => {
  const selector = readLabelSelector(valueAt(object, 'spec', 'selector'));
  return [
    nameOf(object),
    `${numberAt(object, 'status', 'readyReplicas')}/${replicas(object)}`,
    numberAt(object, 'status', 'updatedReplicas'),
    numberAt(object, 'status', 'availableReplicas'),
    ageOf(object, now),
    ...templateCells(object),
    selector.outcome === 'unparsable' ? '<invalid>' : selectorText(selector.selector),
  ];
};

export const replicaSetCells: Cells = (object, now) => [
  ...replicaCounts(object),
  ageOf(object, now),
  ...templateCells(object),
  labelSelectorText(valueAt(object, 'spec', 'selector')),
];

export const replicationControllerCells: Cells = (object, now) => [
  ...replicaCounts(object),
  ageOf(object, now),
  ...templateCells(object),
  labelsText(valueAt(object, 'spec', 'selector')),
];

const replicaCounts = (object: JsonObject): readonly JsonValue[] => [
  nameOf(object),
  replicas(object),
  numberAt(object, 'status', 'replicas'),
  numberAt(object, 'status', 'readyReplicas'),
];

export const statefulSetCells: Cells = (object, now) => [
  nameOf(object),
  `${numberAt(object, 'status', 'readyReplicas')}/${replicas(object)}`,
  ageOf(object, now),
  ...templateCells(object),
];

export const daemonSetCells: Cells = (object, now) => [
  nameOf(object),
  numberAt(object, 'status', 'desiredNumberScheduled'),
  numberAt(object, 'status', 'currentNumberScheduled'),
  numberAt(object, 'status', 'numberReady'),
  numberAt(object, 'status', 'updatedNumberScheduled'),
  numberAt(object, 'status', 'numberAvailable'),
  labelsText(valueAt(object, 'spec', 'template', 'spec', 'nodeSelector')),
  ageOf(object, now),
  ...templateCells(object),
  labelSelectorText(valueAt(object, 'spec', 'selector')),
];

export const jobCells: Cells = (object, now) => [
  nameOf(object),
  jobStatus(object),
  jobCompletions(object),
  jobDuration(object, now),
  ageOf(object, now),
  ...templateCells(object),
  labelSelectorText(valueAt(object, 'spec', 'selector')),
];

function jobStatus(job: JsonObject): string {
  if (conditionStatus(job, 'Complete') === 'True') return 'Complete';
  if (conditionStatus(job, 'Failed') === 'True') return 'Failed';
  if (isBeingDeleted(job)) return 'Terminating';
  if (conditionStatus(job, 'Suspended') === 'True') return 'Suspended';
  return conditionStatus(job, 'FailureTarget') === 'True' ? 'FailureTarget' : 'Running';
}

function jobCompletions(job: JsonObject): string {
  const succeeded = numberAt(job, 'status', 'succeeded');
  const wanted = scalarAt(job, ['spec', 'completions'], '');
  if (wanted !== '') return `${succeeded}/${wanted}`;
  const parallelism = numberAt(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: JsonObject, now: number): string {
  const start = millisecondsOf(valueAt(job, 'status', 'startTime'));
  if (start === undefined) return '';
  return humanDuration((millisecondsOf(valueAt(job, 'status', 'completionTime')) ?? now) - start);
}

export const cronJobCells: Cells = (object, now) => {
  const lastSchedule = valueAt(object, 'status', 'lastScheduleTime');
  return [
    nameOf(object),
    textAt(object, 'spec', 'schedule'),
    scalarAt(object, ['spec', 'timeZone'], '<none>'),
    suspended(valueAt(object, 'spec', 'suspend')),
    sizeAt(object, 'status', 'active'),
    typeof lastSchedule === 'string' ? elapsed(lastSchedule, now) : '<none>',
    ageOf(object, now),
    ...containerCells(valueAt(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec')),
    labelSelectorText(valueAt(object, 'spec', 'jobTemplate', 'spec', 'selector')),
  ];
};

function suspended(suspend: JsonValue | undefined): string {
  if (typeof suspend !== 'boolean') return '<unset>';
  return suspend ? 'True' : 'False';
}

export const podTemplateCells: Cells = (object) => [
  nameOf(object),
  ...containerCells(valueAt(object, 'template', 'spec')),
  labelsText(valueAt(object, 'template', 'metadata', 'labels')),
];

export const controllerRevisionCells: Cells = (object, now) => [
  nameOf(object),
  controllerOf(object),
  numberAt(object, 'revision'),
  ageOf(object, now),
];

/** `statefulset.apps/web`. */
function controllerOf(object: JsonObject): string {
  const owner = objectsAt(object, 'metadata', 'ownerReferences').find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const { group } = parseApiVersion(asString(owner['apiVersion']));
  return `${groupKindText({ group, kind: asString(owner['kind']) }).toLowerCase()}/${asString(owner['name'])}`;
}

export const podDisruptionBudgetCells: Cells = (object, now) => [
  nameOf(object),
  scalarAt(object, ['spec', 'minAvailable'], 'N/A'),
  scalarAt(object, ['spec', 'maxUnavailable'], 'N/A'),
  numberAt(object, 'status', 'disruptionsAllowed'),
  ageOf(object, now),
];

export const scaleCells: Cells = (object, now) => [
  nameOf(object),
  numberAt(object, 'spec', 'replicas'),
  numberAt(object, 'status', 'replicas'),
  ageOf(object, now),
];

/** Follows kubernetes pkg/printers/internalversion/printers.go printHorizontalPodAutoscaler. */
export const autoscalerCells: Cells = (object, now) => {
  const autoscaler = object['apiVersion'] === 'autoscaling/v1' ? toAutoscalerV2(object) : object;
  const target = valueAt(autoscaler, 'spec', 'scaleTargetRef');
  return [
    nameOf(autoscaler),
    `${textAt(target, 'kind')}/${textAt(target, 'name')}`,
    metricsText(objectsAt(autoscaler, 'spec', 'metrics'), objectsAt(autoscaler, 'status', 'currentMetrics')),
    scalarAt(autoscaler, ['spec', 'minReplicas'], '<unset>'),
    numberAt(autoscaler, 'spec', 'maxReplicas'),
    numberAt(autoscaler, 'status', 'currentReplicas'),
    ageOf(autoscaler, now),
  ];
};

const mostMetrics = 2;

function metricsText(specs: readonly JsonObject[], statuses: readonly JsonObject[]): string {
  if (specs.length === 0) return '<none>';
  const texts = specs.map((spec, index) => metricText(spec, statuses[index]));
  const shown = texts.slice(0, mostMetrics).join(', ');
  return texts.length > mostMetrics ? `${shown} + ${texts.length - mostMetrics} more...` : shown;
}

/** `cpu: 50%/80%`, `10/20 (avg)`: current value and target. */
function metricText(spec: JsonObject, status: JsonObject | undefined): string {
  const source = sources.get(asString(spec['type']));
  if (source === undefined) return '<unknown type>';
  const target = valueAt(spec, source, 'target');
  const current = valueAt(status, source, 'current');
  switch (source) {
    case 'pods':
      return `${valueText(current, 'averageValue')}/${valueText(target, 'averageValue', '0')}`;
    case 'external':
    case 'object':
      return has(target, 'averageValue')
        ? `${valueText(current, 'averageValue')}/${valueText(target, 'averageValue')} (avg)`
        : `${valueText(current, 'value')}/${valueText(target, 'value', '0')}`;
    case 'resource':
    case 'containerResource':
      return `${textAt(spec, source, 'name')}: ${utilizationText(current, target)}`;
  }
}

type MetricSource = 'external' | 'pods' | 'object' | 'resource' | 'containerResource';

const sources: ReadonlyMap<string, MetricSource> = new Map<string, MetricSource>([
  ['External', 'external'],
  ['Pods', 'pods'],
  ['Object', 'object'],
  ['Resource', 'resource'],
  ['ContainerResource', 'containerResource'],
]);

function utilizationText(current: JsonValue | undefined, target: JsonValue | undefined): string {
  if (has(target, 'averageValue')) {
    return `${valueText(current, 'averageValue')}/${valueText(target, 'averageValue')}`;
  }
  const percent = (holder: JsonValue | undefined, otherwise: string): string =>
    has(holder, 'averageUtilization') ? `${valueText(holder, 'averageUtilization')}%` : otherwise;
  return `${percent(current, '<unknown>')}/${percent(target, '<auto>')}`;
}

const has = (holder: JsonValue | undefined, field: string): boolean =>
  isJsonObject(holder) && scalarAt(holder, [field], '') !== '';

const valueText = (holder: JsonValue | undefined, field: string, otherwise = '<unknown>'): string =>
  scalarAt(holder, [field], otherwise);
