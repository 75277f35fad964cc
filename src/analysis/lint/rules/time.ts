import { requestSeconds } from '../../../machinery/meta/deadline.ts';
import { budgetsOf, fittingTimeout } from '../model/budget.ts';
import { type LintCheck, hookName, inHook } from '../finding.ts';

/** The calls of a request may exceed its deadline together, whatever their failurePolicy. */
export const timeBudgetRule: LintCheck = (set) =>
  budgetsOf(set).flatMap((budget) => {
    if (budget.worstCase <= requestSeconds) return [];
    const { calls, requests, mutating, secondRound, validating, worstCase } = budget;
    const slowest = calls.toSorted((one, other) => other.seconds - one.seconds)[0];
    const hook = set.hooks.find(
      ({ webhook }) => webhook.name === slowest?.webhook && webhook.configuration === slowest.configuration,
    );
    if (hook === undefined) return [];
    const parts = [
      `${mutating} s mutating`,
      ...(secondRound > 0 ? [`${secondRound} s called again`] : []),
      ...(validating > 0 ? [`${validating} s validating`] : []),
    ];
    const cap = fittingTimeout(budget);
    const last = calls.find(({ left, seconds }) => left < seconds);
    return [
      {
        ...inHook(hook, 'timeoutSeconds', { timeoutSeconds: cap }),
        rule: 'time-budget',
        severity: 'warning',
        title: `${requests[0] ?? ''} may wait ${parts.join(' + ')} = ${worstCase} s, and a request has ${requestSeconds} s; the most takes ${hookName(hook)}`,
        harm: `when backends hang, the request fails with 504 inside ${last?.webhook ?? budget.slowestValidator}, whatever failurePolicy says: Ignore does not help`,
        remedy: `with timeoutSeconds of at most ${cap} everywhere they fit`,
      },
    ];
  });

/** Seconds: the client timeout of kubelets, leader election and many controllers. */
const commonSeconds = 10;

/** failurePolicy Ignore applies after the timeout, when the client has given up. */
export const slowToFailOpen: LintCheck = ({ hooks }) =>
  hooks
    .filter(({ webhook }) => webhook.failurePolicy === 'Ignore' && webhook.timeoutSeconds > commonSeconds)
    .map((hook) => {
      const { timeoutSeconds } = hook.webhook;
      const leavesTime = timeoutSeconds + commonSeconds <= requestSeconds;
      return {
        ...inHook(hook, 'timeoutSeconds', { timeoutSeconds: commonSeconds }),
        rule: 'slow-to-fail-open',
        severity: leavesTime ? 'note' : 'warning',
        title: `${hookName(hook)} fails open, but after ${timeoutSeconds} s of the ${requestSeconds} s that a request has`,
        harm: `while its backend hangs, who waits ${commonSeconds} s (kubelets, leader election, many controllers) has given up before failurePolicy is looked at${leavesTime ? '' : '; with one other webhook that hangs for the usual 10 s the request itself fails'}`,
        remedy: `give it at most ${commonSeconds} s; what it waited for (connection, handshake, answer) kadmit explain shows whatever the timeout is`,
      };
    });
