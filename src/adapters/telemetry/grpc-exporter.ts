import { Client, credentials } from '@grpc/grpc-js';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';

const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const timeoutMs = 10_000;

/** OTLP over gRPC without TLS. `target` is `HOST:PORT`, or `unix:` and a path. */
export function openGrpcExporter(target: string): Pick<SpanExporter, 'export'> {
  const client = new Client(target, credentials.createInsecure());
  return {
    export: (spans, done) => {
      const bytes = ProtobufTraceSerializer.serializeRequest([...spans]) ?? new Uint8Array();
      client.makeUnaryRequest(
        path,
        (value: Uint8Array) => Buffer.from(value),
        (answer) => answer,
        bytes,
        { deadline: Date.now() + timeoutMs },
        (error) => done(error ? { code: 1, error } : { code: 0 }),
      );
    },
  };
}
