import { asList, asObject, asString, type JsonObject } from '../../machinery/json/json.ts';
import type { DiffLine } from '../trace/object-diff.ts';
import { exchangeLines, lossLines } from './call-notes.ts';
import { webhookAddress, type DecisionModel, type WebhookModel } from './decision-model.ts';
import type { Page } from './explain-page.ts';
import type { Headline } from './about-decision.ts';
import type { PassModel, TraceModel } from './model.ts';
import { isExempt } from './headlines.ts';

export interface RoundsOptions extends Printed {
  /** Only webhooks with this in their name or their configuration's name, with all details. */
  readonly webhook?: string | undefined;
  /** Printed above: a skip with the same text is not repeated. */
  readonly headlines: readonly Pick<Headline, 'name' | 'text'>[];
}

export function rounds(page: Page, model: TraceModel, options: RoundsOptions): void {
  const shown = options.all ? model.passes : firstAndLast(model.passes);
  for (const pass of shown) passLines(page, pass, { ...options, before: firstRound(model, pass) });
  const left = attemptsIn(model.passes) - attemptsIn(shown);
  const ofWhat = model.request.verb === 'deletecollection' ? 'object' : 'time';
  if (left > 0) page.item(`and ${left} more ${ofWhat}${left === 1 ? '' : 's'} between these; --all shows them`, 'dim');
}

/** Of many attempts or objects only the first and the last are printed. */
function firstAndLast(passes: readonly PassModel[]): readonly PassModel[] {
  const ends = [passes[0], passes.at(-1)].flatMap((pass) => (pass ? [attemptOf(pass)] : []));
  return passes.filter((pass) => ends.includes(attemptOf(pass)));
}

const attemptOf = ({ object, attempt }: PassModel): string | number => object ?? attempt;

const attemptsIn = (passes: readonly PassModel[]): number => new Set(passes.map(attemptOf)).size;

interface ListOptions extends RoundsOptions {
  /** The decisions of the round before. */
  readonly before: readonly DecisionModel[];
}

const firstRound = ({ passes }: TraceModel, { phase, round, attempt }: PassModel): readonly DecisionModel[] =>
  round === 0
    ? []
    : passes.flatMap((one) => (one.phase === phase && one.attempt === attempt && one.round === 0 ? one.decisions : []));

function passLines(page: Page, pass: PassModel, options: ListOptions): void {
  const isWhole = options.all === true || options.webhook !== undefined;
  const listed = pass.decisions.filter(
    (one) =>
      one.type !== 'plugin' &&
      isSelected(one, options.webhook) &&
      (isWhole || (!isIdle(one) && !isExempt(one) && !isPrinted(one, options.headlines))) &&
      isNews(one, options.before),
  );
  if (listed.length === 0) return;
  const far = isWhole
    ? []
    : listed.filter((one) => one.type !== 'plugin' && one.nearness === 'far' && pass.round === 0);
  page.line('');
  page.line(pass.title, 'strong');
  for (const decision of listed) if (!far.includes(decision)) decisionLines(page, decision, options);
  if (far.length > 0) page.item(`skipped  ${farWords(far)}`, 'quiet', 2, 11);
  if (pass.reinvocation !== undefined) page.item(pass.reinvocation, 'dim');
}

const manyFar = 4;

/** Skipped decisions for other requests, or how many there are. */
const farWords = (far: readonly DecisionModel[]): string =>
  far.length > manyFar
    ? `${far.length} more for other requests; --all lists them`
    : far.map((one) => `${one.type === 'policy' ? 'policy ' : ''}${one.name}${meantFor(one)}`).join(', ');

/** Does a headline have all that there is to print about a skip? */
const isPrinted = (decision: DecisionModel, headlines: RoundsOptions['headlines']): boolean =>
  decision.outcome === 'skipped' &&
  (decision.type === 'webhook' ? decision.conditions : decision.type === 'policy' ? decision.details : []).length ===
    0 &&
  (decision.type !== 'webhook' || decision.hints.length <= 1) &&
  headlines.some(({ name, text }) => name === decision.name && text.endsWith(decision.sentence));

/** Not called again, and nothing changed since. */
const isIdle = (decision: DecisionModel): boolean =>
  decision.type !== 'plugin' &&
  decision.source.reason?.because === 'not-reinvoked' &&
  (decision.type === 'policy' || decision.unseen === '');

