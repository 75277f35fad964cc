import { heldMilliseconds } from '../explain/trace/sentences.ts';
import { holdsIn } from '../explain/trace/trace-summary.ts';
import type { Trace, TracedPlugin, TracedStage, TracedWebhook } from '../explain/trace/trace.ts';

/** Times are milliseconds since the start of the request. */
export type Row = ServerRow | StageRow | GroupRow | PluginRow | WebhookRow;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The API server itself: the time outside of the calls of webhooks. */
export interface ServerRow extends Span {
  readonly type: 'server';
  readonly parts: readonly Span[];
  readonly milliseconds: number;
}

export interface StageRow extends Span {
  readonly type: 'stage';
  readonly name: string;
}

/** A round of mutating webhooks, or the validating ones, with the number of skipped ones. */
export interface GroupRow extends Span {
  readonly type: 'group';
  readonly title: string;
  readonly skipped: number;
}

/** A compiled-in plugin that refused, or was slow. */
export interface PluginRow extends Span {
  readonly type: 'plugin';
  readonly name: string;
  readonly outcome: TracedPlugin['outcome'];
}

export interface WebhookRow extends Span {
  readonly type: 'webhook';
  /** Index in the trace's decisions. */
  readonly at: number;
  readonly webhook: TracedWebhook;
  /** The timeout; absent for a skipped webhook. */
  readonly limit?: number;
  /** Pauses at breakpoints. */
  readonly holds: readonly Span[];
}

export interface WaterfallModel {
  readonly rows: readonly Row[];
  /** The duration of the request. */
  readonly took: number;
  /** The part of it at breakpoints. */
  readonly held: number;
  /** The deadline, 34 s for most writes; absent without one. */
  readonly bound?: number;
}

/** The API server, then the webhooks round by round. */
export function createWaterfall(trace: Trace): WaterfallModel {
  const { startedAt, milliseconds, deadline, stages } = trace;
  const webhooks = trace.admission.flatMap((decision, at) =>
    decision.type === 'webhook' ? [{ at, webhook: decision }] : [],
  );
  const innermost = stages.filter(isInnermost);
  const rows = innermost.flatMap((stage) => [
    ...(stage.passed ? [] : [createStageRow(stage, startedAt)]),
    ...sortByStart([
      ...createPluginRows(trace, (plugin) => findStage(plugin, innermost) === stage).map((row) => [row]),
      ...groupByPass(webhooks.filter(({ webhook }) => findStage(webhook, innermost) === stage)).map((group) =>
        createGroupRows(group, startedAt),
      ),
    ]),
  ]);
  return {
    rows: [createServerRow(rows, milliseconds), ...rows],
    took: milliseconds,
    held: heldMilliseconds(holdsIn(trace)),
    ...(deadline === undefined ? {} : { bound: deadline - startedAt }),
  };
}

/** Calls of validating webhooks overlap. */
function createServerRow(rows: readonly Row[], took: number): ServerRow {
  const calls = rows.filter(({ type }) => type === 'webhook').toSorted((a, b) => a.start - b.start);
  const parts: Span[] = [];
  let at = 0;
  for (const { start, end } of [...calls, { start: took, end: took }]) {
    if (start > at) parts.push({ start: at, end: start });
    at = Math.max(at, end);
  }
  const milliseconds = parts.reduce((sum, { start, end }) => sum + end - start, 0);
  return { type: 'server', start: 0, end: took, parts, milliseconds };
}

/** Keeps the rows of a block together. */
const sortByStart = (blocks: readonly (readonly Row[])[]): readonly Row[] =>
  blocks.toSorted(([a], [b]) => (a?.start ?? 0) - (b?.start ?? 0)).flat();

function createPluginRows(
  { admission, startedAt: zero, milliseconds: took }: Trace,
  isOf: (plugin: TimedDecision) => boolean,
): readonly PluginRow[] {
  return admission.flatMap((decision) => {
    if (decision.type !== 'plugin' || decision.startedAt === undefined) return [];
    const { name, phase, attempt, outcome, startedAt, milliseconds } = decision;
    if (!isOf({ phase, startedAt, ...(attempt === undefined ? {} : { attempt }) })) return [];
    if (outcome !== 'denied' && (milliseconds === 0 || milliseconds < took / 50)) return [];
    return [{ type: 'plugin', name, outcome, start: startedAt - zero, end: startedAt - zero + milliseconds }];
  });
}

