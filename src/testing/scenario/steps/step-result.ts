import type { StubRegistry } from '../../stubs/stub-registry.ts';
import type { FailureCode } from '../failure-code.ts';
import type { Counts } from '../expect/object.ts';
import type { ScenarioWorld, WorldAnswer } from '../world.ts';

/** Before comparison with the expectation. */
export type StepResult =
  | { readonly outcome: 'answered'; readonly answer: WorldAnswer }
  /** Nothing to compare. */
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed'; readonly what: FailureCode; readonly message: string }
  | { readonly outcome: 'left-out'; readonly because: string };

/** `counts`: objects once controllers are idle, where the step expects some. */
export type SettledResult = StepResult & { readonly counts?: Counts };

export interface StepContext {
  readonly world: ScenarioWorld;
  readonly stubRegistry: StubRegistry;
  readonly on: 'kadmit' | 'target';
}

export const failedStep = (what: FailureCode, message: string): StepResult => ({ outcome: 'failed', what, message });