/** A skip for the same reason as in the first round is not repeated. */
const isNews = (decision: DecisionModel, before: readonly DecisionModel[]): boolean =>
  decision.outcome !== 'skipped' ||
  !before.some(
    ({ name, outcome, sentence }) => name === decision.name && outcome === 'skipped' && sentence === decision.sentence,
  );

const isSelected = (decision: DecisionModel, webhook = ''): boolean =>
  webhook === '' ||
  decision.name.includes(webhook) ||
  (decision.type === 'webhook' && decision.configuration.includes(webhook)) ||
  (decision.type === 'policy' && decision.binding.includes(webhook));

const most = 3;

/** ` (for deployments, services)`: the resources of its rules. */
function meantFor(decision: DecisionModel): string {
  const named = [...new Set(rulesOf(decision).flatMap(({ resources }) => asList(resources).map(asString)))];
  if (named.length === 0) return '';
  return ` (for ${named.slice(0, most).join(', ')}${named.length > most ? ' …' : ''})`;
}

function rulesOf(decision: DecisionModel): readonly JsonObject[] {
  if (decision.type === 'plugin') return [];
  const { definition } = decision.source;
  const rules = decision.type === 'webhook' ? definition?.['rules'] : matchOf(definition)['resourceRules'];
  return asList(rules).map(asObject);
}

const matchOf = (definition: JsonObject | undefined): JsonObject => asObject(definition?.['matchConstraints']);

interface Printed {
  /** Hints that are printed above. */
  readonly hints: ReadonlySet<string>;
  /** Prints diffs completely. */
  readonly all?: boolean;
}

const words: Readonly<Record<string, string>> = {
  called: 'called ',
  skipped: 'skipped',
  'failed-open': 'FAILED ',
  'failed-closed': 'FAILED ',
  denied: 'DENIED ',
  refused: 'REFUSED',
  evaluated: 'evaluated',
};

/** Indent under the outcome and its two blanks. */
const deep = 11;

/** The outcome, the name and the sentence; below them the details. */
function decisionLines(page: Page, decision: DecisionModel, options: Printed): void {
  const isAssumed = decision.type === 'webhook' && decision.source.assumed !== undefined;
  const word = page.painted(decision.tone, isAssumed ? 'assumed' : (words[decision.outcome] ?? decision.outcome));
  page.item(`${word}  ${page.painted('strong', nameOf(decision))}  ${decision.sentence}`, undefined, 2, deep);
  if (decision.type === 'plugin') return;
  if (decision.type === 'webhook') {
    for (const text of exchangeLines(decision.source)) page.item(text, 'warn', deep);
    helpLines(page, decision, options);
  }
  const details = decision.type === 'webhook' ? decision.conditions : decision.details;
  for (const text of details) page.item(text, 'dim', deep);
  diffLines(page, decision.diff, options);
  for (const text of decision.warnings) page.item(`warned: ${text}`, 'warn', deep);
  for (const text of lossLines(decision.source)) page.item(text, 'warn', deep);
}

function nameOf(decision: DecisionModel): string {
  if (decision.type === 'webhook') return `${decision.name} (${decision.configuration})`;
  if (decision.type === 'plugin' || decision.binding === '') return `policy ${decision.name}`;
  const { name, binding, params } = decision;
  return `policy ${name} (binding ${binding}${params === '' ? '' : `, params ${params}`})`;
}

function helpLines(page: Page, { advice, hints, source }: WebhookModel, { hints: printed }: Printed): void {
  for (const text of advice) if (!printed.has(text)) page.item(text, undefined, deep);
  for (const text of hints) {
    if (!printed.has(text)) page.item(`${page.painted('strong', 'hint:')} ${text}`, undefined, deep);
  }
  if (advice.length > 0) page.item(`its address is ${webhookAddress(source)}${calledAt(source)}`, 'dim', deep);
}

const calledAt = ({ url, program, believed }: WebhookModel['source']): string =>
  url === undefined
    ? ''
    : `, called at ${url}${program === undefined ? '' : ` of ${program}`}${believed ? ' (no caBundle: any certificate is accepted)' : ''}`;

const longestDiff = 30;
const styles = { '+': 'good', '-': 'bad', ' ': 'dim' } as const;

function diffLines(page: Page, diff: readonly DiffLine[], { all = false }: Printed): void {
  const shown = all ? diff : diff.slice(0, longestDiff);
  for (const { sign, text } of shown) page.line(`${' '.repeat(deep)}${sign} ${text}`, styles[sign]);
  const left = diff.length - shown.length;
  if (left > 0) page.item(`and ${left} more lines; --all shows them`, 'dim', deep);
}
