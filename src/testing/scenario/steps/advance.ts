import type { Action } from '../format.ts';
import type { StepContext, StepResult } from './step-result.ts';

type Advance = Extract<Action, { readonly type: 'advance' }>;

/** Lets time pass; on a server that has a clock of its own nobody can. */
export async function advance({ milliseconds }: Advance, { world, on }: StepContext): Promise<StepResult> {
  if (on === 'target') return { outcome: 'left-out', because: 'time passes by itself on this server' };
  await world.advance(milliseconds);
  return { outcome: 'done' };
}
