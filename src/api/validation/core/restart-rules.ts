import { notSupported, required, tooMany } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type { Container, ContainerRestartRule } from '../../types/generated/core-v1.ts';
import { each, none, oneOfIfSet, when, type Complaints } from '../field-rules.ts';

const [mostRules, mostExitCodes] = [20, 255];

/** Without restartPolicy the rules are not validated. Follows validateInitContainerRestartPolicy. */
export const initRestartRuleErrors = (container: Container, path: string): Complaints =>
  restartRuleErrors(container, path).slice(0, container.restartPolicy === undefined ? 1 : undefined);

/** On by default since 1.35. Follows kubernetes pkg/apis/core/validation validateContainerRestartPolicy. */
export function restartRuleErrors(container: Container, path: string): Complaints {
  const { restartPolicy, restartPolicyRules } = container;
  if (restartPolicy === undefined && restartPolicyRules === undefined) return none;
  const count = asList(restartPolicyRules).length;
  return [
    ...when(restartPolicy === undefined && count > 0, () =>
      required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used'),
    ),
    ...oneOfIfSet(`${path}.restartPolicy`, restartPolicy, ['Always', 'Never', 'OnFailure']),
    ...when(count > mostRules, () => tooMany(`${path}.restartPolicyRules`, count, mostRules)),
    ...each(restartPolicyRules, `${path}.restartPolicyRules`, ruleErrors),
  ];
}

const actions = ['Restart', 'RestartAllContainers'];
const operators = ['In', 'NotIn'];

function ruleErrors(rule: ContainerRestartRule, path: string): Complaints {
  const action = asString(rule.action);
  const actionErrors = when(!actions.includes(action), () => notSupported(`${path}.action`, action, actions));
  const at = `${path}.exitCodes`;
  if (rule.exitCodes === undefined) return [...actionErrors, required(at, 'must be specified')];
  const { operator, values } = asObject(rule.exitCodes);
  const [name, count] = [asString(operator), asList(values).length];
  return [
    ...actionErrors,
    ...when(!operators.includes(name), () => notSupported(`${at}.operator`, name, operators)),
    ...when(count > mostExitCodes, () => tooMany(`${at}.values`, count, mostExitCodes)),
  ];
}
