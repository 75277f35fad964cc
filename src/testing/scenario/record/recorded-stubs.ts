import type { Trace, TracedWebhook } from '../../../explain/trace/trace.ts';
import { stubOf } from './recorded-answers.ts';
import type { Stub } from './recorded-answers.ts';
import { byWebhook, callsOf, webhookKey, webhooksOf } from './recorded-calls.ts';
import { faultPlanOf } from './recorded-faults.ts';
import type { FaultPlan } from './recorded-faults.ts';

export interface RecordedStub {
  readonly name: string;
  /** When several configurations have a webhook of this name. */
  readonly configuration: string | undefined;
  readonly stub: Stub;
  readonly faults: FaultPlan;
}

export interface RecordedStubs {
  /** Those that were called, in the order of their first calls. */
  readonly webhooks: readonly RecordedStub[];
  /** Names that webhooks of several configurations have. */
  readonly ambiguous: ReadonlySet<string>;
}

/** A stub for each webhook that was called, in the writes or, by the way, in those of the server's own controllers. */
export function stubsOf(writes: readonly Trace[], inside: readonly Trace[]): RecordedStubs {
  const considered = writes.flatMap(webhooksOf);
  const ambiguous = ambiguousNames(considered);
  const ownCalls = inside.flatMap(callsOf);
  const calls = byWebhook([...writes.flatMap(callsOf), ...ownCalls]);
  const webhooks = [...calls].flatMap(([key, all]): readonly RecordedStub[] => {
    const [first] = all;
    const isOurs = considered.some((one) => webhookKey(one) === key);
    if (first === undefined || !isOurs) return [];
    const byStep = writes.map((write) => callsOf(write).filter((call) => webhookKey(call) === key));
    return [
      {
        name: first.name,
        configuration: ambiguous.has(first.name) ? first.configuration : undefined,
        stub: stubOf(all),
        faults: faultPlanOf(byStep),
      },
    ];
  });
  return { webhooks, ambiguous };
}

function ambiguousNames(webhooks: readonly TracedWebhook[]): ReadonlySet<string> {
  const owners = new Map<string, Set<string>>();
  for (const { name, configuration } of webhooks) {
    const known = owners.get(name) ?? new Set();
    owners.set(name, known.add(configuration));
  }
  return new Set([...owners].flatMap(([name, configurations]) => (configurations.size > 1 ? [name] : [])));
}
