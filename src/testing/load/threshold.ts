import type { WebhookLatency } from './webhook-latency.ts';

/** `p99<200ms`, `create.p95<50ms`, `webhook:NAME.p99<100ms`, `errors<1%`, `rate>90%`. */
export interface Threshold {
  readonly text: string;
  /** '' for all requests, a verb, or `webhook:NAME`. */
  readonly of: string;
  readonly what: 'p50' | 'p95' | 'p99' | 'max' | 'mean' | 'errors' | 'rate';
  /** Milliseconds, or a share from 0 to 1. */
  readonly bound: number;
}

export type ThresholdReading =
  | { readonly outcome: 'read'; readonly threshold: Threshold }
  | { readonly outcome: 'wrong'; readonly problem: string };

const timePattern =
  /^(?:(?<of>webhook:[\w.*-]+|create|update|patch|delete)\.)?(?<what>p50|p95|p99|max|mean)<(?<amount>\d+(?:\.\d+)?)(?<unit>ms|s)$/;
const sharePattern = /^(?<what>errors<|rate>)(?<amount>\d+(?:\.\d+)?)%$/;

export function readThreshold(text: string): ThresholdReading {
  const plain = text.replaceAll(' ', '');
  const timed = timePattern.exec(plain)?.groups;
  if (timed) {
    const { of = '', what, amount, unit } = timed;
    const bound = Number(amount) * (unit === 's' ? 1000 : 1);
    return { outcome: 'read', threshold: { text: plain, of, what: what as Threshold['what'], bound } }; // The pattern has only these.
  }
  const shared = sharePattern.exec(plain)?.groups;
  if (shared) {
    const what = shared['what'] === 'rate>' ? 'rate' : 'errors';
    return { outcome: 'read', threshold: { text: plain, of: '', what, bound: Number(shared['amount']) / 100 } };
  }
  return {
    outcome: 'wrong',
    problem:
      'is not a threshold: write one such as p99<200ms, create.p95<50ms, webhook:NAME.p99<100ms, errors<1%, rate>90%',
  };
}

export interface Measured {
  readonly all: Latency;
  readonly byVerb: Readonly<Record<string, Latency>>;
  readonly webhooks: readonly WebhookLatency[];
  /** Shares from 0 to 1. */
  readonly errors: number;
  readonly rate: number;
}

export interface ThresholdResult {
  readonly threshold: string;
  readonly met: boolean;
  /** The measured value in the threshold's unit; `nothing` when nothing was measured, which does not meet it. */
  readonly value: string;
}

/** A threshold for a webhook that was not called is not met: it could never fail. */
export function checkThreshold({ text, of, what, bound }: Threshold, measured: Measured): ThresholdResult {
  if (what === 'errors')
    return {
      threshold: text,
      met: measured.errors < bound || measured.errors === 0,
      value: formatPercent(measured.errors),
    };
  if (what === 'rate') return { threshold: text, met: measured.rate > bound, value: formatPercent(measured.rate) };
  const values = measuredValues(of, what, measured);
  const worst = Math.max(...values);
  if (values.length === 0) return { threshold: text, met: false, value: 'nothing' };
  return { threshold: text, met: worst < bound, value: `${worst}ms` };
}

function measuredValues(
  of: string,
  what: 'p50' | 'p95' | 'p99' | 'max' | 'mean',
  measured: Measured,
): readonly number[] {
  if (of.startsWith('webhook:')) {
    const name = of.slice('webhook:'.length);
    return measured.webhooks
      .filter((one) => name === '*' || one.name === name)
      .map((one) => (what === 'max' ? one.p99 : one[what]));
  }
  const latency = of === '' ? measured.all : measured.byVerb[of];
  return latency === undefined || latency.count === 0 ? [] : [latency[what]];
}

const formatPercent = (part: number): string => `${Math.round(part * 10_000) / 100}%`;

/** Milliseconds; all 0 without requests. */
export interface Latency {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Percentiles by nearest rank: each is the time of a real request. */
export function latencyOf(milliseconds: readonly number[]): Latency {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    roundToHundredths(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  const sum = sorted.reduce((total, one) => total + one, 0);
  return {
    count: sorted.length,
    mean: roundToHundredths(sorted.length === 0 ? 0 : sum / sorted.length),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: roundToHundredths(sorted.at(-1) ?? 0),
  };
}

const roundToHundredths = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
