import type { Finished, Observers } from '../request/handle.ts';
import { answeredEvent, receivedEvent } from './event.ts';
import { createScopeOf } from './policy.ts';
import type { AuditScope, AuditStage, Policy } from './policy.ts';

export interface AuditLogPorts {
  /** Takes one event, a line of JSON without its end. */
  readonly write: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Is the requested resource one that upstream has deprecated? */
  readonly isDeprecated: (finished: Finished) => boolean;
}

/** Writes the events that the policy asks for; watches finished requests. Follows apiserver pkg/endpoints/filters/audit.go. */
export type AuditLog = Required<Pick<Observers, 'authenticated' | 'finished' | 'watchEnded'>>;

export function createAuditLog(policy: Policy, { write, now, isDeprecated }: AuditLogPorts): AuditLog {
  const scopeOf = createScopeOf(policy);
  const tell = (finished: Finished, scope: AuditScope, stage: AuditStage): void => {
    if (scope.omitStages.has(stage)) return;
    const deprecated = finished.exchange?.target ? isDeprecated(finished) : false;
    const line = answeredEvent(finished, { scope, stage, at: now(), isDeprecated: deprecated });
    if (line !== undefined) write(line);
  };
  const scopeFor = ({ info, access }: Finished): AuditScope => scopeOf({ info, requester: access.requester });
  return {
    authenticated: ({ request, info, requester }) => {
      const scope = scopeOf({ info, requester });
      if (scope.level === 'None' || scope.omitStages.has('RequestReceived')) return;
      write(receivedEvent(request, info, requester, scope));
    },
    finished: (finished) => {
      const scope = scopeFor(finished);
      if (scope.level === 'None') return;
      for (const stage of stagesAtTheEnd(finished)) tell(finished, scope, stage);
    },
    watchEnded: (finished) => {
      const scope = scopeFor(finished);
      if (scope.level !== 'None') tell(finished, scope, 'ResponseComplete');
    },
  };
}

const streaming = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** A refused login has just this one event. A watch is told of again when it ends. */
function stagesAtTheEnd({ access, info, response, bug }: Finished): readonly AuditStage[] {
  if (bug) return ['Panic'];
  if (!access.requester) return ['ResponseStarted'];
  if (response.type === 'watch') return ['ResponseStarted'];
  const isLong = info.type === 'resource' && (info.verb === 'watch' || streaming.has(info.subresource));
  return isLong ? ['ResponseStarted', 'ResponseComplete'] : ['ResponseComplete'];
}
