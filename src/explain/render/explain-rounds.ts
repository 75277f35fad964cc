import type { DiffLine } from '../trace/object-diff.ts';
import { holdText } from '../trace/sentences.ts';
import { exchangeLines, lossLines } from './call-notes.ts';
import type { CalleeModel } from './callee-headline.ts';
import { webhookAddress, type DecisionModel, type WebhookModel } from './decision-model.ts';
import { calleeName } from './decision-table.ts';
import { cutText, type Page, type Style } from './explain-page.ts';
import type { Headline } from './about-decision.ts';
import type { PassModel, TraceModel } from './model.ts';

export interface RoundsOptions extends PrintedAbove {
  /** Only webhooks with this in their name or their configuration's name. */
  readonly webhook?: string | undefined;
  /** All attempts, and diffs completely. */
  readonly all?: boolean;
}

/** What is printed above. */
export interface PrintedAbove {
  readonly hints: ReadonlySet<string>;
  readonly headlines: readonly Headline[];
}

export function renderRounds(page: Page, model: TraceModel, options: RoundsOptions): void {
  const shownPasses = options.all ? model.passes : firstAndLast(model.passes);
  for (const pass of shownPasses) passLines(page, pass, { ...options, before: firstRound(model, pass) });
  const hiddenAttempts = attemptsIn(model.passes) - attemptsIn(shownPasses);
  const ofWhat = model.request.verb === 'deletecollection' ? 'object' : 'time';
  if (hiddenAttempts > 0)
    page.item(
      `and ${hiddenAttempts} more ${ofWhat}${hiddenAttempts === 1 ? '' : 's'} between these; --all shows them`,
      'dim',
    );
}

/** Of many attempts or objects only the first and the last are printed. */
function firstAndLast(passes: readonly PassModel[]): readonly PassModel[] {
  const ends = [passes[0], passes.at(-1)].flatMap((pass) => (pass ? [attemptKey(pass)] : []));
  return passes.filter((pass) => ends.includes(attemptKey(pass)));
}

const attemptKey = ({ object, attempt }: PassModel): string | number => object ?? attempt;

const attemptsIn = (passes: readonly PassModel[]): number => new Set(passes.map(attemptKey)).size;

interface ListOptions extends RoundsOptions {
  /** The decisions of the round before. */
  readonly before: readonly DecisionModel[];
}

const firstRound = ({ passes }: TraceModel, { phase, round, attempt }: PassModel): readonly DecisionModel[] =>
  round === 0
    ? []
    : passes.flatMap((one) => (one.phase === phase && one.attempt === attempt && one.round === 0 ? one.decisions : []));

function passLines(page: Page, pass: PassModel, options: ListOptions): void {
  const listed = pass.decisions.filter(
    (one) => one.type !== 'plugin' && isSelected(one, options.webhook) && isRelevant(one, options.before),
  );
  if (listed.length === 0) return;
  page.line('');
  page.line(pass.title, 'strong');
  for (const decision of listed) decisionLines(page, decision, options);
  if (pass.reinvocation !== undefined) page.item(pass.reinvocation, 'dim');
}

/** A skip for the same reason as in the first round is not repeated. */
const isRelevant = (decision: DecisionModel, before: readonly DecisionModel[]): boolean =>
  decision.outcome !== 'skipped' ||
  !before.some(
    ({ name, outcome, sentence }) => name === decision.name && outcome === 'skipped' && sentence === decision.sentence,
  );

const isSelected = (decision: DecisionModel, webhook = ''): boolean =>
  webhook === '' ||
  decision.name.includes(webhook) ||
  (decision.type === 'webhook' && decision.configuration.includes(webhook)) ||
  (decision.type === 'policy' && decision.binding.includes(webhook));

const outcomeWords: Readonly<Record<string, string>> = {
  called: 'called ',
  skipped: 'skipped',
  'failed-open': 'FAILED ',
  'failed-closed': 'FAILED ',
  denied: 'DENIED ',
  refused: 'REFUSED',
  evaluated: 'evaluated',
};

/** Indent under the outcome and its two blanks. */
const detailIndent = 11;

