import type { Coverage } from '../../explain/trace/coverage.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { FailureWhat } from './failure-code.ts';
import type { Scenario, ScenarioStep, SourceLocation } from './format.ts';
import { noExpectation } from './read/expectation.ts';

export interface ScenarioOutcome {
  readonly scenario: Pick<Scenario, 'name' | 'file' | 'description'>;
  /** `order=b-first, fault=hang`, or '' without a matrix. */
  readonly combination: string;
  readonly outcome: 'passed' | 'failed' | 'broken';
  /** Of `broken`. */
  readonly problem?: { readonly message: string; readonly place?: SourceLocation };
  readonly steps: readonly StepOutcome[];
  /** Real milliseconds. */
  readonly milliseconds: number;
  /** Milliseconds on the world's clock. */
  readonly worldMilliseconds: number;
  /** With the option `coverage`. */
  readonly coverage?: Coverage;
}

export interface StepOutcome {
  readonly name: string;
  readonly place: SourceLocation;
  readonly outcome: 'passed' | 'failed' | 'not-run' | 'left-out';
  readonly failures: readonly Failure[];
  readonly milliseconds: number;
  /** Of a write, on a server with traces. */
  readonly trace: Trace | undefined;
  /** Unchecked expectations, or why the step did not run here: `webhooks: the server keeps no traces`. */
  readonly leftOut: readonly string[];
  /** Also shown for a step that passed. */
  readonly note?: string;
}

export interface Failure {
  readonly what: FailureWhat;
  readonly place: SourceLocation;
  readonly message: string;
  /** For a diff: texts, or values as YAML. */
  readonly expected?: string;
  readonly actual?: string;
}

export const createdStep = (object: JsonObject, name: string, place: SourceLocation): ScenarioStep => ({
  name,
  place,
  action: { type: 'create', object },
  as: undefined,
  dryRun: false,
  expect: { ...noExpectation, place },
  only: [],
  when: {},
});
