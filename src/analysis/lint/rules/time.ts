import { requestSeconds } from '../../../machinery/meta/deadline.ts';
import { computeBudgets, fittingTimeout } from '../model/budget.ts';
import { type LintCheck, webhookTitle, webhookField } from '../finding.ts';

/** The calls of a request may exceed its deadline together, whatever their failurePolicy. */
export const exceededTimeBudget: LintCheck = (set) =>
  computeBudgets(set).flatMap((budget) => {
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
        ...webhookField(hook, 'timeoutSeconds', { timeoutSeconds: cap }),
        rule: 'time-budget',
        severity: 'warning',
        title: `${requests[0] ?? ''} may wait ${parts.join(' + ')} = ${worstCase} s, but a request has ${requestSeconds} s; the longest timeout is that of ${webhookTitle(hook)}`,
        harm: `when backends hang, the request fails with 504 inside ${last?.webhook ?? budget.slowestValidator}, whatever the failurePolicy: Ignore does not help`,
        remedy: `set timeoutSeconds to at most ${cap} in each of them`,
      },
    ];
  });

/** Seconds: the client timeout of kubelets, leader election and many controllers. */
const clientSeconds = 10;

/** failurePolicy Ignore applies after the timeout, when the client has given up. */
export const slowToFailOpen: LintCheck = ({ hooks }) =>
  hooks
    .filter(({ webhook }) => webhook.failurePolicy === 'Ignore' && webhook.timeoutSeconds > clientSeconds)
    .map((hook) => {
      const { timeoutSeconds } = hook.webhook;
      const leavesTime = timeoutSeconds + clientSeconds <= requestSeconds;
      return {
        ...webhookField(hook, 'timeoutSeconds', { timeoutSeconds: clientSeconds }),
        rule: 'slow-to-fail-open',
        severity: leavesTime ? 'note' : 'warning',
        title: `${webhookTitle(hook)} fails open only after ${timeoutSeconds} s of the ${requestSeconds} s of a request`,
        harm: `while its backend hangs, clients with a timeout of ${clientSeconds} s (kubelets, leader election, many controllers) fail before failurePolicy applies${leavesTime ? '' : '; the request itself fails if another webhook hangs for the usual 10 s'}`,
        remedy: `set timeoutSeconds to at most ${clientSeconds}; kadmit explain shows the phase of a timeout (connection, handshake, response)`,
      };
    });
