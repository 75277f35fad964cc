import type { Arrival } from '../../apiserver/request/admit-user.ts';
import type { FinishedRequest } from '../../apiserver/request/handle.ts';
import { renderFinishedEvent, renderReceivedEvent } from './event.ts';
import { type AuditPolicy, type AuditStage, createScopeOf } from './policy.ts';

interface AuditLogPorts {
  /** Writes one event, a line of JSON without its end. */
  readonly write: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly isDeprecated: (finished: FinishedRequest) => boolean;
}

/** Writes the audit events that the policy selects. Follows apiserver pkg/endpoints/filters/audit.go. */
export interface AuditLog {
  readonly authenticated: (arrival: Arrival) => void;
  readonly finished: (finished: FinishedRequest) => void;
  readonly watchEnded: (finished: FinishedRequest) => void;
}

export function createAuditLog(policy: AuditPolicy, { write, now, isDeprecated }: AuditLogPorts): AuditLog {
  const scopeOf = createScopeOf(policy);
  const writeStages = (finished: FinishedRequest, stages: readonly AuditStage[]): void => {
    const scope = scopeOf({ info: finished.info, requester: finished.access.requester });
    if (scope.level === 'None') return;
    for (const stage of stages.filter((name) => !scope.omitStages.has(name))) {
      const line = renderFinishedEvent(finished, { scope, stage, at: now(), isDeprecated: isDeprecated(finished) });
      if (line !== undefined) write(line);
    }
  };
  return {
    authenticated: ({ request, info, requester }) => {
      const scope = scopeOf({ info, requester });
      if (scope.level === 'None' || scope.omitStages.has('RequestReceived')) return;
      write(renderReceivedEvent(request, info, requester, scope));
    },
    finished: (finished) => writeStages(finished, stagesAtTheEnd(finished)),
    watchEnded: (finished) => writeStages(finished, ['ResponseComplete']),
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
