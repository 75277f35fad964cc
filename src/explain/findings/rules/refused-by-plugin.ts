import type { TracedPlugin } from '../../trace/trace.ts';
import { actorOf, actorText } from '../actor.ts';
import type { Finding } from '../finding.ts';
import type { TraceView } from '../trace-view.ts';
import { isStoredKind } from './refused-by-object.ts';

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
