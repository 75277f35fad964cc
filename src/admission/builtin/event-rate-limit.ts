import { asObject, asString } from '../../apimachinery/json.ts';
import { tooManyRequests } from '../../apimachinery/status.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { CompiledInPlugin, RefusalSource } from '../plugin.ts';
import { byFile, refusedBy } from '../refused-by.ts';
import { pass } from './handled-resource.ts';
import type { Event } from '../../schema/generated/core-v1.ts';

/** How many events are let in for each key of a kind. */
export interface EventLimit {
  readonly type: 'Server' | 'Namespace' | 'User' | 'SourceAndObject';
  readonly qps: number;
  readonly burst: number;
  /** How many keys are remembered; the one not seen for longest is forgotten first. */
  readonly cacheSize: number;
}

/**
 * Events that come too fast are refused. Follows kubernetes plugin/pkg/admission/eventratelimit/{admission,limitenforcer}.go
 * (rule PLG-27).
 */
export function createEventRateLimit(limits: readonly EventLimit[]): CompiledInPlugin {
  const enforcers = limits.map(createEnforcer);
  return {
    name: 'EventRateLimit',
    operations: ['CREATE', 'UPDATE'],
    validate: (request, { now }) => {
      const isEvent = request.kind.group === '' && request.kind.kind === 'Event';
      if (!isEvent || request.dryRun) return pass(request);
      const kept = enforcers.map((accept) => accept(request, now()));
      const faults = kept.filter((fault) => fault !== undefined);
      const first = kept.findIndex((fault) => fault !== undefined);
      if (first < 0) return pass(request);
      const text = faults.length === 1 ? faults.join('') : `[${[...new Set(faults)].join(', ')}]`;
      return refusedBy(request, tooManyRequests(`Too many requests: ${text}`, 0), byLimit(limits, first));
    },
  };
}

/** The first of the limits that is reached. */
function byLimit(limits: readonly EventLimit[], at: number): RefusalSource {
  const { type, qps, burst } = limits[at] ?? { type: '', qps: 0, burst: 0 };
  const allowed = `${qps} a second and ${burst} at once for each ${keyWords[type] ?? type}`;
  return byFile(`limits[${at}] of EventRateLimit`, { refused: 'the number of events', allowed });
}

const keyWords: Readonly<Record<string, string>> = {
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

/** A bucket of tokens for each key; what is wrong when one is empty. */
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
