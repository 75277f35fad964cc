import { errorText } from '../../../machinery/error-text.ts';
import type { Step } from '../format.ts';
import { countSettled } from './count-settled.ts';
import { runStep } from './run-step.ts';
import { failed } from './step-result.ts';
import type { SettledResult, StepContext } from './step-result.ts';

/** Does a step and lets the controllers finish. What keeps the world from it, such as a lost connection, is its failure. */
export async function doStep(step: Step, context: StepContext): Promise<SettledResult> {
  try {
    const result = await runStep(step, context);
    await context.world.settle();
    const { settled } = step.expect;
    return settled ? { ...result, counts: await countSettled(context.world, Object.keys(settled)) } : result;
  } catch (error) {
    return failed(step.action.type, errorText(error));
  }
}
