import { mapStrings, withoutRandomName } from '../../../explain/trace/secret-values.ts';
import { asObject, asString, valueAt, withValue, type JsonObject } from '../../../machinery/json/json.ts';
import type { Expectation } from '../format.ts';
import type { FailurePath, Failure } from '../outcome.ts';
import { yamlText } from './text.ts';

const uid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/**
 * YAML without managedFields. Changing values are placeholders: `<uid-1>`, `<uid-2>` in order of appearance, `<time>`, `<resourceVersion>`,
 * `<random>` for the end of a generated name.
 */
export function goldenText(object: JsonObject): string {
  const seen = new Map<string, string>();
  const placeholder = (found: string): string => {
    const known = seen.get(found) ?? `<uid-${seen.size + 1}>`;
    seen.set(found, known);
    return known;
  };
  const stable = (text: string): string => withoutRandomName(text.replace(uid, placeholder).replace(time, '<time>'));
  return yamlText(mapStrings(withoutRevision(withoutGeneratedName(object)), stable));
}

function withoutRevision(object: JsonObject): JsonObject {
  const lighter = withValue(object, ['metadata', 'managedFields'], undefined);
  if (valueAt(object, 'metadata', 'resourceVersion') === undefined) return object['metadata'] ? lighter : object;
  return withValue(lighter, ['metadata', 'resourceVersion'], '<resourceVersion>');
}

function withoutGeneratedName(object: JsonObject): JsonObject {
  const { name, generateName } = asObject(object['metadata']);
  const stem = asString(generateName);
  if (stem === '' || !asString(name).startsWith(stem)) return object;
  return withValue(object, ['metadata', 'name'], `${stem}<random>`);
}

/** By the paths in the scenario. */
export interface Goldens {
  /** Why the scenario may not use this file; undefined when it may. */
  readonly problem?: (path: string, scenarioFile: string) => string | undefined;
  readonly read: (path: string) => string | undefined;
  /** With `--update`. undefined: differences are failures. */
  readonly write: ((path: string, text: string) => void) | undefined;
}

export function checkGolden({ golden, place }: Expectation, object: JsonObject, goldens: Goldens): readonly Failure[] {
  if (golden === undefined) return [];
  const problem = goldens.problem?.(golden, place.file);
  if (problem !== undefined) return [{ what: `golden ${golden}`, place, message: problem }];
  const actual = goldenText(object);
  const expected = goldens.read(golden);
  if (expected === actual) return [];
  if (goldens.write) {
    goldens.write(golden, actual);
    return [];
  }
  const what: FailurePath = `golden ${golden}`;
  if (expected === undefined) {
    return [{ what, place, message: 'there is no such file; kadmit test --update writes it', expected: '', actual }];
  }
  const message = 'the object is not the one in the file; kadmit test --update takes it over';
  return [{ what, place, message, expected, actual }];
}
