import { ConfigError } from '../../../adapters/config/config-error.ts';
import { outputFlag, repeatedFlag, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import type { Flag } from '../../../adapters/config/flags/flags.ts';
import { computeBudgets, fittingTimeout } from '../../../analysis/lint/model/budget.ts';
import { createLintSet } from '../../../analysis/lint/model/lint-set.ts';
import { createPage } from '../../../explain/render/explain-page.ts';
import type { BudgetedCall, RequestBudget } from '../../../explain/trace/request-budget.ts';
import { readGoDuration } from '../../../machinery/go/go-duration.ts';
import { problemLines } from '../../../testing/scenario/read/problems.ts';
import { defineCommand } from '../command.ts';
import { readLintInput } from '../lint/lint.ts';
import { exitCodes, printDocument } from '../terminal/io.ts';
import { ownTerminal, type Terminal } from '../terminal/terminal.ts';

const clientTimeout: Flag<number> = {
  name: 'client-timeout',
  argument: 'DURATION',
  help: 'timeout of the client (kubelet and leader election: 10s); the server allows 34s',
  fallback: Number.POSITIVE_INFINITY,
  shownFallback: '',
  read: (texts) => {
    const milliseconds = readGoDuration(texts.at(-1) ?? '');
    if (milliseconds === undefined || milliseconds <= 0)
      return { outcome: 'wrong', problem: 'is not a duration: use one such as 10s' };
    return { outcome: 'read', value: milliseconds / 1000 };
  },
};

/** `kadmit budget PATH…`: exit code 1 when the webhooks of a request may take longer than it has. */
export const budgetCommand = defineCommand({
  name: 'budget',
  group: 'Analyze',
  synopsis: ['PATH... [FLAGS]', '--kubeconfig FILE'],
  purpose: 'check webhook timeouts against the 34s request deadline',
  details: [
    'For each kind of request, adds the timeouts of its mutating webhooks, of those that are reinvoked, and of the slowest ' +
      'validating webhook. A webhook that fails open still uses its time.',
    'Exit codes: 0 all requests fit, 1 one does not, 2 a file cannot be read.',
  ],
  flags: {
    filename: { ...repeatedFlag('filename', 'PATH', 'file or folder to check, like PATH'), short: 'f' },
    kubeconfig: textFlag('kubeconfig', 'FILE', 'also check the configurations of this server'),
    clientTimeout,
    resource: textFlag('resource', 'NAME', 'only requests for this resource: pods, deployments.apps, pods/status'),
    output: outputFlag,
  },
  positionals: { name: 'PATH', complete: [{ type: 'files' }] },
  examples: ['budget config/webhooks.yaml', 'budget --kubeconfig .kadmit/kubeconfig --client-timeout 10s'],
  run: async ({ args, options: { filename, kubeconfig, clientTimeout: timeout, resource, output } }, io) => {
    const paths = [...filename, ...args];
    if (paths.length === 0 && kubeconfig === '') throw new ConfigError('at least one PATH or --kubeconfig is required');
    const { objects, problems } = await readLintInput(paths, kubeconfig);
    for (const line of problemLines(problems)) io.error(line);
    const set = createLintSet(objects, { isWhole: kubeconfig !== '', now: Date.now() });
    const budgets = computeBudgets(set, timeout).flatMap((one) => filterByResource(one, resource));
    await printDocument(io, output, { budgetVersion: 1, budgets }, () => budgetText(budgets, ownTerminal()));
    if (problems.length > 0) return exitCodes.usage;
    return budgets.some(({ worstCase, limit }) => worstCase > limit) ? exitCodes.failed : exitCodes.fine;
  },
});

function filterByResource(one: RequestBudget, resource: string): readonly RequestBudget[] {
  if (resource === '') return [one];
  const requests = one.requests.filter((request) => request.split(' ')[1] === resource);
  return requests.length === 0 ? [] : [{ ...one, requests }];
}

const barWidth = 40;

/** The budgets for people, the worst first: a bar for each call, where time ends, and which timeouts would fit. */
export function budgetText(budgets: readonly RequestBudget[], terminal: Terminal): string {
  const page = createPage(terminal);
  if (budgets.length === 0) page.line('no request calls a webhook');
  for (const budget of budgets) {
    const isOver = budget.worstCase > budget.limit;
    page.line(budgetTitle(budget), isOver ? 'bad' : 'strong');
    for (const call of budget.calls) page.line(callLine(call, budget), call.left < call.seconds ? 'bad' : undefined);
    if (budget.validating > 0) page.line(validatingLine(budget), isOver ? 'warn' : 'quiet');
    for (const line of isOver ? deadlineLines(budget) : []) page.item(line, 'warn');
    page.line('');
  }
  return page.text().trimEnd();
}

/** `CREATE pods: worst case 40 s, the limit is 34 s`. */
function budgetTitle({ requests, worstCase, limit }: RequestBudget): string {
  const [first = '', ...others] = requests;
  const more =
    others.length === 0
      ? ''
      : ` (and ${others.length > 3 ? `${others.length} other kinds of requests` : others.join(', ')})`;
  return `${first}${more}: worst case ${worstCase} s, the limit is ${limit} s`;
}

function callLine(
  { webhook, configuration, seconds, round, failurePolicy, left }: BudgetedCall,
  { worstCase }: RequestBudget,
): string {
  const note = left >= seconds ? '' : left === 0 ? '  no longer called' : `  only ${left} s left`;
  const again = round === 1 ? ' again' : '';
  return `  ${renderBar(seconds, worstCase)} ${String(seconds).padStart(3)} s  ${webhook}${again} (${configuration}, ${failurePolicy})${note}`;
}

const validatingLine = ({ validating, worstCase, slowestValidator }: RequestBudget): string =>
  `  ${renderBar(validating, worstCase)} ${String(validating).padStart(3)} s  validating, in parallel; the slowest is ${slowestValidator}`;

const renderBar = (seconds: number, worstCase: number): string =>
  '█'.repeat(Math.max(1, Math.round((seconds / Math.max(worstCase, 1)) * barWidth)));

function deadlineLines(budget: RequestBudget): readonly string[] {
  const { calls, limit, mutating, secondRound, slowestValidator } = budget;
  const last = calls.find(({ left, seconds }) => left < seconds);
  const where = last?.webhook ?? slowestValidator;
  const open = mutating + secondRound > limit && calls.every(({ failurePolicy }) => failurePolicy === 'Ignore');
  const cap = fittingTimeout(budget);
  const lower = calls.filter(({ seconds }) => seconds > cap).map(({ webhook }) => webhook);
  return [
    `when all hang, the request fails after ${limit} s inside ${where}${open ? ', although every webhook fails open' : ', whatever the failurePolicy'}`,
    `timeoutSeconds: ${cap} would fit${lower.length === 0 ? '' : `: lower ${[...new Set(lower)].join(', ')}`}`,
  ];
}
