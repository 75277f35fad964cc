import { converterName } from '../../stubs/answer-conversion.ts';
import type { Action } from '../format.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import { failed } from './step-result.ts';
import type { StepContext, StepResult } from './step-result.ts';

type Configure = Extract<Action, { readonly type: 'configure' }>;

/** Changes what a webhook of the scenario, or the converter of a definition, does, or what goes wrong with it, from the next call on. */
export function configure({ webhook, change }: Configure, { switchboard }: StepContext): StepResult {
  const names = switchboard
    .specs()
    .flatMap(({ name, configuration }) => (configuration === undefined ? [name] : [name, `${configuration}/${name}`]));
  const name = [webhook, converterName(webhook)].find((one) => names.includes(one));
  if (name === undefined) {
    return failed('configure', `${webhook} is no webhook of this scenario${suggestion(webhook, names)}`);
  }
  switchboard.configure(name, change);
  return { outcome: 'done' };
}
