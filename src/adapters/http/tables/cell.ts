import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../../machinery/json/json.ts';
import { readLabelSelector, selectorText } from '../../../machinery/selectors/label-selector.ts';
import { isZeroMoment, parseTime } from '../../../machinery/meta/time.ts';
import { humanDuration } from '../../../machinery/go/human-duration.ts';

/** The cells of a row in the order of the columns. `now` in milliseconds since 1970. */
export type Cells = (object: JsonObject, now: number) => readonly JsonValue[];

type Cell = (object: JsonObject, now: number) => JsonValue;

/** By group and kind: `apps/Deployment`, `/Pod`. */
export type Printers = Readonly<Record<string, Cells>>;

export const cells =
  (...columns: readonly Cell[]): Cells =>
  (object, now) =>
    columns.map((cell) => cell(object, now));

// The cell of a field; `path` is `spec.nodeName`.

const at = (object: JsonObject, path: string): JsonValue | undefined => valueAt(object, ...path.split('.'));

export const textCell =
  (path: string, otherwise = ''): Cell =>
  (object) =>
    asString(at(object, path)) || otherwise;

export const textsCell =
  (path: string, otherwise = ''): Cell =>
  (object) =>
    textsAt(at(object, path)).join(',') || otherwise;

export const numberCell =
  (path: string): Cell =>
  (object) =>
    numberAt(at(object, path));

export const scalarCell =
  (path: string, otherwise: string): Cell =>
  (object) =>
    scalarAt(at(object, path), [], otherwise);

export const booleanCell =
  (path: string, otherwise = false): Cell =>
  (object) =>
    booleanAt(at(object, path), [], otherwise);

export const sizeCell =
  (path: string): Cell =>
  (object) =>
    sizeAt(at(object, path));

/** Names and images of the containers of a Pod's spec. Follows kubernetes pkg/printers/internalversion/printers.go layoutContainerCells. */
export const containerCells = (path: string): readonly Cell[] =>
  ['name', 'image'].map(
    (field) => (object) =>
      objectsAt(at(object, path), 'containers')
        .map((container) => asString(container[field]))
        .join(','),
  );

export const labelsCell =
  (path: string): Cell =>
  (object) =>
    labelsText(at(object, path));

export const selectorCell =
  (path: string): Cell =>
  (object) =>
    labelSelectorText(at(object, path));

/** '' for none. */
export const textAt = (object: JsonValue | undefined, ...path: readonly string[]): string =>
  asString(valueAt(object, ...path));

/** 0 for none. */
export function numberAt(object: JsonValue | undefined, ...path: readonly string[]): number | bigint {
  const value = valueAt(object, ...path);
  return typeof value === 'number' || typeof value === 'bigint' ? value : 0;
}

/** A number, quantity or int-or-string as text. */
export function scalarAt(object: JsonValue | undefined, path: readonly string[], otherwise: string): string {
  const value = valueAt(object, ...path);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : otherwise;
}

/** `otherwise` for none. */
export function booleanAt(object: JsonValue | undefined, path: readonly string[], otherwise = false): boolean {
  const value = valueAt(object, ...path);
  return typeof value === 'boolean' ? value : otherwise;
}

export const objectsAt = (object: JsonValue | undefined, ...path: readonly string[]): readonly JsonObject[] =>
  asList(valueAt(object, ...path)).map(asObject);

export const textsAt = (object: JsonValue | undefined, ...path: readonly string[]): readonly string[] =>
  asList(valueAt(object, ...path)).map(asString);

export function sizeAt(object: JsonValue | undefined, ...path: readonly string[]): number {
  const value = valueAt(object, ...path);
  if (isJsonObject(value)) return countOf(value);
  return asList(value).length;
}

export const nameOf = (object: JsonObject): string => textAt(object, 'metadata', 'name');

export const isBeingDeleted = (object: JsonObject): boolean => textAt(object, 'metadata', 'deletionTimestamp') !== '';

export const ageOf = (object: JsonObject, now: number): string =>
  elapsed(valueAt(object, 'metadata', 'creationTimestamp'), now);

/**
 * `5m`; `<unknown>` for no time. Follows kubernetes pkg/printers/internalversion/printers.go translateTimestampSince.
 */
export function elapsed(time: JsonValue | undefined, now: number): string {
  const at = millisecondsOf(time);
  return at === undefined ? '<unknown>' : humanDuration(now - at);
}

/** undefined for none and for Go's zero time. */
export function millisecondsOf(time: JsonValue | undefined): number | undefined {
  if (typeof time !== 'string') return undefined;
  const reading = parseTime(time);
  if (reading.outcome === 'malformed' || isZeroMoment(reading.moment)) return undefined;
  return reading.moment.seconds * 1000 + reading.moment.nanos / 1e6;
}

/** undefined when the object has no such condition. */
export const conditionStatus = (object: JsonObject, type: string): string | undefined => {
  const condition = objectsAt(object, 'status', 'conditions').find((one) => one['type'] === type);
  return condition && asString(condition['status']);
};

/** `a=1,b=2`; `<none>` for no labels. Follows apimachinery pkg/labels/labels.go FormatLabels. */
export function labelsText(labels: JsonValue | undefined): string {
  const pairs = Object.entries(asObject(labels)).map(([key, value]) => `${key}=${asString(value)}`);
  return pairs.length === 0 ? '<none>' : pairs.toSorted().join(',');
}

/** A metav1.LabelSelector as text. Follows apimachinery pkg/apis/meta/v1/helpers.go FormatLabelSelector. */
export function labelSelectorText(selector: JsonValue | undefined): string {
  const reading = readLabelSelector(selector);
  if (reading.outcome === 'unparsable') return '<error>';
  return selectorText(reading.selector) || '<none>';
}

/**
 * At most `max` texts and the number of the others. Follows kubernetes pkg/printers/internalversion/printers.go
 * listWithMoreString.
 */
export function listWithMore(texts: readonly string[], max: number): string {
  const shown = texts.slice(0, max).join(',');
  return texts.length > max ? `${shown} + ${texts.length - max} more...` : shown;
}

const countOf = (object: JsonObject): number => Object.keys(object).length;

export const nameAndAge: Cells = cells(nameOf, ageOf);
