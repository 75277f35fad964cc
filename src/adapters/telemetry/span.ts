/** A finished span; milliseconds since 1970, with fractions. */
export interface Span {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly spanId: string;
  /** undefined for a root span. */
  readonly parentId: string | undefined;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly events: readonly SpanEvent[];
  /** undefined when it did not fail. */
  readonly error?: string | undefined;
}

export interface SpanEvent {
  readonly name: string;
  readonly at: number;
}

export interface SpanTree {
  readonly traceId: string;
  readonly traceState: string | undefined;
  readonly isParentRemote: boolean;
  /** The request's own span first. */
  readonly spans: readonly Span[];
}
