import { ConfigError } from '../../../adapters/config/config-error.ts';
import { flagLines, parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { budgetsOf, fittingTimeout } from '../../../analysis/lint/model/budget.ts';
import { createLintSet } from '../../../analysis/lint/model/lint-set.ts';
import { createPage } from '../../../explain/render/explain-page.ts';
import type { BudgetedCall, RequestBudget } from '../../../explain/trace/request-budget.ts';
import { problemLines } from '../../../testing/scenario/read/problems.ts';
import { gather } from '../lint/gather.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { structured } from '../terminal/structured.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { budgetFlags } from './budget-options.ts';
import type { BudgetOptions } from './budget-options.ts';

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

const widest = 40;

/** The budgets for people, the worst first: a bar for each call, where time ends, and which timeouts would fit. */
export function budgetText(budgets: readonly RequestBudget[], terminal: Terminal): string {
  const page = createPage({ width: terminal.width ?? Number.POSITIVE_INFINITY, paint: terminal.paint });
  if (budgets.length === 0) page.line('no webhook is asked about anything');
  for (const budget of budgets) {
    const isOver = budget.most > budget.given;
    page.line(headOf(budget), isOver ? 'bad' : 'strong');
    for (const call of budget.calls) page.line(callLine(call, budget), call.left < call.seconds ? 'bad' : undefined);
    if (budget.validating > 0) page.line(validatingLine(budget), isOver ? 'warn' : 'quiet');
    for (const line of isOver ? endOf(budget) : []) page.item(line, 'warn');
    page.line('');
  }
  return page.text().trimEnd();
}

/** `CREATE pods: at worst 40 s of 34 s`. */
function headOf({ requests, most, given }: RequestBudget): string {
  const [first = '', ...others] = requests;
  const more =
    others.length === 0
      ? ''
      : ` (and ${others.length > 3 ? `${others.length} other kinds of requests` : others.join(', ')})`;
  return `${first}${more}: at worst ${most} s of the ${given} s there are`;
}

function callLine(
  { webhook, configuration, seconds, round, failurePolicy, left }: BudgetedCall,
  { most }: RequestBudget,
): string {
  const note = left >= seconds ? '' : left === 0 ? '  not called any more' : `  only ${left} s left`;
  const again = round === 1 ? ' again' : '';
  return `  ${bar(seconds, most)} ${String(seconds).padStart(3)} s  ${webhook}${again} (${configuration}, ${failurePolicy})${note}`;
}

const validatingLine = ({ validating, most, slowestValidator }: RequestBudget): string =>
  `  ${bar(validating, most)} ${String(validating).padStart(3)} s  validating, all at once; the slowest is ${slowestValidator}`;

const bar = (seconds: number, most: number): string =>
  '█'.repeat(Math.max(1, Math.round((seconds / Math.max(most, 1)) * widest)));

function endOf(budget: RequestBudget): readonly string[] {
  const { calls, given, mutating, secondRound, slowestValidator } = budget;
  const last = calls.find(({ left, seconds }) => left < seconds);
  const where = last?.webhook ?? slowestValidator;
  const open = mutating + secondRound > given && calls.every(({ failurePolicy }) => failurePolicy === 'Ignore');
  const cap = fittingTimeout(budget);
  const lower = calls.filter(({ seconds }) => seconds > cap).map(({ webhook }) => webhook);
  return [
    `when all hang, the request fails after ${given} s inside ${where}${open ? ', although every webhook fails open' : ', whatever failurePolicy says'}`,
    `timeoutSeconds: ${cap} would fit${lower.length === 0 ? '' : `: lower ${[...new Set(lower)].join(', ')}`}`,
  ];
}
