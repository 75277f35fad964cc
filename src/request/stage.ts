import { ok } from '../apimachinery/result.ts';
import type { Result } from '../apimachinery/result.ts';
import type { Status } from '../apimachinery/status.ts';
import type { Exchange } from './exchange.ts';

/** One step on the path of a request: the exchange as it is afterwards, or the refusal the client will read. */
export interface Stage {
  readonly name: string;
  readonly run: (exchange: Exchange) => Result<Exchange> | Promise<Result<Exchange>>;
}

/** Runs stages in order until one refuses, and tells the exchange's journal of each. */
export async function runStages(stages: readonly Stage[], exchange: Exchange): Promise<Result<Exchange>> {
  let current = exchange;
  for (const stage of stages) {
    const startedAt = current.journal.now();
    const answer = stage.run(current);
    const result = answer instanceof Promise ? await answer : answer;
    current.journal.stage(stage.name, startedAt, result.ok);
    if (!result.ok) {
      rememberRefusal(current, result.status);
      return result;
    }
    current = result.value;
    const pausing = current.request.pause?.();
    if (pausing) await pausing;
  }
  return ok(current);
}

/** The innermost stages know best how far the exchange came: those around them find the same Status already there. */
function rememberRefusal(exchange: Exchange, status: Status): void {
  if (exchange.progress.refusal !== status) Object.assign(exchange.progress, { refusal: status, reached: exchange });
}
