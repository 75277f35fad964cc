import { stageWords } from './words.ts';
import type { Trace, TracedPlugin, TracedStage, TracedWebhook } from '../explain/trace/trace.ts';

/** Times are milliseconds since the start of the request. */
export type Row = StageRow | GroupRow | PluginRow | WebhookRow;

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface StageRow extends Span {
  readonly type: 'stage';
  readonly name: string;
  readonly passed: boolean;
  /** Several when consecutive short stages share a row. */
  readonly stages: readonly string[];
}

/** A round of mutating webhooks, or the validating ones, with the number of skipped ones. */
export interface GroupRow extends Span {
  readonly type: 'group';
  readonly title: string;
  readonly skipped: number;
}

/** A compiled-in plugin that changed something, refused, or was slow. */
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
  /** The deadline, 34 s for most writes; absent without one. */
  readonly bound?: number;
}

/** Stages in order, with webhooks round by round inside the admission stages. */
export function waterfallOf(trace: Trace): WaterfallModel {
  const { startedAt, milliseconds, deadline, stages } = trace;
  const webhooks = trace.admission.flatMap((decision, at) =>
    decision.type === 'webhook' ? [{ at, webhook: decision }] : [],
  );
  const rows = stages
    .filter(isInnermost)
    .flatMap((stage) => [
      stageRow(stage, startedAt),
      ...inOrder([
        ...pluginRows(stage, trace).map((row) => [row]),
        ...groupsIn(stage, webhooks).map((group) => groupRows(group, startedAt)),
      ]),
    ]);
  return {
    rows: withoutCrumbs(rows, milliseconds / 50),
    took: milliseconds,
    ...(deadline === undefined ? {} : { bound: deadline - startedAt }),
  };
}

/** Keeps the rows of a block together. */
const inOrder = (blocks: readonly (readonly Row[])[]): readonly Row[] =>
  blocks.toSorted(([a], [b]) => (a?.start ?? 0) - (b?.start ?? 0)).flat();

function pluginRows(
  stage: TracedStage,
  { admission, startedAt: zero, milliseconds: took }: Trace,
): readonly PluginRow[] {
  const end = stage.startedAt + stage.milliseconds;
  return admission.flatMap((decision) => {
    if (decision.type !== 'plugin' || decision.startedAt === undefined || !isOf(stage, decision.phase)) return [];
    const { name, outcome, startedAt, milliseconds } = decision;
    if (startedAt < stage.startedAt || startedAt > end) return [];
    if (outcome === 'passed' && milliseconds < took / 50) return [];
    return [{ type: 'plugin', name, outcome, start: startedAt - zero, end: startedAt - zero + milliseconds }];
  });
}

/** Drops a stage that contains others: they follow it and cover its time. */
const isInnermost = ({ startedAt }: TracedStage, at: number, stages: readonly TracedStage[]): boolean =>
  !stages.slice(0, at).some((earlier) => earlier.startedAt >= startedAt && earlier.milliseconds > 0);

const stageRow = ({ name, startedAt, milliseconds, passed }: TracedStage, zero: number): StageRow => ({
  type: 'stage',
  name: stageWords(name),
  passed,
  stages: [name],
  start: startedAt - zero,
  end: startedAt - zero + milliseconds,
});

/** Joins consecutive stages shorter than `crumb`. */
function withoutCrumbs(rows: readonly Row[], crumb: number): readonly Row[] {
  const kept: Row[] = [];
  for (const [at, row] of rows.entries()) {
    const last = kept.at(-1);
    const isCrumb = (one: Row | undefined): one is StageRow =>
      one?.type === 'stage' && one.passed && (one.stages.length > 1 || one.end - one.start < crumb);
    const isFollowed = rows[at + 1] !== undefined && rows[at + 1]?.type !== 'stage';
    if (isCrumb(row) && isCrumb(last) && !isFollowed) kept[kept.length - 1] = joined(last, row);
    else kept.push(row);
  }
  return kept;
}

function joined(first: StageRow, second: StageRow): StageRow {
  const stages = [...first.stages, ...second.stages];
  return {
    ...first,
    stages,
    name: `${stageWords(stages[0] ?? '')} … ${stageWords(stages.at(-1) ?? '')}`,
    end: second.end,
  };
}

interface PlacedWebhook {
  readonly at: number;
  readonly webhook: TracedWebhook;
}

const phases = { 'mutating-admission': 'mutating', 'validating-admission': 'validating' } as const;

/** By round; a lost race repeats a stage, so the time decides the run. */
function groupsIn(stage: TracedStage, webhooks: readonly PlacedWebhook[]): readonly (readonly PlacedWebhook[])[] {
  const end = stage.startedAt + stage.milliseconds;
  const inside = webhooks.filter(
    ({ webhook: { phase, startedAt } }) => isOf(stage, phase) && startedAt >= stage.startedAt && startedAt <= end,
  );
  const ofRound = (round: number): readonly PlacedWebhook[] => inside.filter(({ webhook }) => webhook.round === round);
  return ['mutating', 'validating'].flatMap((phase) =>
    [ofRound(0), ofRound(1)]
      .map((group) => group.filter(({ webhook }) => webhook.phase === phase))
      .filter((group) => group.length > 0),
  );
}

/** The stages of a delete and of CONNECT run both phases. */
function isOf({ name }: TracedStage, phase: 'mutating' | 'validating'): boolean {
  const own = Object.entries(phases).find(([stage]) => stage === name)?.[1];
  return own === undefined || own === phase;
}

function groupRows(group: readonly PlacedWebhook[], zero: number): readonly Row[] {
  const called = group.filter(({ webhook }) => webhook.outcome !== 'skipped').map((one) => webhookRow(one, zero));
  const [first] = group;
  if (first === undefined) return [];
  const starts = group.map(({ webhook }) => webhook.startedAt - zero);
  const ends = group.map(({ webhook }) => webhook.startedAt - zero + webhook.milliseconds);
  return [
    {
      type: 'group',
      title: titleOf(first.webhook),
      skipped: group.length - called.length,
      start: Math.min(...starts),
      end: Math.max(...ends),
    },
    ...called,
  ];
}

function titleOf({ phase, round }: TracedWebhook): string {
  if (phase === 'validating') return 'validating webhooks, side by side';
  return round === 0 ? 'mutating webhooks, one after the other' : 'mutating webhooks called again';
}

/** A pause does not count as time of the call. */
function webhookRow({ at, webhook }: PlacedWebhook, zero: number): WebhookRow {
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
export function ticksOf(span: number): readonly number[] {
  if (!(span > 0)) return [0];
  const rough = span / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.floor(span / step + 1e-9) + 1 }, (_tick, at) => at * step);
}
