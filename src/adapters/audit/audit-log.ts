import type { ApiRequest } from '../../apiserver/request/api-request.ts';
import type { FinishedRequest, Observers } from '../../apiserver/request/handle.ts';
import { answeredEvent, receivedEvent } from './event.ts';
import { type AuditScope, type AuditStage, createScopeOf, type AuditPolicy } from './policy.ts';

interface AuditLogPorts {
  /** Writes one event, a line of JSON without its end; false: the event was not stored, and the request must fail. */
  readonly write: (line: string) => Promise<boolean>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly isDeprecated: (finished: FinishedRequest) => boolean;
}

/** Writes the audit events that the policy selects. Follows apiserver pkg/endpoints/filters/audit.go. */
export type AuditLog = Required<Pick<Observers, 'authenticated' | 'finished' | 'watchEnded'>>;

export function createAuditLog(policy: AuditPolicy, { write, now, isDeprecated }: AuditLogPorts): AuditLog {
  const scopeOf = createScopeOf(policy);
  /** Requests refused because their first event was not stored have no further events. */
  const refused = new WeakSet<ApiRequest>();
  const writeStage = async (finished: FinishedRequest, scope: AuditScope, stage: AuditStage): Promise<boolean> => {
    if (scope.omitStages.has(stage) || refused.has(finished.request)) return true;
    const deprecated = finished.exchange?.target ? isDeprecated(finished) : false;
    const facts = { scope, stage, at: now(), isDeprecated: deprecated };
    const line = answeredEvent(finished, facts);
    return line === undefined || write(line);
  };
  const scopeFor = ({ info, access }: FinishedRequest): AuditScope => scopeOf({ info, requester: access.requester });
  return {
    authenticated: async ({ request, info, requester }) => {
      const scope = scopeOf({ info, requester });
      if (scope.level === 'None' || scope.omitStages.has('RequestReceived')) return true;
      const isStored = await write(receivedEvent(request, info, requester, scope));
      if (!isStored) refused.add(request);
      return isStored;
    },
    finished: async (finished) => {
      const scope = scopeFor(finished);
      if (scope.level === 'None') return true;
      let areStored = true;
      for (const stage of stagesAtTheEnd(finished)) areStored = (await writeStage(finished, scope, stage)) && areStored;
      return areStored;
    },
    watchEnded: (finished) => {
      const scope = scopeFor(finished);
      // The watch has ended: nothing waits for this event.
      if (scope.level !== 'None') void writeStage(finished, scope, 'ResponseComplete');
    },
  };
}

const streaming = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** A request that fails authentication has only this event. A watch has one more when it ends. */
function stagesAtTheEnd({ access, info, response, bug }: FinishedRequest): readonly AuditStage[] {
  if (bug) return ['Panic'];
  if (!access.requester) return ['ResponseStarted'];
  if (response.type === 'watch') return ['ResponseStarted'];
  const isLong = info.type === 'resource' && (info.verb === 'watch' || streaming.has(info.subresource));
  return isLong ? ['ResponseStarted', 'ResponseComplete'] : ['ResponseComplete'];
}
