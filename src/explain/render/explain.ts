import type { Finding } from '../findings/finding.ts';
import { maskTrace } from '../trace/mask.ts';
import { durationText } from '../trace/sentences.ts';
import type { Trace } from '../trace/trace.ts';
import type { ConversionModel } from './conversion-model.ts';
import { createPage, cutText, type Page, type Paint, plain } from './explain-page.ts';
import { tableLines } from './decision-table.ts';
import { isPrintedAbove, noteLines, type PrintedAbove, renderRounds, rowNotes } from './explain-rounds.ts';
import { findingLines, renderNotes } from './finding-lines.ts';
import type { Headline } from './about-decision.ts';
import { isAboutRounds, isHeadline } from './headlines.ts';
import { modelOf, type PassModel, type TraceModel } from './model.ts';
import { bigintAsText } from '../../machinery/json/json-writer.ts';
import { blameOf, type FieldBlame, writerText } from '../trace/field-blame.ts';
import type { JsonValue } from '../../machinery/json/json.ts';

export interface ExplainOptions {
  /** Columns of the terminal; absent: lines are not wrapped. */
  readonly width?: number;
  /** Absent: no colours. */
  readonly paint?: Paint;
  /** Prints the writer of every field, not only of those with several writers. */
  readonly blame?: boolean;
  /** Prints also the webhooks that do not match, and complete diffs. */
  readonly all?: boolean;
  /** Prints values of Secrets; else they are masked. */
  readonly secrets?: boolean;
  /** Only webhooks with this in their name or their configuration's name. */
  readonly webhook?: string;
}

/**
 * Renders a trace as text: the verdict and its cause in the first five lines, then a table of the webhooks and policies
 * with the deciding clause of a skip and the remedy for a failed call. `all` and `webhook` print every decision of
 * every round with its changes instead.
 */
export function renderExplanation(whole: Trace, options: ExplainOptions = {}): string {
  const trace = options.secrets ? whole : maskTrace(whole);
  const model = modelOf(trace);
  const page = createPage({ width: options.width ?? Infinity, paint: options.paint ?? plain });
  renderVerdict(page, model);
  page.item(shorten(model.headline.text), model.headline.tone, 0);
  const printed = renderCauses(page, model, options);
  renderAnswer(page, model);
  if (options.webhook === undefined)
    conversionLines(page, model.conversions, { hints: printed.hints, message: model.verdict.message });
  if (isDetailed(options)) renderRounds(page, model, { ...options, ...printed });
  else renderTable(page, model, printed);
  if (options.all && options.webhook === undefined) renderPlugins(page, model.passes);
  for (const line of fieldsText(trace, options)) page.line(line);
  page.line(`trace ${model.id}${model.release === undefined ? '' : `, Kubernetes ${model.release}`}`, 'dim');
  return page.text();
}

const isDetailed = ({ all = false, webhook }: ExplainOptions): boolean => all || webhook !== undefined;

/** Findings, headlines and notes. Returns what is printed. */
function renderCauses(page: Page, model: TraceModel, options: ExplainOptions): PrintedAbove {
  const findings = findingsAbout(model, options);
  const wrong = findings.filter(isWrong);
  findingLines(page, wrong, { ...options, isTitled: ({ title }) => title !== model.headline.text });
  const printed = renderHeadlines(page, model, options, printedTexts(findings));
  if (!isDetailed(options) && model.unseen !== undefined && wrong.length === 0)
    page.item(cutText(model.unseen, 2 * (page.width - 4)), 'dim');
  const isNew = (one: Finding): boolean =>
    isDetailed(options) ? !isHeadline(one, printed.headlines) : !isAboutRounds(one);
  renderNotes(page, findings.filter(isNew));
  return printed;
}

function fieldsText(trace: Trace, options: ExplainOptions): readonly string[] {
  if (options.blame) return [...blameLines(trace), ''];
  return isDetailed(options) ? [...contestedLines(trace), ''] : [];
}

