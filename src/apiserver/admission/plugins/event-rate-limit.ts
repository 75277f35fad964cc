import { aggregateText } from '../../../machinery/errors.ts';
import { asObject, asString } from '../../../machinery/json/json.ts';
import { tooManyRequests } from '../../../machinery/meta/status.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { SyncPlugin, RefusalSource } from '../chain/plugin.ts';
import { byFile, refuseBecauseOf } from '../chain/refusal.ts';
import { pass } from './handled-resource.ts';
import type { Event } from '../../../api/types/generated/core-v1.ts';

export interface EventLimit {
  readonly type: 'Server' | 'Namespace' | 'User' | 'SourceAndObject';
  readonly qps: number;
  readonly burst: number;
  /** The number of keys in the LRU cache. */
  readonly cacheSize: number;
}

/**
 * Denies events beyond the rate limits. Follows kubernetes
 * plugin/pkg/admission/eventratelimit/{admission,limitenforcer}.go (rule PLG-27).
 */
export function createEventRateLimit(limits: readonly EventLimit[]): SyncPlugin {
  const enforcers = limits.map((limit, at) => ({ accept: createEnforcer(limit), source: byLimit(limit, at) }));
  return {
    name: 'EventRateLimit',
    operations: ['CREATE', 'UPDATE'],
    validate: (request, { now }) => {
      const isEvent = request.kind.group === '' && request.kind.kind === 'Event';
      if (!isEvent || request.dryRun) return pass(request);
      const results = enforcers.map(({ accept, source }) => ({ fault: accept(request, now()), source }));
      const faults = results.flatMap(({ fault, source }) => (fault === undefined ? [] : [{ fault, source }]));
      const [first] = faults;
      if (!first) return pass(request);
      const text = aggregateText(faults.map(({ fault }) => fault));
      return refuseBecauseOf(request, tooManyRequests(`Too many requests: ${text}`, 0), first.source);
    },
  };
}

function byLimit({ type, qps, burst }: EventLimit, at: number): RefusalSource {
  const allowed = `${qps} a second and ${burst} at once for each ${keyText[type]}`;
  return byFile(`limits[${at}] of EventRateLimit`, { refused: 'the number of events', allowed });
}

const keyText: Readonly<Record<EventLimit['type'], string>> = {
  Server: 'server',
  Namespace: 'namespace',
  User: 'user',
  SourceAndObject: 'source and object',
};

interface Bucket {
  readonly tokens: number;
  readonly filledAt: number;
}

type Accept = (request: AdmissionAttributes, now: number) => string | undefined;

/** One token bucket per key. */
function createEnforcer({ type, qps, burst, cacheSize }: EventLimit): Accept {
  const buckets = new Map<string, Bucket>();
  return (request, now) => {
    const key = keyOf[type](request);
    const { tokens, filledAt } = buckets.get(key) ?? { tokens: burst, filledAt: now };
    const filled = Math.min(burst, tokens + (Math.max(0, now - filledAt) * qps) / 1000);
    const isAccepted = filled >= 1;
    buckets.delete(key);
    buckets.set(key, { tokens: isAccepted ? filled - 1 : filled, filledAt: now });
    if (buckets.size > cacheSize) buckets.delete(buckets.keys().next().value ?? '');
    return isAccepted ? undefined : `limit reached on type ${type} for key ${key}`;
  };
}

const keyOf: Readonly<Record<EventLimit['type'], (request: AdmissionAttributes) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ userInfo }) => userInfo.username,
  SourceAndObject: (request) => {
    const event: Event | null = request.object;
    const { component, host } = asObject(event?.source);
    const { kind, namespace, name, uid, apiVersion } = asObject(event?.involvedObject);
    return [component, host, kind, namespace, name, uid, apiVersion].map(asString).join('');
  },
};
