import type { TracedPlugin } from '../../trace/trace.ts';
import { actorOf, actorText } from '../actor.ts';
import type { Finding } from '../finding.ts';
import type { TraceView } from '../trace-view.ts';

/** A compiled-in plugin refused because of a stored object: a quota, a range, a namespace label. */
export const refusedByObject = ({ trace }: TraceView): readonly Finding[] =>
  trace.admission.flatMap((decision, at) => {
    if (decision.type !== 'plugin' || decision.outcome !== 'denied' || !decision.by || !isStoredKind(decision.by))
      return [];
    const { kind, namespace, name, field, refused = '', allowed = '' } = decision.by;
    const limit = allowed === '' ? '' : `${refused} allows ${allowed}: `;
    const look = `kubectl get ${kind.toLowerCase()} ${name}${namespace === '' ? '' : ` -n ${namespace}`} -o yaml`;
    return [
      {
        rule: 'refused-by-object',
        severity: 'error',
        title: `${actorText(actorOf(decision))} refused the request by ${field} of ${kind} ${name}`,
        where: { actors: [actorOf(decision)], fields: [] },
        evidence: [{ text: decision.message ?? '', decision: at }],
        remedy: `${limit}change the object that was sent, or ${kind} ${name} (${look})`,
      },
    ];
  });

export const isStoredKind = ({ kind }: NonNullable<TracedPlugin['by']>): boolean =>
  !['file', 'permission', 'rule'].includes(kind);
