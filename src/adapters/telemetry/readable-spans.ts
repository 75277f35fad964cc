import type { HrTime, SpanContext } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { Span, SpanTree } from './span.ts';

/** SpanKind and SpanStatusCode of @opentelemetry/api, which is not loaded for their sake. */
const kinds = { internal: 0, server: 1, client: 2 } as const;
const statusCodes = { unset: 0, error: 2 } as const;
const sampled = 1;

/** A request's spans as the exporter takes them. */
export const readableSpans = (tree: SpanTree, resource: Resource): readonly ReadableSpan[] =>
  tree.spans.map((span, index) => readable(span, contextIn(tree), { resource, isRoot: index === 0, tree }));

type ContextOf = (spanId: string, isRemote?: boolean) => SpanContext;

const contextIn =
  ({ traceId }: SpanTree): ContextOf =>
  (spanId, isRemote = false) => ({ traceId, spanId, traceFlags: sampled, isRemote });

interface SpanOwner {
  readonly resource: Resource;
  readonly isRoot: boolean;
  readonly tree: SpanTree;
}

function readable(span: Span, contextOf: ContextOf, { resource, isRoot, tree }: SpanOwner): ReadableSpan {
  const { spanId, parentId, error } = span;
  return {
    name: span.name,
    kind: kinds[span.kind],
    spanContext: () => contextOf(spanId),
    ...(parentId === undefined ? {} : { parentSpanContext: contextOf(parentId, isRoot && tree.isParentRemote) }),
    startTime: hrTime(span.startedAt),
    endTime: hrTime(span.finishedAt),
    duration: hrTime(span.finishedAt - span.startedAt),
    status: error === undefined ? { code: statusCodes.unset } : { code: statusCodes.error, message: error },
    attributes: { ...span.attributes },
    events: span.events.map(({ name, at }) => ({ name, time: hrTime(at) })),
    links: [],
    ended: true,
    resource,
    instrumentationScope: { name: 'kadmit' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Seconds and nanoseconds. */
function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}
