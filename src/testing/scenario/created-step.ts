import type { JsonObject } from '../../machinery/json/json.ts';
import type { Place, Step } from './format.ts';
import { noExpectation } from './read/expectation.ts';

/** A step that creates the object, and expects nothing in particular. */
export const createdStep = (object: JsonObject, name: string, place: Place): Step => ({
  name,
  place,
  action: { type: 'create', object },
  as: undefined,
  dryRun: false,
  expect: { ...noExpectation, place, outcome: undefined },
  only: [],
  when: {},
});
