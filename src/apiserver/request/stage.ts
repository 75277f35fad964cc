import { ok } from '../../machinery/meta/result.ts';
import type { Result } from '../../machinery/meta/result.ts';
import type { Status } from '../../machinery/meta/status.ts';
import type { Exchange } from './exchange.ts';

/** One step on the path of a request: the exchange as it is afterwards, or the refusal the client will read. */
export interface Stage {
  readonly name: string;
  readonly run: (exchange: Exchange) => Promise<Result<Exchange>>;
}

/** Runs stages in order until one refuses, and tells the exchange's journal of each. */
export async function runStages(stages: readonly Stage[], exchange: Exchange): Promise<Result<Exchange>> {
  let current = exchange;
  let startedAt = current.journal.now();
  for (const stage of stages) {
    const result = await stage.run(current);
    const finishedAt = current.journal.now();
    current.journal.stage(stage.name, { startedAt, finishedAt }, result.ok);
    if (!result.ok) {
      rememberRefusal(current, result.status);
      return result;
    }
    current = result.value;
    await current.yieldIfLong();
    startedAt = current.journal.now();
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
