import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import { differencesBetween, differencesText, missingFrom } from './differences.ts';
import { projected } from './projected.ts';
import { withoutServerFields } from './server-fields.ts';
import type { Shown } from './shown.ts';
import { sortedYamlText, yamlText } from './yaml-text.ts';

/** The object as answered contains this. */
export function checkObject({ object, place }: Expectation, { answer }: Shown): readonly Failure[] {
  if (object === undefined) return [];
  const differences = missingFrom(answer.body, object);
  if (differences.length === 0) return [];
  const sides = { expected: yamlText(object), actual: yamlText(projected(answer.body, object)) };
  return [{ what: 'object', place, message: differencesText(differences), ...sides }];
}

/** The object as answered is this and nothing more, but for what the server fills in. */
export function checkExactly({ exactly, place }: Expectation, { answer }: Shown): readonly Failure[] {
  if (exactly === undefined) return [];
  const actual = withoutServerFields(answer.body, exactly);
  const expected = withoutServerFields(exactly, exactly);
  const differences = differencesBetween(actual, expected);
  if (differences.length === 0) return [];
  const sides = { expected: sortedYamlText(expected), actual: sortedYamlText(actual) };
  return [{ what: 'exactly', place, message: differencesText(differences), ...sides }];
}
