import type { JsonObject } from '../../../machinery/json/json.ts';
import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import { goldenText } from './golden-text.ts';

/** The golden files of a scenario, by the paths written in it. */
export interface Goldens {
  /** Why this file is not one of a scenario's, which it may neither read nor write; undefined when it is. */
  readonly problem?: (path: string, scenarioFile: string) => string | undefined;
  /** Undefined when there is none. */
  readonly read: (path: string) => string | undefined;
  /** With `--update`: writes it. Undefined: differences are failures. */
  readonly write: ((path: string, text: string) => void) | undefined;
}

/** The object as answered is the one in the golden file, the changing parts replaced; `--update` writes the file. */
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
  const what = `golden ${golden}`;
  if (expected === undefined) {
    return [{ what, place, message: 'there is no such file; kadmit test --update writes it', expected: '', actual }];
  }
  const message = 'the object is not the one in the file; kadmit test --update takes it over';
  return [{ what, place, message, expected, actual }];
}
