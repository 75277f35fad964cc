import { Client, Metadata, credentials, status } from '@grpc/grpc-js';
import { decode, encode } from './wire.ts';
import type { Messages } from './wire.ts';

/** A KMS plugin behind a socket of this machine. Its calls reject with Go's words for what a call failed with. */
export interface KmsClient {
  readonly status: () => Promise<Messages['StatusResponse']>;
  readonly encrypt: (request: Messages['EncryptRequest']) => Promise<Messages['EncryptResponse']>;
  readonly decrypt: (request: Messages['DecryptRequest']) => Promise<Messages['DecryptResponse']>;
  readonly close: () => void;
}

/** Follows apiserver pkg/storage/value/encrypt/envelope/kmsv2/grpc_service.go. */
export function connectKms(endpoint: string, timeoutMs: number): KmsClient {
  const client = new Client(`unix:${new URL(endpoint).pathname}`, credentials.createInsecure(), {
    'grpc.default_authority': 'localhost',
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 3000,
  });
  const call = <Method extends 'Status' | 'Encrypt' | 'Decrypt'>(
    method: Method,
    request: Messages[`${Method}Request`],
  ): Promise<Messages[`${Method}Response`]> =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        `/v2.KeyManagementService/${method}`,
        (value: Messages[`${Method}Request`]) => encode(`${method}Request`, value),
        (bytes) => decode(`${method}Response`, bytes),
        request,
        new Metadata({ waitForReady: true }),
        { deadline: Date.now() + timeoutMs },
        (error, answer) => {
          if (answer) resolve(answer);
          else reject(new Error(error ? rpcError(error.code, error.details) : 'no answer'));
        },
      );
    });
  return {
    status: () => call('Status', {}),
    encrypt: (request) => call('Encrypt', request),
    decrypt: (request) => call('Decrypt', request),
    close: () => client.close(),
  };
}

const rpcError = (code: status, details: string): string => {
  const name = (status[code] ?? 'UNKNOWN')
    .toLowerCase()
    .replace(/(?:^|_)([a-z])/g, (_all, first: string) => first.toUpperCase());
  const desc = code === status.DEADLINE_EXCEEDED ? 'context deadline exceeded' : details;
  return `rpc error: code = ${name} desc = ${desc}`;
};
