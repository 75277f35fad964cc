import { useMemo } from 'preact/hooks';
import { relatedRequests } from '../../explain/render/causality.ts';
import type { NumberedSummary } from '../../explain/trace/trace-summary.ts';
import { routeHash } from '../route.ts';
import { objectName } from '../words.ts';

export interface RelatedRequestListProps {
  readonly id: string;
  /** Newest first. */
  readonly requests: readonly NumberedSummary[];
}

export function RelatedRequestList({ id, requests }: RelatedRequestListProps) {
  const { causes, effects } = useMemo(() => relatedRequests(id, requests), [id, requests]);
  const self = requests.find((request) => request.id === id);
  if (!self || causes.length + effects.length === 0) return null;
  const ancestors = causes.toReversed();
  return (
    <nav class="related" aria-label="Causes and effects of this request">
      <ul>
        {ancestors.map((request, depth) => (
          <RelatedRequestRow key={request.id} request={request} depth={depth} />
        ))}
        <RelatedRequestRow request={self} depth={ancestors.length} isSelf />
        {effects.map(({ request, depth }) => (
          <RelatedRequestRow key={request.id} request={request} depth={ancestors.length + depth} />
        ))}
      </ul>
    </nav>
  );
}

interface RelatedRequestRowProps {
  readonly request: NumberedSummary;
  readonly depth: number;
  readonly isSelf?: boolean;
}

function RelatedRequestRow({ request, depth, isSelf = false }: RelatedRequestRowProps) {
  const { id, code, verb, resource, verdict } = request;
  const words = `${verb} ${resource} ${objectName(request)}`;
  return (
    <li class={`is-${verdict}`} style={{ paddingInlineStart: `${Math.min(depth, 6) * 1.2}rem` }}>
      <span class="code">{code}</span>{' '}
      {isSelf ? (
        <strong aria-current="true">{words}</strong>
      ) : (
        <a href={routeHash({ view: 'requests', id })}>{words}</a>
      )}
    </li>
  );
}
