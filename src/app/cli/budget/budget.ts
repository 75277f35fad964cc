import { ConfigError } from '../../../adapters/config/config-error.ts';
import { budgetsOf } from '../../../analysis/lint/model/budget.ts';
import type { RequestBudget } from '../../../explain/trace/request-budget.ts';
import { createLintSet } from '../../../analysis/lint/model/lint-set.ts';
import { problemLines } from '../../../testing/scenario/read/problems.ts';
import { flagLines } from '../../../adapters/config/flags/flag-help.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { gather } from '../lint/gather.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import { budgetFlags } from './budget-options.ts';
import type { BudgetOptions } from './budget-options.ts';
import { budgetText } from './budget-text.ts';
import { structured } from '../terminal/structured.ts';

/** `kadmit budget PATH…`: how long the webhooks of each kind of request may hold it up; exit code 1 when one may take longer than it has. */
export async function budget(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseFlags(budgetFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(help());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'budget', parsed.problem);
  const { options, rest } = parsed;
  if (rest.length === 0 && options.kubeconfig === '')
    return usageError(io, 'budget', 'of what? kadmit budget PATH…, or --kubeconfig FILE');
  try {
    return await addUp(rest, options, io);
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'budget', error.message);
    throw error;
  }
}

async function addUp(paths: readonly string[], options: BudgetOptions, io: Io): Promise<number> {
  const { objects, problems } = await gather(paths, options.kubeconfig);
  for (const line of problemLines(problems)) io.error(line);
  const set = createLintSet(objects, { isWhole: options.kubeconfig !== '', now: Date.now() });
  const budgets = budgetsOf(set, options.clientTimeout).flatMap((one) => forResource(one, options.resource));
  io.out(
    options.output === 'text'
      ? budgetText(budgets, ownTerminal())
      : await structured(options.output, JSON.stringify({ budgetVersion: 1, budgets }, null, 2)),
  );
  if (problems.length > 0) return exitCodes.usage;
  return budgets.some(({ most, given }) => most > given) ? exitCodes.failed : exitCodes.fine;
}

function forResource(one: RequestBudget, resource: string): readonly RequestBudget[] {
  if (resource === '') return [one];
  const requests = one.requests.filter((request) => request.split(' ')[1] === resource);
  return requests.length === 0 ? [] : [{ ...one, requests }];
}

const help = (): string =>
  [
    'usage: kadmit budget PATH... [FLAGS]',
    '       kadmit budget --kubeconfig FILE',
    '',
    'For each kind of request: the timeouts of its mutating webhooks one after the other, those called again, and the slowest',
    'validating one, against the 34 s that kube-apiserver gives a request. Failing open does not help: the time is gone.',
    'Exit codes: 0 all fit, 1 one does not, 2 a file that cannot be read.',
    '',
    ...flagLines(budgetFlags),
  ].join('\n');
