import { ok } from '../apimachinery/result.ts';
import type { Result } from '../apimachinery/result.ts';
import type { Status } from '../apimachinery/status.ts';
import type { Exchange } from './exchange.ts';

/** One step on the path of a request: the exchange as it is afterwards, or the refusal the client will read. */
export interface Stage {
  readonly name: string;
  readonly run: (exchange: Exchange) => Result<Exchange> | Promise<Result<Exchange>>;
}

/** Milliseconds of stages after which it is worth asking whether others are to be let in. */
const shortWork = 0.25;

/** Runs stages in order until one refuses, and tells the exchange's journal of each. */
export async function runStages(stages: readonly Stage[], exchange: Exchange): Promise<Result<Exchange>> {
  let current = exchange;
  let startedAt = current.journal.now();
  let pausedAt = startedAt;
  for (const stage of stages) {
    const answer = stage.run(current);
    const result = answer instanceof Promise ? await answer : answer;
    const finishedAt = current.journal.now();
    current.journal.stage(stage.name, { startedAt, finishedAt }, result.ok);
    if (!result.ok) {
      rememberRefusal(current, result.status);
      return result;
    }
    current = result.value;
    startedAt = finishedAt;
    if (finishedAt - pausedAt < shortWork) continue;
    const pausing = current.request.pause?.();
    if (pausing) {
      await pausing;
      startedAt = current.journal.now();
    }
    pausedAt = startedAt;
  }
  return ok(current);
}

/** Refuses outside of a stage: the trace shows the object of this exchange. */
export function refuseAt(exchange: Exchange, status: Status): Status {
  rememberRefusal(exchange, status);
  return status;
}

/** The innermost stages know best how far the exchange came: those around them find the same Status already there. */
function rememberRefusal(exchange: Exchange, status: Status): void {
  if (exchange.progress.refusal !== status) Object.assign(exchange.progress, { refusal: status, reached: exchange });
}
