import { ok, type Result } from '../../machinery/meta/result.ts';
import type { Status } from '../../machinery/meta/status.ts';
import type { Exchange } from './exchange.ts';

export interface Stage {
  readonly name: string;
  readonly run: (exchange: Exchange) => Promise<Result<Exchange>>;
}

/** Stops at the first refusal; records each stage in the journal. */
export async function runStages(stages: readonly Stage[], exchange: Exchange): Promise<Result<Exchange>> {
  let current = exchange;
  let startedAt = current.journal.now();
  for (const stage of stages) {
    const result = await stage.run(current);
    const finishedAt = current.journal.now();
    current.journal.stage(stage.name, startedAt, finishedAt, result.ok);
    if (!result.ok) {
      recordRefusal(current, result.status);
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
  recordRefusal(exchange, status);
  return status;
}

/** The innermost refusal counts. */
function recordRefusal(exchange: Exchange, status: Status): void {
  const { progress } = exchange;
  if (progress.refusal === status) return;
  progress.refusal = status;
  progress.reached = exchange;
}
