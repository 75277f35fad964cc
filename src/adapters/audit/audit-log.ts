import type { ApiRequest } from '../../apiserver/request/api-request.ts';
import type { Finished, Observers } from '../../apiserver/request/handle.ts';
import { answeredEvent, receivedEvent } from './event.ts';
import { createScopeOf } from './policy.ts';
import type { AuditScope, AuditStage, Policy } from './policy.ts';

export interface AuditLogPorts {
  /** Takes one event, a line of JSON without its end; false: it is not kept, and the request is not to happen. */
  readonly write: (line: string) => Promise<boolean>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Is the requested resource one that upstream has deprecated? */
  readonly isDeprecated: (finished: Finished) => boolean;
}

/** Writes the events that the policy asks for; watches finished requests. Follows apiserver pkg/endpoints/filters/audit.go. */
export type AuditLog = Required<Pick<Observers, 'authenticated' | 'finished' | 'watchEnded'>>;

export function createAuditLog(policy: Policy, { write, now, isDeprecated }: AuditLogPorts): AuditLog {
  const scopeOf = createScopeOf(policy);
  /** What was refused because its first event could not be kept has no others. */
  const refused = new WeakSet<ApiRequest>();
  const tell = async (finished: Finished, scope: AuditScope, stage: AuditStage): Promise<boolean> => {
    if (scope.omitStages.has(stage) || refused.has(finished.request)) return true;
    const deprecated = finished.exchange?.target ? isDeprecated(finished) : false;
    const facts = { scope, stage, at: now(), isDeprecated: deprecated };
    const line = answeredEvent(finished, facts);
    return line === undefined || write(line);
  };
  const scopeFor = ({ info, access }: Finished): AuditScope => scopeOf({ info, requester: access.requester });
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
      for (const stage of stagesAtTheEnd(finished)) areStored = (await tell(finished, scope, stage)) && areStored;
      return areStored;
    },
    watchEnded: (finished) => {
      const scope = scopeFor(finished);
      // Whoever watched has gone; nobody waits for this one.
      if (scope.level !== 'None') void tell(finished, scope, 'ResponseComplete');
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