/** The outcome, the name and the sentence; below them the details. */
function decisionLines(page: Page, decision: DecisionModel, options: RoundsOptions): void {
  if (decision.type === 'plugin') return;
  const isAssumed = decision.type === 'webhook' && decision.source.assumed !== undefined;
  const word = page.painted(
    decision.tone,
    isAssumed ? 'assumed' : (outcomeWords[decision.outcome] ?? decision.outcome),
  );
  page.item(
    `${word}  ${page.painted('strong', calleeName(decision))}  ${decision.sentence}`,
    undefined,
    2,
    detailIndent,
  );
  noteLines(page, helpNotes(decision, options), detailIndent);
  for (const text of conditionsOf(decision)) page.item(text, 'dim', detailIndent);
  diffLines(page, decision.diff, options);
  for (const text of decision.warnings) page.item(`warned: ${text}`, 'warn', detailIndent);
  for (const text of lossLines(decision.source)) page.item(text, 'warn', detailIndent);
}

const conditionsOf = (decision: CalleeModel): readonly string[] =>
  decision.type === 'webhook' ? decision.conditions : decision.details;

/** A line below the row of a decision. */
export interface RowNote {
  readonly text: string;
  readonly style?: Style;
  readonly isHint?: true;
}

/** The reason that no headline has, hints, and what is wrong. */
export function rowNotes(decision: CalleeModel, printed: PrintedAbove): readonly RowNote[] {
  const isUnexplained = decision.outcome === 'skipped' && !isPrintedAbove(decision.key, printed);
  const reason = isUnexplained ? [decision.sentence] : [];
  const details = conditionsOf(decision).filter((text) => !text.endsWith(' is true'));
  const held = decision.type === 'webhook' ? holdText(decision.source).slice(2) : '';
  return [
    ...(decision.tone === 'good' ? [] : [...notes(reason, 'quiet'), ...notes(details, 'dim')]),
    ...notes(held === '' ? [] : [held], 'dim'),
    ...helpNotes(decision, printed),
    ...notes(lossLines(decision.source), 'warn'),
  ];
}

const notes = (texts: readonly string[], style?: Style): readonly RowNote[] =>
  texts.map((text) => ({ text, ...(style && { style }) }));

export function noteLines(page: Page, all: readonly RowNote[], indent: number): void {
  for (const { text, style, isHint } of all) {
    const line = style === 'quiet' ? cutText(text, page.width - indent) : text;
    page.item(isHint ? `${page.painted('strong', 'hint:')} ${line}` : line, style, indent);
  }
}

/** Does a printed headline explain this decision? */
export const isPrintedAbove = (key: string, { headlines }: PrintedAbove): boolean =>
  headlines.some((one) => one.key === key);

function helpNotes(decision: CalleeModel, { hints: printed }: PrintedAbove): readonly RowNote[] {
  const isNew = (text: string): boolean => !printed.has(text);
  const hints = decision.hints.filter(isNew).map((text) => ({ text, isHint: true }) as const);
  if (decision.type === 'policy') return hints;
  const { advice, source } = decision;
  const address = advice.length === 0 ? [] : [`its address is ${webhookAddress(source)}${calledAt(source)}`];
  return [...hints, ...notes(exchangeLines(source), 'warn'), ...notes(advice.filter(isNew)), ...notes(address, 'dim')];
}

const calledAt = ({ url, program, trustedAsMapped }: WebhookModel['source']): string =>
  url === undefined
    ? ''
    : `, called at ${url}${program === undefined ? '' : ` of ${program}`}${trustedAsMapped ? ' (no caBundle: any certificate is accepted)' : ''}`;

const maxDiffLines = 30;
const styles = { '+': 'good', '-': 'bad', ' ': 'dim' } as const;

function diffLines(page: Page, diff: readonly DiffLine[], { all = false }: RoundsOptions): void {
  const shownLines = all ? diff : diff.slice(0, maxDiffLines);
  for (const { sign, text } of shownLines) page.line(`${' '.repeat(detailIndent)}${sign} ${text}`, styles[sign]);
  const hiddenLines = diff.length - shownLines.length;
  if (hiddenLines > 0) page.item(`and ${hiddenLines} more lines; --all shows them`, 'dim', detailIndent);
}
