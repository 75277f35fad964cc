import { asString, isJsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { toAutoscalerV2 } from '../../../api/codec/convert/autoscaler.ts';
import { ageOf, nameOf, numberAt, objectsAt, scalarAt, textAt } from './cell.ts';
import type { Cells } from './cell.ts';

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
