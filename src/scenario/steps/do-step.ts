import { errorText } from '../../apimachinery/error-text.ts';
import type { Step } from '../format.ts';
import { runStep } from './run-step.ts';
import { failed } from './step-result.ts';
import type { StepContext, StepResult } from './step-result.ts';

/** Does a step and lets the controllers finish. What keeps the world from it, such as a lost connection, is its failure. */
export async function doStep(step: Step, context: StepContext): Promise<StepResult> {
  try {
    const result = await runStep(step, context);
    await context.world.settle();
    return result;
  } catch (error) {
    return failed(step.action.type, errorText(error));
  }
}
