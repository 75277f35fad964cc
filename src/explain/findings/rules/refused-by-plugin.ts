import type { TracedPlugin } from '../../trace/trace.ts';
import { actorOf, actorText, type Finding } from '../finding.ts';
import type { TraceView } from '../trace-view.ts';

/** A compiled-in plugin refused by its own rule, its configuration, or a missing permission. */
export const refusedByPlugin = ({ trace }: TraceView): readonly Finding[] =>
  trace.admission.flatMap((decision, at) => {
    if (decision.type !== 'plugin' || decision.outcome !== 'denied' || !decision.by || isStoredKind(decision.by))
      return [];
    const { title, remedy } = words(decision.by);
    return [
      {
        rule: 'refused-by-plugin',
        severity: 'error',
        title: `${actorText(actorOf(decision))} refused the request ${title}`,
        where: { actors: [actorOf(decision)], fields: [] },
        evidence: [{ text: decision.message ?? '', decision: at }],
        remedy,
      },
    ];
  });

function words({
  kind,
  name,
  field,
  refused = '',
  allowed = '',
}: NonNullable<TracedPlugin['by']>): Pick<Finding, 'title' | 'remedy'> {
  const limit = `${refused} allows ${allowed}`;
  switch (kind) {
    case 'file':
      return { title: `by ${field} in the file of ${name}`, remedy: `${limit}: change the object, or that file` };
    case 'permission':
      return {
        title: `since ${name} may not ${field}`,
        remedy: `grant it by a role, and check with: kubectl auth can-i ${field} --as=${name}`,
      };
    default:
      return { title: `by its own rule about ${refused}`, remedy: limit };
  }
}

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
