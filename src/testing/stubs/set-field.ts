import { isJsonObject, type JsonValue, setOwn } from '../../machinery/json/json.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';

export type FieldSetting =
  | { readonly outcome: 'set'; readonly value: JsonValue }
  /** `/spec/replicas is 3, which has no fields`. */
  | { readonly outcome: 'unsettable'; readonly error: string };

/** Creates missing parents: a list where an index follows. */
export function setField(value: JsonValue, steps: readonly ObjectPathStep[], wanted: JsonValue): FieldSetting {
  return setBelow(value, steps, wanted, '');
}

function setBelow(
  value: JsonValue | undefined,
  steps: readonly ObjectPathStep[],
  wanted: JsonValue,
  path: string,
): FieldSetting {
  const [step, ...rest] = steps;
  if (step === undefined) return { outcome: 'set', value: wanted };
  const container = value ?? emptyFor(step);
  const below = `${path}/${escapedStep(step)}`;
  if (Array.isArray(container)) {
    const list: readonly JsonValue[] = container;
    const index = step === '-' ? list.length : Number(step);
    if (!/^(?:\d+|-)$/.test(step) || index > list.length) return unsettable(noEntry(path, step, list.length));
    const set = setBelow(list[index], rest, wanted, below);
    return set.outcome === 'set'
      ? { ...set, value: [...list.slice(0, index), set.value, ...list.slice(index + 1)] }
      : set;
  }
  if (!isJsonObject(container)) return unsettable(`${path} is ${writeJson(container)}, which has no fields`);
  const set = setBelow(container[step], rest, wanted, below);
  return set.outcome === 'set' ? { ...set, value: setOwn({ ...container }, step, set.value) } : set;
}

const emptyFor = (step: ObjectPathStep): JsonValue => (/^(?:\d+|-)$/.test(step) ? [] : {});

const unsettable = (error: string): FieldSetting => ({ outcome: 'unsettable', error });

function noEntry(path: string, step: ObjectPathStep, length: number): string {
  const entries = `${length} ${length === 1 ? 'entry' : 'entries'}`;
  return `${path === '' ? 'the object' : path} is a list of ${entries}; ${step} is none of them, nor the next`;
}

/** A field, a list index, or `-` for the end. */
type ObjectPathStep = string;

type PathReading =
  | { readonly outcome: 'read'; readonly steps: readonly ObjectPathStep[] }
  | { readonly outcome: 'unreadable'; readonly error: string };

/**
 * Reads a JSON Pointer (`/spec/containers/0/image`), `spec.containers[0].image` or `spec.containers.0.image`. Dots in fields: `\.` or
 * `metadata.labels['app.kubernetes.io/name']`.
 */
export function readPath(path: string): PathReading {
  const steps = path.startsWith('/') ? pointerSteps(path) : dottedSteps(path);
  if (steps && steps.length > 0 && !steps.includes('')) return { outcome: 'read', steps };
  const error = `${path === '' ? "''" : path} is no path; write spec.containers[0].image or /spec/containers/0/image`;
  return { outcome: 'unreadable', error };
}

const pointerSteps = (path: string): readonly ObjectPathStep[] | undefined =>
  /~(?![01])/.test(path)
    ? undefined
    : path
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const dottedStep = /(?:^|\.)((?:[^.[\]\\]|\\.)+)|\[(?:'([^']+)'|"([^"]+)"|([0-9]+|-))\]/y;

function dottedSteps(path: string): readonly ObjectPathStep[] | undefined {
  const steps: ObjectPathStep[] = [];
  dottedStep.lastIndex = 0;
  for (let at = 0; at < path.length; at = dottedStep.lastIndex) {
    const match = dottedStep.exec(path);
    if (!match) return undefined;
    const [, field = '', single, double, index] = match;
    steps.push(single ?? double ?? index ?? field.replaceAll(/\\(.)/g, '$1'));
  }
  return steps;
}

/** In JSON Pointer form. */
export const escapedStep = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1');
