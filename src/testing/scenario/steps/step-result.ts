import type { Switchboard } from '../../stubs/switchboard.ts';
import type { Counts } from '../expect/settled.ts';
import type { World, WorldAnswer, WorldUser } from '../world.ts';

/** What doing a step came to, before anybody compares it with what was expected. */
export type StepResult =
  | { readonly outcome: 'answered'; readonly answer: WorldAnswer }
  /** It sent nothing that could be compared. */
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed'; readonly what: string; readonly message: string }
  | { readonly outcome: 'left-out'; readonly because: string };

/** With what there was when the controllers had come to rest, where the step expects something of it. */
export type SettledResult = StepResult & { readonly counts?: Counts };

/** What steps act on. */
export interface StepContext {
  readonly world: World;
  readonly switchboard: Switchboard;
  /** In process, or a server behind a kubeconfig. */
  readonly on: 'kadmit' | 'target';
}

/** Who does a step, and whether for real. */
export interface StepManner {
  readonly as: WorldUser | undefined;
  readonly dryRun: boolean;
}

export const answered = (answer: WorldAnswer): StepResult => ({ outcome: 'answered', answer });

export const failed = (what: string, message: string): StepResult => ({ outcome: 'failed', what, message });
