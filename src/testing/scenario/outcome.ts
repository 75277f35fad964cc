import type { Coverage } from '../../explain/trace/coverage.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
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
  readonly what: FailurePath;
  readonly place: SourceLocation;
  readonly message: string;
  /** For a diff: texts, or values as YAML. */
  readonly expected?: string;
  readonly actual?: string;
}

export const createStep = (object: JsonObject, name: string, place: SourceLocation): ScenarioStep => ({
  name,
  place,
  action: { type: 'create', object },
  as: undefined,
  dryRun: false,
  expect: { ...noExpectation, place },
  only: [],
  when: {},
});

/** Codes of failures in reports. docs/reference/scenario-format.md has a row for each. */
export const failureCodes = [
  'outcome',
  'deniedBy',
  'code',
  'reason',
  'message',
  'object',
  'exactly',
  'golden',
  'webhooks',
  'webhooks.patch',
  'webhooks.phase',
  'webhooks.error',
  'webhooks.warnings',
  'webhooks.auditAnnotations',
  'policies',
  'order',
  'findings',
  'warnings',
  'auditAnnotations',
  'elapsed',
  'settled',
  'timeout',
  'create',
  'update',
  'apply',
  'patch',
  'delete',
  'deletecollection',
  'connect',
  'get',
  'wait',
  'advance',
  'configure',
  'answer',
  'expected',
  'allowed',
  'status',
  'set-up',
  'format',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** The expectation that failed, with its index or name: `deniedBy`, `webhooks[1].patch`, `golden pod.golden.yaml`. */
export type FailurePath =
  | FailureCode
  | `webhooks[${number}]`
  | `webhooks[${number}].${'patch' | 'phase' | 'error' | 'warnings' | 'auditAnnotations'}`
  | `${'policies' | 'status'}.${string}`
  | `golden ${string}`
  | `auditAnnotations[${string}]`;

/** `webhooks.patch` of `webhooks[1].patch`, `golden` of `golden pod.golden.yaml`. */
export function failureCodeOf(what: FailurePath): FailureCode {
  const code = what.startsWith('webhooks') ? what.replace(/\[\d+\]/, '') : /^[\w-]+/.exec(what)?.[0];
  return failureCodes.find((one) => one === code) ?? 'outcome';
}
