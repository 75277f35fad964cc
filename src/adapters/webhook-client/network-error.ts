import { getServers } from 'node:dns';
import { isIPv6 } from 'node:net';
import type { FailureCause } from '../../apiserver/admission/webhooks/call.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { WebhookCallError } from './call-failure.ts';

/** `127.0.0.1:80`, `[::1]:80`. Follows Go's net.JoinHostPort. */
export const hostPort = (host: string, port: number): string =>
  isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;

const errnoTexts: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'cannot assign requested address',
  ECONNABORTED: 'software caused connection abort',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  EINVAL: 'invalid argument',
  EMFILE: 'too many open files',
  ENETUNREACH: 'network is unreachable',
  EPIPE: 'broken pipe',
  ETIMEDOUT: 'connection timed out',
};

const dialCauses: Readonly<Record<string, 'connection-refused' | 'unreachable'>> = {
  ECONNREFUSED: 'connection-refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'unreachable',
};

/** The fields that Node adds to system errors. */
interface SystemError {
  readonly code: string;
  readonly syscall: string;
  readonly address: string;
  readonly port: number;
  readonly message: string;
}

/** Of an AggregateError, the first error, as in Go. */
export function systemError(error: unknown): SystemError {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const fields: object = first instanceof Error ? first : new Error(String(first));
  const text = (name: string): string => {
    const value: unknown = Reflect.get(fields, name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  return {
    code: text('code'),
    syscall: text('syscall'),
    address: text('address'),
    port: Number(text('port')),
    message: text('message'),
  };
}

/** A failed dial. Follows Go's net.OpError and net.DNSError (rule FAIL-4). */
export function dialFailure(error: unknown, host: string, port: number): WebhookCallError {
  const { code, syscall, address, port: triedPort, message } = systemError(error);
  if (syscall === 'getaddrinfo') return lookupFailure(host, code);
  const where = hostPort(address || host, triedPort || port);
  const because = dialCauses[code] ?? 'not-opened';
  const text = `dial tcp ${where}: connect: ${errnoTexts[code] ?? message}`;
  return new WebhookCallError('connect', text, { cause: { because, address: where } });
}

/** A failed lookup. Go names the first server of this machine's resolver. */
export function lookupFailure(host: string, code: string): WebhookCallError {
  const server = getServers()[0] ?? '127.0.0.1';
  const dns = /:\d+$/.test(server) && !isIPv6(server) ? server : hostPort(server, 53);
  const text = code === 'ENOTFOUND' ? 'no such host' : 'server misbehaving';
  return new WebhookCallError('resolve', `dial tcp: lookup ${host} on ${dns}: ${text}`, {
    cause: { because: 'host-unknown' },
  });
}

/** The addresses of a connection, as Go prints them. */
export interface SocketAddresses {
  readonly local: string;
  readonly remote: string;
}

/** An error of an open connection. Follows Go's net.OpError and crypto/tls alert.go. */
export function brokenText({ code, syscall, message }: SystemError, ends: SocketAddresses | undefined): string {
  if (code.startsWith('ERR_SSL_')) return tlsErrorText(code, message);
  const text = errnoTexts[code];
  if (text === undefined || !ends) return message;
  const verb = syscall === 'write' ? 'write' : 'read';
  return `${verb} tcp ${ends.local}->${ends.remote}: ${verb}: ${text}`;
}

/** The cause of a failed handshake, if the error code says so. */
export function handshakeCause({ code }: SystemError): FailureCause | undefined {
  if (plainAnswer.test(code)) return { because: 'plain-http' };
  if (code === unsupportedProtocol || alertIn(code) === 'PROTOCOL_VERSION') return { because: 'old-protocol' };
  if (clientAlerts.has(alertIn(code))) return { because: 'client-certificate-wanted' };
  return code === 'ECONNRESET' || code === 'ETIMEDOUT' ? { because: 'handshake-ended' } : undefined;
}

/** OpenSSL does not report the bytes; in practice they are a plain server's `HTTP/1.1 400 Bad Request`. */
const plainAnswer = /^ERR_SSL_.*(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)/;

const unsupportedProtocol = 'ERR_SSL_UNSUPPORTED_PROTOCOL';

/** The server requires a client certificate. */
const clientAlerts: ReadonlySet<string> = new Set(['CERTIFICATE_REQUIRED', 'BAD_CERTIFICATE', 'UNKNOWN_CA']);

/** The peer's alert; '' for a local error. */
const alertIn = (code: string): string => /^ERR_SSL_(?:SSLV3|TLSV1|TLSV13)_(?:ALERT_)?(.*)$/.exec(code)?.[1] ?? '';

const alertTexts: Readonly<Record<string, string>> = {
  UNEXPECTED_MESSAGE: 'unexpected message',
  BAD_RECORD_MAC: 'bad record MAC',
  HANDSHAKE_FAILURE: 'handshake failure',
  BAD_CERTIFICATE: 'bad certificate',
  UNSUPPORTED_CERTIFICATE: 'unsupported certificate',
  CERTIFICATE_REVOKED: 'revoked certificate',
  CERTIFICATE_EXPIRED: 'expired certificate',
  CERTIFICATE_UNKNOWN: 'unknown certificate',
  CERTIFICATE_REQUIRED: 'certificate required',
  ILLEGAL_PARAMETER: 'illegal parameter',
  UNKNOWN_CA: 'unknown certificate authority',
  ACCESS_DENIED: 'access denied',
  DECODE_ERROR: 'error decoding message',
  DECRYPT_ERROR: 'error decrypting message',
  PROTOCOL_VERSION: 'protocol version not supported',
  INSUFFICIENT_SECURITY: 'insufficient security level',
  INTERNAL_ERROR: 'internal error',
  INAPPROPRIATE_FALLBACK: 'inappropriate fallback',
  USER_CANCELLED: 'user canceled',
  NO_RENEGOTIATION: 'no renegotiation',
  MISSING_EXTENSION: 'missing extension',
  UNSUPPORTED_EXTENSION: 'unsupported extension',
  UNRECOGNIZED_NAME: 'unrecognized name',
  NO_APPLICATION_PROTOCOL: 'no application protocol',
};

function tlsErrorText(code: string, message: string): string {
  if (plainAnswer.test(code)) return 'http: server gave HTTP response to HTTPS client';
  const text = alertTexts[alertIn(code)];
  if (text !== undefined) return `remote error: tls: ${text}`;
  if (code === unsupportedProtocol) return 'tls: server selected unsupported protocol version 301';
  return `tls: ${message}`;
}

/** Go's error for the first line of a response; '' for a valid one. Follows Go's net/http response.go ReadResponse. */
export function statusLineError(line: string): string {
  const space = line.indexOf(' ');
  if (space < 0) return `malformed HTTP response ${goQuote(line)}`;
  const protocol = line.slice(0, space);
  const [status = ''] = line.slice(space).trimStart().split(' ', 1);
  if (!/^(?:\d{3}|\+\d\d)$/.test(status)) return `malformed HTTP status code ${goQuote(status)}`;
  return /^HTTP\/\d\.\d$/.test(protocol) ? '' : `malformed HTTP version ${goQuote(protocol)}`;
}
