import { errorText } from '../../apimachinery/error-text.ts';

/** gRPC's codes, as far as they are told apart here. Follows grpc codes/codes.go. */
export const grpcCode = { ok: 0, canceled: 1, unknown: 2, deadlineExceeded: 4, internal: 13, unavailable: 14 } as const;

/** The names in Go's errors; any other is Unknown. */
export const codeNames: ReadonlyMap<number, string> = new Map([
  [grpcCode.canceled, 'Canceled'],
  [3, 'InvalidArgument'],
  [grpcCode.deadlineExceeded, 'DeadlineExceeded'],
  [5, 'NotFound'],
  [7, 'PermissionDenied'],
  [8, 'ResourceExhausted'],
  [9, 'FailedPrecondition'],
  [11, 'OutOfRange'],
  [12, 'Unimplemented'],
  [grpcCode.internal, 'Internal'],
  [grpcCode.unavailable, 'Unavailable'],
  [16, 'Unauthenticated'],
]);

/** A call that came to nothing: what the server said, or why it said nothing. */
export class CallError extends Error {
  readonly code: number;
  /** May the server have got it? */
  readonly wasSent: boolean;

  constructor(code: number, text: string, wasSent = true) {
    super(text);
    this.code = code;
    this.wasSent = wasSent;
  }
}

/** As Go's client says that it has no connection. `undefined`: it ended without a word. Follows grpc internal/transport/http2_client.go. */
export function dialError(error: unknown, host: string): CallError {
  const text = error === undefined ? 'error reading server preface: EOF' : `transport: ${whyNot(error, host)}`;
  return new CallError(grpcCode.unavailable, `connection error: desc = "${text}"`, false);
}

function whyNot(error: unknown, host: string): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = codeOf(first);
  if (code === 'ENOTFOUND') {
    return `Error while dialing: dial tcp: lookup ${host.replace(/:\d+$/, '')}: no such host`;
  }
  const words = systemWords[code];
  return words === undefined
    ? `authentication handshake failed: ${errorText(first)}`
    : `Error while dialing: dial tcp ${host}: ${words}`;
}

/** A connection that ended under a call. */
export function brokenError(error: unknown, wasSent: boolean): CallError {
  const words = systemWords[codeOf(error)] ?? (error === undefined ? 'EOF' : errorText(error));
  return new CallError(grpcCode.unavailable, `error reading from server: ${words}`, wasSent);
}

/** Go's words for the errors of the system. */
const systemWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  ECONNRESET: 'read: connection reset by peer',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  EPIPE: 'write: broken pipe',
  ETIMEDOUT: 'i/o timeout',
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
