import { asString, isJsonObject, isList, type JsonValue } from '../../machinery/json/json.ts';
import { type FieldPath, listKeyOf, keyValue, type PathStep } from '../trace/field-path.ts';
import type { ViewedDecision } from './trace-view.ts';

/** The non-empty lists and maps that a patch replaced as a whole. */
export function replacedBy({ record: decision, states }: ViewedDecision): readonly FieldPath[] {
  if (states === undefined || decision.outcome === 'denied') return [];
  return (decision.patch ?? []).flatMap(({ op, path, value }) => {
    if ((op !== 'replace' && op !== 'add') || typeof value !== 'object' || value === null) return [];
    const found = valueAtPointer(states.before, stepsOf(asString(path)));
    return found !== undefined && isFilled(found.value) ? [found.path] : [];
  });
}

/** The steps of a JSON pointer (RFC 6901). */
export const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

interface Found {
  readonly path: FieldPath;
  readonly value: JsonValue;
}

/** undefined when the pointer leads nowhere; items by their names. */
export function valueAtPointer(object: JsonValue, steps: readonly string[]): Found | undefined {
  const path: PathStep[] = [];
  let at: JsonValue | undefined = object;
  for (const step of steps) {
    path.push(stepOf(at, step));
    at = isList(at) ? at[Number(step)] : isJsonObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
    if (at === undefined) return undefined;
  }
  return { path, value: at };
}

function stepOf(at: JsonValue, step: string): PathStep {
  if (!isList(at)) return step;
  const key = listKeyOf([at]);
  const item = at[Number(step)];
  const value = key === undefined || item === undefined ? undefined : keyValue(item, key);
  return key === undefined || value === undefined ? Number(step) : { key, value };
}

const isFilled = (value: JsonValue): boolean =>
  isList(value) ? value.length > 0 : isJsonObject(value) && Object.keys(value).length > 0;
