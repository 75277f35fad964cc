import {
  checkIdempotency,
  type IdempotencyReport,
  type IdempotencyRequest,
  type UnstableWebhook,
  type Rounds,
} from '../../../analysis/trials/idempotency.ts';
import { describeField, describeValue } from '../../../explain/findings/describe-field.ts';
import { createPage, type Page } from '../../../explain/render/explain-page.ts';
import { mutatorCountText, participantText } from '../../../explain/render/about-decision.ts';
import type { FieldChange } from '../../../explain/trace/object-diff.ts';
import { defineCommand } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { ownTerminal, type Terminal } from '../terminal/terminal.ts';
import { oneLine, runTrials, trialFlags, trialForm, unansweredText, notCalledText } from './run-trials.ts';

/** `kadmit idempotency SCENARIO…`: every mutating webhook gets its own output again; exit code 1 when one changes it. */
export const idempotencyCommand = defineCommand({
  name: 'idempotency',
  group: 'Analyze',
  ...trialForm,
  purpose: 're-invoke mutating webhooks on their own output, report changes',
  details: [
    'Sends the output of each mutating webhook to it again, then repeats rounds of all webhooks until nothing changes. A ' +
      'webhook that is not idempotent breaks when it is reinvoked (reinvocationPolicy: IfNeeded).',
    'Exit codes: 0 all are idempotent, 1 one is not, or a call to a webhook of --load failed, 2 a webhook has no --to, or a ' +
      'file cannot be read.',
  ],
  flags: trialFlags,
  examples: [
    'idempotency scenarios/identity-trio',
    'idempotency --load hooks.yml --to a.io=http://localhost:8400 -f pod.yml',
  ],
  run: ({ args, options }, io, { createWorlds }: Pick<CommandContext, 'createWorlds'>) =>
    runTrials(
      args,
      options,
      { io, createWorlds },
      {
        command: 'idempotency',
        run: checkIdempotency,
        text: (reports) => idempotencyText(reports, ownTerminal()),
        isFound: ({ requests }) =>
          requests.some(
            ({ unstable, rounds, findings, unanswered }) =>
              unstable.some(({ after }) => after === 'own') ||
              findings.length > 0 ||
              rounds.outcome !== 'settles' ||
              (unanswered.length > 0 && options.load.length > 0),
          ),
      },
    ),
});

function idempotencyText(reports: readonly IdempotencyReport[], terminal: Terminal): string {
  const page = createPage(terminal);
  for (const { scenario, requests } of reports) {
    page.line(scenario, 'strong');
    const shown = requests.filter(
      ({ webhooks, findings, unanswered }) => webhooks.length + findings.length + unanswered.length > 0,
    );
    for (const request of shown) requestLines(page, request);
    const others = requests.length - shown.length;
    if (others > 0)
      page.item(`${others === 1 ? '1 write calls' : `${others} writes call`} no mutating webhook`, 'quiet');
    page.line('');
  }
  return page.text().trimEnd();
}

function requestLines(page: Page, request: IdempotencyRequest): void {
  const { name, webhooks, unanswered, notCalled, unstable, rounds, findings } = request;
  const isQuiet =
    unstable.every(({ after }) => after === 'others') &&
    rounds.outcome === 'settles' &&
    findings.length + unanswered.length + notCalled.length === 0;
  const called = `${mutatorCountText(webhooks.filter((one) => !notCalled.includes(one)))} called`;
  const isStill = isQuiet && unstable.length === 0;
  page.item(`${name}: ${called}${isStill ? ', nothing changes the second time' : ''}`, isQuiet ? 'good' : 'bad');
  const met = new Set([...webhooks, ...unanswered.map(({ webhook }) => webhook)]);
  if (notCalled.length > 0) page.item(notCalledText(notCalled, [...met]), 'bad', 4);
  for (const one of unanswered) page.item(unansweredText(one), 'bad', 4);
  for (const one of unstable) unstableLines(page, one);
  const words = roundText(rounds);
  if (words !== '') page.item(words, 'warn', 4);
  if (rounds.outcome !== 'settles') changeLines(page, rounds.changes);
  for (const { rule, title } of findings) page.item(`${rule}: ${title}`, 'warn', 4);
}

function unstableLines(page: Page, { webhook, after, changes, refused }: UnstableWebhook): void {
  const again = `given its own output, it ${changes.length === 0 ? 'refuses' : 'changes it again'}`;
  const text = after === 'own' ? `is not idempotent: ${again}` : 'changes the object again after all others';
  page.item(`${participantText(webhook)} ${text}`, after === 'own' ? 'warn' : 'quiet', 4);
  changeLines(page, changes);
  if (refused !== '') page.item(`called twice, the request is refused: ${oneLine(refused)}`, 'bad', 6);
}

function changeLines(page: Page, changes: readonly FieldChange[]): void {
  for (const { path, before, after } of changes.slice(0, 5)) {
    page.item(`${describeField(path)}: ${describeValue(before)}, then ${describeValue(after)}`, 'quiet', 6);
  }
}

function roundText(rounds: Rounds): string {
  switch (rounds.outcome) {
    case 'settles':
      return rounds.after > 1 ? `stable after ${rounds.after} rounds; a request has only two` : '';
    case 'cycle':
      return `a cycle of ${rounds.length} rounds: webhooks undo their changes`;
    case 'grows':
      return 'the object changes in every round';
  }
}
