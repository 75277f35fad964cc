/** A span as it is known after the fact; times in milliseconds since 1970, with fractions. */
export interface Span {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly spanId: string;
  /** undefined at the root of a trace. */
  readonly parentId: string | undefined;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly events: readonly SpanEvent[];
  /** Why it counts as failed; undefined when it does not. */
  readonly error?: string | undefined;
}

export interface SpanEvent {
  readonly name: string;
  readonly at: number;
}

/** The spans of one request. */
export interface SpanTree {
  readonly traceId: string;
  readonly traceState: string | undefined;
  readonly isParentRemote: boolean;
  /** The request's own first. */
  readonly spans: readonly Span[];
}
