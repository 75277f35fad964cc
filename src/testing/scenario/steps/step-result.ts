import type { StubRegistry } from '../../stubs/stub-registry.ts';
import type { Counts } from '../expect/object.ts';
import type { ScenarioWorld, WorldAnswer, WorldUser } from '../world.ts';

/** Before comparison with the expectation. */
export type StepResult =
  | { readonly outcome: 'answered'; readonly answer: WorldAnswer }
  /** Nothing to compare. */
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed'; readonly what: string; readonly message: string }
  | { readonly outcome: 'left-out'; readonly because: string };

/** `counts`: objects once controllers are idle, where the step expects some. */
export type SettledResult = StepResult & { readonly counts?: Counts };

export interface StepContext {
  readonly world: ScenarioWorld;
  readonly stubRegistry: StubRegistry;
  readonly on: 'kadmit' | 'target';
}

export interface StepManner {
  readonly as: WorldUser | undefined;
  readonly dryRun: boolean;
}

export const answeredStep = (answer: WorldAnswer): StepResult => ({ outcome: 'answered', answer });

export const failedStep = (what: string, message: string): StepResult => ({ outcome: 'failed', what, message });
