import { failure } from '../../apimachinery/status.ts';
import type { Status } from '../../apimachinery/status.ts';
import { refuse } from '../../apimachinery/result.ts';
import type { Stage } from '../stage.ts';
import { runAttempt } from '../run-attempt.ts';
import { lateRefusal } from '../time-is-up.ts';

/** What `persist` answers when another request wrote first: never sent to a client, only a sign to go round again. */
export const lostRace: Status = failure({ code: 409, reason: 'Conflict', message: 'another write came first' });

/**
 * Runs the stages again from the start, on a fresh copy of what the client sent, for as long as another write comes first
 * and the request has time. Follows apiserver pkg/storage/etcd3/store.go GuaranteedUpdate (rule PATH-23).
 */
export const untilStored = (stages: readonly Stage[]): Stage => ({
  name: 'until-stored',
  run: async (exchange) => {
    for (;;) {
      const result = await runAttempt(stages, exchange);
      if (result.ok || result.status !== lostRace) return result;
      if (exchange.request.signal.aborted) return refuse(result.status);
      const late = lateRefusal(exchange);
      if (late) return refuse(late);
      exchange.journal.turn({ again: 'another-write' });
    }
  },
});