/** Drops a stage that contains others: they precede it in the list, and in virtual time a refusal shows that one does. */
const isInnermost = ({ startedAt, passed }: TracedStage, at: number, stages: readonly TracedStage[]): boolean =>
  !stages
    .slice(0, at)
    .some((earlier) => earlier.startedAt >= startedAt && (earlier.milliseconds > 0 || (!passed && !earlier.passed)));

const createStageRow = ({ name, startedAt, milliseconds }: TracedStage, zero: number): StageRow => ({
  type: 'stage',
  name: name.replaceAll('-', ' '),
  start: startedAt - zero,
  end: startedAt - zero + milliseconds,
});

interface PlacedWebhook {
  readonly at: number;
  readonly webhook: TracedWebhook;
}

const phases = { 'mutating-admission': 'mutating', 'validating-admission': 'validating' } as const;

interface TimedDecision {
  readonly phase: 'mutating' | 'validating';
  readonly startedAt: number;
  readonly attempt?: number;
}

/** The stage that it ran in. A lost race repeats a stage; in virtual time all may have the same instant. */
function findStage(
  { phase, startedAt, attempt = 0 }: TimedDecision,
  stages: readonly TracedStage[],
): TracedStage | undefined {
  const during = stages.filter((stage) => {
    const own = Object.entries(phases).find(([name]) => name === stage.name)?.[1];
    const end = stage.startedAt + stage.milliseconds;
    return startedAt >= stage.startedAt && startedAt <= end && (own === undefined || own === phase);
  });
  // The stages of a delete and of CONNECT run both phases.
  const own = during.filter(({ name }) => Object.hasOwn(phases, name));
  return own[attempt] ?? own[0] ?? during.at(-1);
}

/** By round and phase. */
function groupByPass(inside: readonly PlacedWebhook[]): readonly (readonly PlacedWebhook[])[] {
  const ofRound = (round: number): readonly PlacedWebhook[] => inside.filter(({ webhook }) => webhook.round === round);
  return ['mutating', 'validating'].flatMap((phase) =>
    [ofRound(0), ofRound(1)]
      .map((group) => group.filter(({ webhook }) => webhook.phase === phase))
      .filter((group) => group.length > 0),
  );
}

function createGroupRows(group: readonly PlacedWebhook[], zero: number): readonly Row[] {
  const called = group.filter(({ webhook }) => webhook.outcome !== 'skipped').map((one) => createWebhookRow(one, zero));
  const [first] = group;
  if (first === undefined) return [];
  const starts = group.map(({ webhook }) => webhook.startedAt - zero);
  const ends = group.map(({ webhook }) => webhook.startedAt - zero + webhook.milliseconds);
  return [
    {
      type: 'group',
      title: groupTitle(first.webhook),
      skipped: group.length - called.length,
      start: Math.min(...starts),
      end: Math.max(...ends),
    },
    ...called,
  ];
}

function groupTitle({ phase, round }: TracedWebhook): string {
  if (phase === 'validating') return 'validating webhooks, at the same time';
  return round === 0 ? 'mutating webhooks, one after the other' : 'mutating webhooks, second round';
}

/** A pause does not count as time of the call. */
function createWebhookRow({ at, webhook }: PlacedWebhook, zero: number): WebhookRow {
  const { startedAt, milliseconds, timeoutMilliseconds, holds = [] } = webhook;
  const start = startedAt - zero;
  const held = holds.reduce((sum, hold) => sum + hold.milliseconds, 0);
  return {
    type: 'webhook',
    at,
    webhook,
    start,
    end: start + milliseconds,
    holds: holds.map((hold) => ({ start: hold.startedAt - zero, end: hold.startedAt - zero + hold.milliseconds })),
    ...(timeoutMilliseconds === undefined ? {} : { limit: start + timeoutMilliseconds + held }),
  };
}

/** Round times up to `span`: four to eight. */
export function axisTicks(span: number): readonly number[] {
  if (!(span > 0)) return [0];
  const rough = span / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.floor(span / step + 1e-9) + 1 }, (_tick, at) => at * step);
}