const rowIndent = 6;

/** The rows of matching webhooks, each with details that its line lacks. */
function renderTable(page: Page, { table: rows }: TraceModel, printed: PrintedAbove): void {
  const nearRows = rows.filter(({ decision }) => decision.nearness !== 'far');
  // A skip that is explained above needs no row of its own.
  if (nearRows.every(({ decision: { key, outcome } }) => outcome === 'skipped' && isPrintedAbove(key, printed))) return;
  page.line('');
  tableLines(page, nearRows, ({ decision }) => noteLines(page, rowNotes(decision, printed), rowIndent));
  const hiddenRows = rows.length - nearRows.length;
  if (hiddenRows > 0)
    page.item(
      `and ${hiddenRows} that ${hiddenRows === 1 ? 'does' : 'do'} not match; --all lists ${hiddenRows === 1 ? 'it' : 'them'}`,
      'dim',
    );
}

function renderVerdict(page: Page, { verdict: { outcome, code, milliseconds, dryRun }, request }: TraceModel): void {
  const took = `${code} in ${durationText(milliseconds)}${dryRun ? ', dry run' : ''}`;
  const tone = outcome === 'admitted' ? 'good' : 'bad';
  page.item(`${page.painted(tone, outcome.toUpperCase())}  ${request.sentence}: ${took}`, undefined, 0);
}

/** All findings, or those that involve the named webhook. */
const findingsAbout = ({ findings }: TraceModel, { webhook = '' }: ExplainOptions): readonly Finding[] =>
  findings.filter(
    ({ where }) =>
      webhook === '' ||
      where.actors.some(({ name, configuration = '' }) => name.includes(webhook) || configuration.includes(webhook)),
  );

/** Texts that are not repeated below. */
const printedTexts = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(isWrong).flatMap(({ remedy, evidence }) => [remedy, ...evidence.map(({ text }) => text)]);

const isWrong = ({ severity }: Finding): boolean => severity !== 'note';

const headlineLines = 3;

/** As many as fit into the first five lines, each with its hint. Returns what is printed. */
function renderHeadlines(
  page: Page,
  model: TraceModel,
  options: ExplainOptions,
  printedBefore: readonly string[],
): PrintedAbove {
  const { webhook = '' } = options;
  const wanted = model.headlines.filter(({ name, text, about, hint }) =>
    webhook === ''
      ? (isDetailed(options) || about !== 'called' || hint !== undefined) && isPrinted(about, model)
      : name.includes(webhook) || text.includes(webhook),
  );
  if (wanted.length === 0 && webhook !== '') {
    page.item(`no webhook with ${JSON.stringify(webhook)} in its name was considered`, 'warn');
  }
  let remainingLines = headlineLines;
  const hints = new Set(printedBefore);
  const visibleHeadlines: Headline[] = [];
  wanted.forEach((headline, at) => {
    const { hint: help, ...rest } = headline;
    const hint = help !== undefined && !hints.has(help) ? help : undefined;
    const isTitle = rest.text === model.headline.text;
    const lines = (isTitle ? 0 : 1) + (hint === undefined ? 0 : 1);
    if (lines > remainingLines && at > 0) return;
    remainingLines -= lines;
    if (rest.text.length <= maxHeadlineLength) visibleHeadlines.push(headline);
    if (hint !== undefined) hints.add(hint);
    if (!isTitle) page.item(shorten(rest.text), rest.tone);
    if (hint !== undefined) page.hint(hint);
  });
  return { hints, headlines: visibleHeadlines };
}

/** Longer headlines are cut; their full text is further down. */
const maxHeadlineLength = 400;

/** To its first line. */
function shorten(text: string): string {
  const [line = ''] = text.slice(0, maxHeadlineLength).split('\n', 1);
  return text.length > maxHeadlineLength ? `${line.trimEnd()} …` : text;
}

const maxFarMisses = 3;

