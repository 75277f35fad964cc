import type { JsonObject } from '../../machinery/json/json.ts';
import type { SourceLocation, ScenarioStep } from './format.ts';
import { noExpectation } from './read/expectation.ts';

export const createdStep = (object: JsonObject, name: string, place: SourceLocation): ScenarioStep => ({
  name,
  place,
  action: { type: 'create', object },
  as: undefined,
  dryRun: false,
  expect: { ...noExpectation, place, outcome: undefined },
  only: [],
  when: {},
});
