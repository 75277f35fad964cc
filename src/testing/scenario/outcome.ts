import type { Coverage } from '../../explain/trace/coverage.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import type { Place, Scenario } from './format.ts';

/** What a run of one scenario (or of one combination of its matrix) came to. Reports are made of these. */
export interface ScenarioOutcome {
  readonly scenario: Pick<Scenario, 'name' | 'file' | 'description'>;
  /** `order=b-first, fault=hang`, or '' without a matrix. */
  readonly combination: string;
  readonly outcome: 'passed' | 'failed' | 'broken';
  /** Of a broken one, which could not be run at all: why. */
  readonly problem?: { readonly message: string; readonly place?: Place };
  readonly steps: readonly StepOutcome[];
  /** Real time, milliseconds. */
  readonly milliseconds: number;
  /** Time on the world's clock, milliseconds. */
  readonly worldMilliseconds: number;
  /** What its steps exercised, where that was asked for. */
  readonly coverage?: Coverage;
}

export interface StepOutcome {
  readonly name: string;
  readonly place: Place;
  readonly outcome: 'passed' | 'failed' | 'not-run' | 'left-out';
  readonly failures: readonly Failure[];
  readonly milliseconds: number;
  /** Of a step that wrote, on a server that tells. */
  readonly trace: Trace | undefined;
  /** What was not looked at, or why the step was not run here: `webhooks: the server keeps no traces`. */
  readonly leftOut: readonly string[];
  /** What it came to, where that is news even when it passed. */
  readonly note?: string;
}

/** One expectation that did not hold. */
export interface Failure {
  /** `deniedBy`, `webhooks[1].patch`, `golden pod.golden.yaml`. */
  readonly what: string;
  readonly place: Place;
  readonly message: string;
  /** For a diff: texts of several lines or values as YAML. */
  readonly expected?: string;
  readonly actual?: string;
}