/**
 * Webhooks that do not match are printed only when there are few and nothing else; allowed calls only when nothing
 * refused and no finding is an error or warning.
 */
function isPrinted(about: Headline['about'], { headlines: all, findings }: TraceModel): boolean {
  if (about === 'called')
    return !findings.some(isWrong) && !all.some((one) => one.about === 'refusal' && one.key !== undefined);
  if (about !== 'far-miss') return true;
  const others = all.filter((one) => one.about !== 'no-webhook');
  return others.length <= maxFarMisses && others.every((one) => one.about === 'far-miss');
}

/** The message of a refusal, unless a finding or headline has it. */
function renderAnswer(
  page: Page,
  { verdict: { message }, headline, headlines: all, findings, warnings }: TraceModel,
): void {
  const isFound = findings.some(({ evidence }) => evidence.some(({ text }) => text === message));
  const isVisible =
    headline.text.endsWith(message) || all.some(({ about, key }) => about === 'refusal' && key !== undefined);
  if (message !== '' && !isVisible && !isFound) page.hanging('client received', message, 'dim');
  for (const warning of warnings) page.hanging('warning', warning, 'warn');
}

/** The compiled-in plugins that changed or denied. */
function renderPlugins(page: Page, passes: readonly PassModel[]): void {
  const busy = passes.flatMap(({ decisions, round }) =>
    decisions.flatMap((one) => (one.type === 'plugin' && one.outcome !== 'passed' ? [{ plugin: one, round }] : [])),
  );
  if (busy.length === 0) return;
  page.line('');
  page.line('Plugins', 'strong');
  for (const { plugin, round } of busy) {
    const again = round === 1 ? ', second round' : '';
    page.item(`${plugin.name}${again}  ${plugin.sentence}`, plugin.tone === 'bad' ? 'bad' : undefined, 2, 4);
  }
}

interface ConversionOptions {
  readonly hints: ReadonlySet<string>;
  /** Of the refusal. */
  readonly message: string;
}

function conversionLines(page: Page, models: readonly ConversionModel[], { hints, message }: ConversionOptions): void {
  if (models.length === 0) return;
  page.line('');
  page.line('Conversions', 'strong');
  for (const { outcome, subject, sentence, error, advice } of models) {
    const isBad = outcome === 'failed';
    page.item(
      `${outcome}  ${subject} ${sentence}${isBad && !message.includes(error) ? `: ${error}` : ''}`,
      isBad ? 'bad' : undefined,
      2,
      4,
    );
    for (const hint of advice) {
      if (!hints.has(hint)) page.hint(hint);
    }
  }
}

export function contestedLines(trace: Trace): readonly string[] {
  const contested = blameOf(trace).filter(isContested);
  return contested.length === 0 ? [] : ['', 'Fields set more than once', ...contested.flatMap(fieldLines)];
}

/** Every field and its last writer. */
export function blameLines(trace: Trace): readonly string[] {
  const all = blameOf(trace);
  return all.length === 0 ? ['', 'Fields: there is no object'] : ['', 'Fields', ...all.flatMap(fieldLines)];
}

const isContested = ({ by, previous }: FieldBlame): boolean =>
  [by, ...previous.map((one) => one.by)].some(({ type }) => type === 'webhook') &&
  previous.some((one) => one.by.type !== 'server');

function fieldLines({ path, value, by, previous }: FieldBlame): readonly string[] {
  const now = value === undefined ? 'removed' : formatFieldValue(value);
  return [
    `  ${path}: ${now}  by ${writerText(by)}`,
    ...previous
      .toReversed()
      .map(
        (one) =>
          `    before: ${one.value === undefined ? 'removed' : formatFieldValue(one.value)}  by ${writerText(one.by)}`,
      ),
  ];
}

const maxValueLength = 80;

function formatFieldValue(value: JsonValue): string {
  const text = JSON.stringify(value, bigintAsText);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
