import type { Finding } from '../findings/finding.ts';
import { maskTrace } from '../trace/mask.ts';
import { durationText } from '../trace/sentences.ts';
import type { Trace } from '../trace/trace.ts';
import type { ConversionModel } from './conversion-model.ts';
import { createPage, type Page, type Paint, plain } from './explain-page.ts';
import { rounds, type RoundsOptions } from './explain-rounds.ts';
import { findingLines, noteLines } from './finding-lines.ts';
import type { Headline } from './about-decision.ts';
import { isHeadline } from './headlines.ts';
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
  /** Prints also the webhooks that are for other requests, and complete diffs. */
  readonly all?: boolean;
  /** Prints values of Secrets; else they are masked. */
  readonly secrets?: boolean;
  /** Only webhooks with this in their name or their configuration's name. */
  readonly webhook?: string;
}

/**
 * Renders a trace as text: the verdict and its cause in the first five lines, then every webhook in the order
 * considered, with the deciding clause, the phase of a failed call with its remedy, and the changes.
 */
export function renderExplanation(whole: Trace, options: ExplainOptions = {}): string {
  const trace = options.secrets ? whole : maskTrace(whole);
  const model = modelOf(trace);
  const page = createPage({ width: options.width ?? Infinity, paint: options.paint ?? plain });
  verdict(page, model);
  const findings = findingsAbout(model, options);
  findingLines(page, findings.filter(isWrong), options);
  const printed = headlines(page, model, options, textsOf(findings));
  noteLines(
    page,
    findings.filter((one) => !isHeadline(one, printed.headlines)),
  );
  answer(page, model);
  if (options.webhook === undefined)
    conversionLines(page, model.conversions, { hints: printed.hints, message: model.verdict.message });
  rounds(page, model, { ...options, ...printed });
  if (options.webhook === undefined) plugins(page, model.passes);
  for (const line of options.blame ? blameLines(trace) : contestedLines(trace)) page.line(line);
  page.line('');
  page.line(`trace ${model.id}${model.release === undefined ? '' : `, Kubernetes ${model.release}`}`, 'dim');
  return page.text();
}

function verdict(page: Page, { verdict: { outcome, code, milliseconds, dryRun }, request }: TraceModel): void {
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
const textsOf = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(isWrong).flatMap(({ remedy, evidence }) => [remedy, ...evidence.map(({ text }) => text)]);

const isWrong = ({ severity }: Finding): boolean => severity !== 'note';

const headlineLines = 4;

/** As many as fit into the first five lines, each with its hint. Returns what is printed. */
function headlines(
  page: Page,
  model: TraceModel,
  { webhook = '' }: ExplainOptions,
  known: readonly string[],
): Pick<RoundsOptions, 'hints' | 'headlines'> {
  const wanted = model.headlines.filter(({ name, text, about }) =>
    webhook === '' ? isPrinted(about, model) : name.includes(webhook) || text.includes(webhook),
  );
  if (wanted.length === 0 && webhook !== '') {
    page.item(`no webhook with ${JSON.stringify(webhook)} in its name was considered`, 'warn');
  }
  let left = headlineLines;
  const hints = new Set(known);
  const shown: Headline[] = [];
  wanted.forEach((headline, at) => {
    const { hint: help, ...rest } = headline;
    const hint = help !== undefined && !hints.has(help) ? help : undefined;
    const lines = hint === undefined ? 1 : 2;
    if (lines > left && at > 0) return;
    left -= lines;
    if (rest.text.length <= longestHeadline) shown.push(headline);
    if (hint !== undefined) hints.add(hint);
    page.item(shortened(rest.text), rest.tone);
    if (hint !== undefined) page.item(`${page.painted('strong', 'hint:')} ${hint}`, undefined, 4);
  });
  return { hints, headlines: shown };
}

/** Longer headlines are cut; their full text is further down. */
const longestHeadline = 400;

/** To its first line. */
function shortened(text: string): string {
  const [line = ''] = text.slice(0, longestHeadline).split('\n', 1);
  return text.length > longestHeadline ? `${line.trimEnd()} …` : text;
}

const mostFar = 3;

/**
 * Webhooks for other requests are printed only when there are few and nothing else; allowed calls only when nothing
 * refused and no finding is an error or warning.
 */
function isPrinted(about: Headline['about'], { headlines: all, findings }: TraceModel): boolean {
  if (about === 'called')
    return !findings.some(isWrong) && !all.some((one) => one.about === 'refusal' && one.key !== undefined);
  if (about !== 'far-miss') return true;
  const others = all.filter((one) => one.about !== 'no-webhook');
  return others.length <= mostFar && others.every((one) => one.about === 'far-miss');
}

/** The client's message, unless a headline has it; in full unless a decision below has it. */
function answer(page: Page, { verdict: { message }, headlines: all, findings, passes, warnings }: TraceModel): void {
  const isFound = findings.some(({ evidence }) => evidence.some(({ text }) => text === message));
  const isSaid = isFound || all.some(({ text }) => text.length <= longestHeadline && text.endsWith(message));
  const isBelow = passes.some(({ decisions }) =>
    decisions.some(({ tone, type }) => tone === 'bad' && type !== 'plugin'),
  );
  if (message !== '' && !isSaid) page.hanging('client received', isBelow ? shortened(message) : message, 'dim');
  for (const warning of warnings) page.hanging('warning', warning, 'warn');
}

/** The compiled-in plugins that changed or denied. */
function plugins(page: Page, passes: readonly PassModel[]): void {
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

/** Texts printed above: hints, and the message of the refusal. */
interface Printed {
  readonly hints: ReadonlySet<string>;
  readonly message: string;
}

function conversionLines(page: Page, models: readonly ConversionModel[], { hints, message }: Printed): void {
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
      if (!hints.has(hint)) page.item(`${page.painted('strong', 'hint:')} ${hint}`, undefined, 4);
    }
  }
}

/** Fields that webhooks set more than once or removed. */
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
  const now = value === undefined ? 'removed' : shown(value);
  return [
    `  ${path}: ${now}  by ${writerText(by)}`,
    ...previous
      .toReversed()
      .map((one) => `    before: ${one.value === undefined ? 'removed' : shown(one.value)}  by ${writerText(one.by)}`),
  ];
}

const longestValue = 80;

function shown(value: JsonValue): string {
  const text = JSON.stringify(value, bigintAsText);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
