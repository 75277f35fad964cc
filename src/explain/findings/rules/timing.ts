import { failurePolicyOf, timeoutSecondsOf } from '../../../machinery/meta/webhook-fields.ts';
import { ownMilliseconds, durationText } from '../../trace/sentences.ts';
import type { TracedWebhook } from '../../trace/trace.ts';
import { actorText, type Finding } from '../finding.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';

interface Call {
  readonly by: ViewedDecision;
  readonly webhook: TracedWebhook;
  readonly took: number;
}

const timedCalls = ({ decisions }: TraceView): readonly Call[] =>
  decisions.flatMap((by) => {
    const { record: decision } = by;
    if (decision.type !== 'webhook' || decision.timeoutMilliseconds === undefined) return [];
    return [{ by, webhook: decision, took: ownMilliseconds(decision) }];
  });

const nearShare = 0.8;

/** A webhook answered in time, but used most of its timeout. */
export const nearTimeout = (view: TraceView): readonly Finding[] =>
  timedCalls(view).flatMap(({ by, webhook, took }) => {
    const { timeoutMilliseconds = Infinity, outcome } = webhook;
    if ((outcome !== 'called' && outcome !== 'denied') || took < nearShare * timeoutMilliseconds) return [];
    return [
      {
        rule: 'near-timeout',
        severity: 'warning',
        title: `${actorText(by.actor)} took ${durationText(took)} of its ${durationText(timeoutMilliseconds)}`,
        where: { actors: [by.actor], fields: [] },
        evidence: [
          {
            text: `after a timeout failurePolicy ${policyOf(webhook)} ${policyOf(webhook) === 'Ignore' ? 'admits the request without it' : 'refuses the request'}`,
            decision: by.at,
          },
        ],
        remedy: `make ${by.actor.name} faster, or increase its timeoutSeconds (maximum 30; all webhooks of a request share 34 s)`,
      },
    ];
  });

const policyOf = ({ definition }: TracedWebhook): string => failurePolicyOf(definition ?? {});

/** Validating webhooks run in parallel: none uses up the time of another. */
const isBefore = (one: Call, { by, webhook }: Omit<Call, 'took'>): boolean =>
  one.by.at < by.at && (webhook.phase === 'mutating' || one.webhook.phase === 'mutating');

/** A webhook timed out because earlier ones used up the request's deadline. */
export const timeUsedUp = (view: TraceView): readonly Finding[] => {
  const calls = timedCalls(view);
  return calls.flatMap(({ by, webhook }) => {
    const ownLimit = timeoutSecondsOf(webhook.definition ?? {}) * 1000;
    const { timeoutMilliseconds: had = ownLimit, failurePhase } = webhook;
    if (failurePhase !== 'timeout' || had >= ownLimit - 1) return [];
    const before = calls
      .filter((one) => isBefore(one, { by, webhook }))
      .toSorted((one, other) => other.took - one.took);
    if (webhook.phase === 'validating' && before.length === 0) return [];
    return [
      {
        rule: 'time-used-up',
        severity: webhook.outcome === 'failed-open' ? 'warning' : 'error',
        title: `${actorText(by.actor)} had only ${durationText(had)} of its ${durationText(ownLimit)} left: all webhooks of a request share one deadline`,
        where: { actors: [by.actor, ...before.map((one) => one.by.actor)], fields: [] },
        evidence: before.map((one) => ({
          text: `${actorText(one.by.actor)} took ${durationText(one.took)}`,
          decision: one.by.at,
        })),
        remedy:
          'reduce the timeoutSeconds of earlier webhooks, so that their sum stays below 34 s (or the timeout of the client); failurePolicy: Ignore does not help',
      },
    ];
  });
};

const slowMilliseconds = 1000;

/** The webhook that took most of a slow request. */
export const slowest = (view: TraceView): readonly Finding[] => {
  const [first, ...others] = timedCalls(view).toSorted((one, other) => other.took - one.took);
  if (first === undefined || first.took < slowMilliseconds || others.length === 0) return [];
  const { by, took } = first;
  const rest = others.reduce((sum, one) => sum + one.took, 0);
  return [
    {
      rule: 'slowest',
      severity: 'note',
      title: `${actorText(by.actor)} was the slowest: ${durationText(took)}, all others together ${durationText(rest)}`,
      where: { actors: [by.actor], fields: [] },
      evidence: [],
      remedy: `make ${by.actor.name} faster first`,
    },
  ];
};
