import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAt,
  withValue,
} from '../../machinery/json/json.ts';
import { kindOf, nameOf, importedTitle } from './objects.ts';

const podSpecs: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  Deployment: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};
const kindsWithSelector = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet']);

/** Adds what a server requires and testers that only evaluate expressions do not; each addition is a note. */
export function completeObject(object: JsonObject, notes: string[]): JsonObject {
  const added: string[] = [];
  let whole =
    nameOf(object) === '' && asString(valueAt(object, 'metadata', 'generateName')) === ''
      ? withName(object, added)
      : object;
  const path = podSpecs[kindOf(object)];
  if (path !== undefined) whole = withContainers(whole, path, added);
  if (kindsWithSelector.has(kindOf(object))) whole = withSelector(whole, added);
  if (kindOf(object) === 'ConfigMap') whole = withTexts(whole, notes);
  if (added.length > 0)
    notes.push(`${importedTitle(whole)} had no ${added.join(', no ')}; added, since an API server requires them`);
  return whole;
}

function withName(object: JsonObject, added: string[]): JsonObject {
  added.push('name');
  return withValue(object, ['metadata', 'name'], 'imported');
}

function withContainers(object: JsonObject, path: readonly string[], added: string[]): JsonObject {
  const spec = asObject(valueAt(object, ...path));
  const containers = asList(spec['containers']);
  let whole = object;
  if (containers.length === 0) {
    added.push('containers');
    whole = withValue(whole, [...path, 'containers'], [{ name: 'main', image: 'registry.example.com/main:1' }]);
  } else if (containers.some((one) => asObject(one)['name'] === undefined || asObject(one)['image'] === undefined)) {
    added.push('name or image of a container');
    whole = withValue(whole, [...path, 'containers'], containers.map(withNameAndImage));
  }
  if ((kindOf(object) === 'Job' || kindOf(object) === 'CronJob') && spec['restartPolicy'] === undefined) {
    added.push('restartPolicy');
    whole = withValue(whole, [...path, 'restartPolicy'], 'Never');
  }
  return whole;
}

const withNameAndImage = (one: JsonValue, at: number): JsonValue =>
  isJsonObject(one) ? { name: `container-${at + 1}`, image: 'registry.example.com/main:1', ...one } : one;

function withSelector(object: JsonObject, added: string[]): JsonObject {
  const labels = asObject(valueAt(object, 'spec', 'template', 'metadata', 'labels'));
  const selector = asObject(valueAt(object, 'spec', 'selector', 'matchLabels'));
  const hasSelector = valueAt(object, 'spec', 'selector') !== undefined;
  if (hasSelector && Object.keys(labels).length > 0) return object;
  const chosen =
    Object.keys(labels).length > 0 ? labels : Object.keys(selector).length > 0 ? selector : { app: nameOf(object) };
  if (!hasSelector) added.push('selector');
  if (Object.keys(labels).length === 0) added.push('labels of its template');
  const whole = hasSelector ? object : withValue(object, ['spec', 'selector'], { matchLabels: chosen });
  return Object.keys(labels).length > 0 ? whole : withValue(whole, ['spec', 'template', 'metadata', 'labels'], chosen);
}

function withTexts(object: JsonObject, notes: string[]): JsonObject {
  const entries = Object.entries(asObject(object['data']));
  const others = entries.filter(([, value]) => typeof value !== 'string').map(([name]) => name);
  if (others.length === 0) return object;
  notes.push(
    `${importedTitle(object)}: ${others.join(', ')} in its data ${others.length === 1 ? 'is' : 'are'} no text: written as text`,
  );
  const text = (value: JsonValue | undefined): string =>
    typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return { ...object, data: Object.fromEntries(entries.map(([name, value]) => [name, text(value)])) };
}
