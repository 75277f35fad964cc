import http from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';

/** What a collector reads of a span. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly milliseconds: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
  readonly error: boolean;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: () => readonly ReceivedSpan[];
  /** The attributes of the resource that sent the first spans. */
  readonly resource: () => Readonly<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

// Source: opentelemetry-proto v1, collector/trace/v1/trace_service.proto and trace/v1/trace.proto.
const { root } = protobuf.parse(`
  syntax = "proto3";
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message Event { fixed64 time_unix_nano = 1; string name = 2; }
  message Status { string message = 2; int32 code = 3; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
    repeated Event events = 11; Status status = 15;
  }
  message ScopeSpans { repeated Span spans = 2; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Request { repeated ResourceSpans resource_spans = 1; }
`);
const requestType = root.lookupType('Request');

interface Message {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly events: readonly { readonly name: string }[];
  readonly status: { readonly code: number } | null;
}

/** A collector that takes OTLP over HTTP on a free port of this machine, and decodes it. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const messages: Message[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') messages.push(decoded(Buffer.concat(chunks)));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () =>
      messages
        .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
        .flatMap(({ spans }) => spans.map(received)),
    resource: () => valuesOf(messages[0]?.resourceSpans[0]?.resource.attributes ?? []),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const decoded = (bytes: Buffer): Message =>
  requestType.toObject(requestType.decode(bytes), {
    bytes: String,
    longs: String,
    arrays: true,
    defaults: true,
    oneofs: true,
  }) as Message;

const received = (span: WireSpan): ReceivedSpan => ({
  traceId: hex(span.traceId),
  spanId: hex(span.spanId),
  parentSpanId: hex(span.parentSpanId),
  name: span.name,
  kind: span.kind,
  milliseconds: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
  attributes: valuesOf(span.attributes),
  events: span.events.map(({ name }) => name),
  error: span.status?.code === 2,
});

const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

const valuesOf = (pairs: readonly KeyValue[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, value[String(value['value'])]]));
