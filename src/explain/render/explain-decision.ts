import { exchangeLines, lossLines } from './call-notes.ts';
import { addressOf } from './decision-model.ts';
import type { DecisionModel, WebhookModel } from './decision-model.ts';
import type { DiffLine } from '../trace/object-diff.ts';
import type { Page } from './explain-page.ts';

/** What the reader has seen already, and wants to see. */
export interface Told {
  /** Hints that stand further up. */
  readonly told: ReadonlySet<string>;
  /** Diffs to their end, however long. */
  readonly all?: boolean;
}

const words: Readonly<Record<string, string>> = {
  called: 'called ',
  skipped: 'skipped',
  'failed-open': 'FAILED ',
  'failed-closed': 'FAILED ',
  denied: 'DENIED ',
  refused: 'REFUSED',
  evaluated: 'judged ',
};

/** Under the word for the outcome and its two blanks. */
const deep = 11;

/** The outcome, who, what became of it; below, what else there is to say. */
export function decisionLines(page: Page, decision: DecisionModel, told: Told): void {
  const isAssumed = decision.type === 'webhook' && decision.source.assumed !== undefined;
  const word = page.painted(decision.tone, isAssumed ? 'assumed' : (words[decision.outcome] ?? decision.outcome));
  page.item(`${word}  ${page.painted('strong', whoOf(decision))}  ${decision.sentence}`, undefined, 2, deep);
  if (decision.type === 'plugin') return;
  if (decision.type === 'webhook') {
    for (const text of exchangeLines(decision.source)) page.item(text, 'warn', deep);
    helpLines(page, decision, told);
  }
  const details = decision.type === 'webhook' ? decision.conditions : decision.details;
  for (const text of details) page.item(text, 'dim', deep);
  diffLines(page, decision.diff, told);
  for (const text of decision.warnings) page.item(`warned: ${text}`, 'warn', deep);
  for (const text of lossLines(decision.source)) page.item(text, 'warn', deep);
}

function whoOf(decision: DecisionModel): string {
  if (decision.type === 'webhook') return `${decision.name} (${decision.configuration})`;
  if (decision.type === 'plugin' || decision.binding === '') return `policy ${decision.name}`;
  const { name, binding, params } = decision;
  return `policy ${name} (binding ${binding}${params === '' ? '' : `, params ${params}`})`;
}

function helpLines(page: Page, { advice, hints, source }: WebhookModel, { told }: Told): void {
  for (const text of advice) if (!told.has(text)) page.item(text, undefined, deep);
  for (const text of hints) {
    if (!told.has(text)) page.item(`${page.painted('strong', 'hint:')} ${text}`, undefined, deep);
  }
  if (advice.length > 0) page.item(`its address is ${addressOf(source)}${calledAt(source)}`, 'dim', deep);
}

const calledAt = ({ url, program, believed }: WebhookModel['source']): string =>
  url === undefined
    ? ''
    : `, called at ${url}${program === undefined ? '' : ` of ${program}`}${believed ? ' (no caBundle: its certificate is believed)' : ''}`;

const longestDiff = 30;
const styles = { '+': 'good', '-': 'bad', ' ': 'dim' } as const;

function diffLines(page: Page, diff: readonly DiffLine[], { all = false }: Told): void {
  const shown = all ? diff : diff.slice(0, longestDiff);
  for (const { sign, text } of shown) page.line(`${' '.repeat(deep)}${sign} ${text}`, styles[sign]);
  const left = diff.length - shown.length;
  if (left > 0) page.item(`and ${left} more lines; --all shows them`, 'dim', deep);
}
