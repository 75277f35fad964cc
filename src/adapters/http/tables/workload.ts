import { groupKindText, parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { asString, isJsonObject, type JsonObject, type JsonValue, valueAt } from '../../../machinery/json/json.ts';
import { readLabelSelector, selectorText } from '../../../machinery/selectors/label-selector.ts';
import { humanDuration } from '../../../machinery/go/human-duration.ts';
import { toAutoscalerV2 } from '../../../api/codec/convert/autoscaler.ts';
import {
  ageOf,
  type Cells,
  cells,
  conditionStatus,
  containerCells,
  elapsed,
  isBeingDeleted,
  labelsCell,
  selectorCell,
  millisecondsOf,
  nameOf,
  numberCell,
  numberAt,
  objectsAt,
  type Printers,
  scalarCell,
  scalarAt,
  sizeCell,
  textCell,
  textAt,
} from './cell.ts';

// Follows kubernetes pkg/printers/internalversion/printers.go.

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

function lastSchedule(cronJob: JsonObject, now: number): string {
  const time = valueAt(cronJob, 'status', 'lastScheduleTime');
  return typeof time === 'string' ? elapsed(time, now) : '<none>';
}

function suspended(cronJob: JsonObject): string {
  const suspend = valueAt(cronJob, 'spec', 'suspend');
  if (typeof suspend !== 'boolean') return '<unset>';
  return suspend ? 'True' : 'False';
}

/** `statefulset.apps/web`. */
function controllerOf(object: JsonObject): string {
  const owner = objectsAt(object, 'metadata', 'ownerReferences').find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const { group } = parseApiVersion(asString(owner['apiVersion']));
  return `${groupKindText({ group, kind: asString(owner['kind']) }).toLowerCase()}/${asString(owner['name'])}`;
}

export const scaleCells = cells(nameOf, numberCell('spec.replicas'), numberCell('status.replicas'), ageOf);

/** Follows kubernetes pkg/printers/internalversion/printers.go printHorizontalPodAutoscaler. */
const autoscalerCells: Cells = (object, now) => {
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

const maxMetrics = 2;

function metricsText(specs: readonly JsonObject[], statuses: readonly JsonObject[]): string {
  if (specs.length === 0) return '<none>';
  const texts = specs.map((spec, index) => metricText(spec, statuses[index]));
  const shown = texts.slice(0, maxMetrics).join(', ');
  return texts.length > maxMetrics ? `${shown} + ${texts.length - maxMetrics} more...` : shown;
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

const readyOfWanted = (object: JsonObject): string =>
  `${numberAt(object, 'status', 'readyReplicas')}/${numberAt(object, 'spec', 'replicas')}`;

function deploymentSelector(deployment: JsonObject): string {
  const selector = readLabelSelector(valueAt(deployment, 'spec', 'selector'));
  return selector.outcome === 'unparsable' ? '<invalid>' : selectorText(selector.selector);
}

const replicaCounts = [numberCell('spec.replicas'), numberCell('status.replicas'), numberCell('status.readyReplicas')];
const templateContainers = containerCells('spec.template.spec');

export const workloadPrinters: Printers = {
  '/PodTemplate': cells(nameOf, ...containerCells('template.spec'), labelsCell('template.metadata.labels')),
  '/ReplicationController': cells(nameOf, ...replicaCounts, ageOf, ...templateContainers, labelsCell('spec.selector')),
  'apps/ControllerRevision': cells(nameOf, controllerOf, numberCell('revision'), ageOf),
  'apps/DaemonSet': cells(
    nameOf,
    numberCell('status.desiredNumberScheduled'),
    numberCell('status.currentNumberScheduled'),
    numberCell('status.numberReady'),
    numberCell('status.updatedNumberScheduled'),
    numberCell('status.numberAvailable'),
    labelsCell('spec.template.spec.nodeSelector'),
    ageOf,
    ...templateContainers,
    selectorCell('spec.selector'),
  ),
  'apps/Deployment': cells(
    nameOf,
    readyOfWanted,
    numberCell('status.updatedReplicas'),
    numberCell('status.availableReplicas'),
    ageOf,
    ...templateContainers,
    deploymentSelector,
  ),
  'apps/ReplicaSet': cells(nameOf, ...replicaCounts, ageOf, ...templateContainers, selectorCell('spec.selector')),
  'apps/StatefulSet': cells(nameOf, readyOfWanted, ageOf, ...templateContainers),
  'autoscaling/HorizontalPodAutoscaler': autoscalerCells,
  'batch/CronJob': cells(
    nameOf,
    textCell('spec.schedule'),
    scalarCell('spec.timeZone', '<none>'),
    suspended,
    sizeCell('status.active'),
    lastSchedule,
    ageOf,
    ...containerCells('spec.jobTemplate.spec.template.spec'),
    selectorCell('spec.jobTemplate.spec.selector'),
  ),
  'batch/Job': cells(
    nameOf,
    jobStatus,
    jobCompletions,
    jobDuration,
    ageOf,
    ...templateContainers,
    selectorCell('spec.selector'),
  ),
  'policy/PodDisruptionBudget': cells(
    nameOf,
    scalarCell('spec.minAvailable', 'N/A'),
    scalarCell('spec.maxUnavailable', 'N/A'),
    numberCell('status.disruptionsAllowed'),
    ageOf,
  ),
};
