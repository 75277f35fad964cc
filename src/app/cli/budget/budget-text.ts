import { createPage } from '../../../explain/render/explain-page.ts';
import { fittingTimeout } from '../../../analysis/lint/model/budget.ts';
import type { BudgetedCall, RequestBudget } from '../../../explain/trace/request-budget.ts';
import type { Terminal } from '../terminal/terminal.ts';

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
