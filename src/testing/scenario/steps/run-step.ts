import type { Step } from '../format.ts';
import { advance } from './advance.ts';
import { apply } from './apply.ts';
import { configure } from './configure.ts';
import { connect } from './connect.ts';
import { create } from './create.ts';
import { deleteObject } from './delete.ts';
import { deleteCollection } from './deletecollection.ts';
import { get } from './get.ts';
import { patch } from './patch.ts';
import type { StepContext, StepResult } from './step-result.ts';
import { update } from './update.ts';
import { wait } from './wait.ts';

/** Does what a step says, once, and returns what came of it. */
export async function runStep(step: Step, context: StepContext): Promise<StepResult> {
  const { action } = step;
  switch (action.type) {
    case 'create':
      return create(action, step, context);
    case 'update':
      return update(action, step, context);
    case 'apply':
      return apply(action, step, context);
    case 'patch':
      return patch(action, step, context);
    case 'delete':
      return deleteObject(action, step, context);
    case 'deletecollection':
      return deleteCollection(action, step, context);
    case 'connect':
      return connect(action, step, context);
    case 'get':
      return get(action, step, context);
    case 'wait':
      return wait(action, step, context);
    case 'advance':
      return advance(action, context);
    case 'configure':
      return configure(action, context);
  }
}
