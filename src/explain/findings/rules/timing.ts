import { failurePolicyOf, timeoutSecondsOf } from '../../../machinery/meta/webhook-fields.ts';
import { ownMilliseconds } from '../../trace/hold-words.ts';
import { durationText } from '../../trace/sentences.ts';
import type { TracedWebhook } from '../../trace/trace.ts';
import { actorText } from '../actor.ts';
import type { Finding } from '../finding.ts';
import type { Reading, Turn } from '../reading.ts';

interface Call {
  readonly turn: Turn;
  readonly webhook: TracedWebhook;
  readonly took: number;
}

const callsOf = ({ turns }: Reading): readonly Call[] =>
  turns.flatMap((turn) => {
    const { decision } = turn;
    if (decision.type !== 'webhook' || decision.timeoutMilliseconds === undefined) return [];
    return [{ turn, webhook: decision, took: ownMilliseconds(decision) }];
  });

const near = 0.8;

/** A webhook answered in time, but used most of its timeout. */
export const nearTimeout = (reading: Reading): readonly Finding[] =>
  callsOf(reading).flatMap(({ turn, webhook, took }) => {
    const { timeoutMilliseconds = Infinity, outcome } = webhook;
    if ((outcome !== 'called' && outcome !== 'denied') || took < near * timeoutMilliseconds) return [];
    return [
      {
        rule: 'near-timeout',
        severity: 'warning',
        title: `${actorText(turn.actor)} took ${durationText(took)} of the ${durationText(timeoutMilliseconds)} it has`,
        where: { actors: [turn.actor], fields: [] },
        evidence: [
          {
            text: `a little slower, and failurePolicy ${policyOf(webhook)} ${policyOf(webhook) === 'Ignore' ? 'lets the request pass without it' : 'refuses the request'}`,
            decision: turn.at,
          },
        ],
        remedy: `make ${turn.actor.name} quicker, or give it more timeoutSeconds (30 is the most; all webhooks of a request share 34 s)`,
      },
    ];
  });

const policyOf = ({ definition }: TracedWebhook): string => failurePolicyOf(definition ?? {});

/** Validating webhooks run in parallel: none uses up the time of another. */
const isBefore = (one: Call, { turn, webhook }: Omit<Call, 'took'>): boolean =>
  one.turn.at < turn.at && (webhook.phase === 'mutating' || one.webhook.phase === 'mutating');

/** A webhook timed out because earlier ones used up the request's deadline. */
export const timeUsedUp = (reading: Reading): readonly Finding[] => {
  const calls = callsOf(reading);
  return calls.flatMap(({ turn, webhook }) => {
    const ownLimit = timeoutSecondsOf(webhook.definition ?? {}) * 1000;
    const { timeoutMilliseconds: had = ownLimit, failurePhase } = webhook;
    if (failurePhase !== 'timeout' || had >= ownLimit - 1) return [];
    const before = calls
      .filter((one) => isBefore(one, { turn, webhook }))
      .toSorted((one, other) => other.took - one.took);
    if (webhook.phase === 'validating' && before.length === 0) return [];
    return [
      {
        rule: 'time-used-up',
        severity: webhook.outcome === 'failed-open' ? 'warning' : 'error',
        title: `only ${durationText(had)} of its ${durationText(ownLimit)} were left for ${actorText(turn.actor)}: all webhooks of a request share one time`,
        where: { actors: [turn.actor, ...before.map((one) => one.turn.actor)], fields: [] },
        evidence: before.map((one) => ({
          text: `${actorText(one.turn.actor)} took ${durationText(one.took)}`,
          decision: one.turn.at,
        })),
        remedy:
          'give the webhooks before it smaller timeoutSeconds, so that their sum stays below the 34 s (or the timeout of the client); failurePolicy: Ignore does not help',
      },
    ];
  });
};

const slow = 1000;

/** The webhook that took most of a slow request. */
export const slowest = (reading: Reading): readonly Finding[] => {
  const [first, ...others] = callsOf(reading).toSorted((one, other) => other.took - one.took);
  if (first === undefined || first.took < slow || others.length === 0) return [];
  const { turn, took } = first;
  const rest = others.reduce((sum, one) => sum + one.took, 0);
  return [
    {
      rule: 'slowest',
      severity: 'note',
      title: `the slowest was ${actorText(turn.actor)}: ${durationText(took)}, all the others ${durationText(rest)}`,
      where: { actors: [turn.actor], fields: [] },
      evidence: [],
      remedy: `look into ${turn.actor.name} first when such requests shall be quicker`,
    },
  ];
};
