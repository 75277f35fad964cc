import type { HrTime, SpanContext } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { FinishedRequest } from '../../apiserver/request/handle.ts';
import { errorText } from '../../machinery/errors.ts';
import { requestSpans, type Span, type SpanTree } from './request-spans.ts';

/** Exports spans to an OpenTelemetry collector in the background. */
interface SpanSender {
  readonly finished: (finished: FinishedRequest) => void;
  readonly watchEnded: (finished: FinishedRequest) => void;
  /** Sends the remaining spans within half a second. */
  readonly close: () => Promise<void>;
}

interface SpanSenderPorts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logError: (line: string) => void;
}

const sendEveryMs = 1000;
const maxWaiting = 4096;
const closeWithinMs = 500;

export interface Ended {
  readonly finished: FinishedRequest;
  readonly at: number;
}

/** The exporter reads the OTEL_ variables; it is loaded with the first spans. */
export function createSpanSender({ now, logError }: SpanSenderPorts, load = loadExporter): SpanSender {
  const loading = lazily(load);
  let waiting: Ended[] = [];
  let sending: Promise<void> | undefined;
  let hasFailed = false;
  const report = (text: string): void => {
    if (!hasFailed) logError(`OpenTelemetry: spans cannot be sent: ${text}`);
    hasFailed = true;
  };
  const send = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    try {
      const { exportTrees } = await loading();
      await exportTrees(batch);
      hasFailed = false;
    } catch (error) {
      report(errorText(error));
    }
  };
  const flush = (): void => {
    if (sending || waiting.length === 0) return;
    sending = send().finally(() => {
      sending = undefined;
    });
  };
  const timer = setInterval(flush, sendEveryMs).unref();
  const add = (finished: FinishedRequest): void => {
    if (finished.request.as) return;
    if (waiting.length === maxWaiting) return report('too many wait to be sent; the newest are dropped');
    waiting.push({ finished, at: now() });
  };
  return {
    finished: (finished) => {
      if (finished.response.type !== 'watch') add(finished);
    },
    watchEnded: add,
    close: () => {
      clearInterval(timer);
      const last = (): Promise<void> => {
        flush();
        return sending ?? Promise.resolve();
      };
      return within(closeWithinMs, (sending ?? Promise.resolve()).then(last));
    },
  };
}

function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

async function within(milliseconds: number, done: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([done, late]);
  clearTimeout(timer);
}

interface Exporter {
  /** Rejects when the export failed. */
  readonly exportTrees: (batch: readonly Ended[]) => Promise<void>;
}

async function loadExporter(): Promise<Exporter> {
  const [{ OTLPTraceExporter }, { resourceFromAttributes, detectResources, envDetector }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter();
  const named = resourceFromAttributes({ 'service.name': 'apiserver' });
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
  const resource = named.merge(detectResources({ detectors: [envDetector] }));
  return {
    exportTrees: (batch) => {
      const trees = batch.flatMap(({ finished, at }) => requestSpans(finished, at) ?? []);
      const spans = trees.flatMap((tree) => readableSpans(tree, resource));
      if (spans.length === 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        exporter.export(spans, ({ code, error }) => (code === 0 ? resolve() : reject(error ?? new Error('refused'))));
      });
    },
  };
}

/** SpanKind and SpanStatusCode of @opentelemetry/api, which is not loaded for them. */
const kinds = { internal: 0, server: 1, client: 2 } as const;
const statusCodes = { unset: 0, error: 2 } as const;
const sampled = 1;

const readableSpans = (tree: SpanTree, resource: Resource): readonly ReadableSpan[] =>
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

function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}
