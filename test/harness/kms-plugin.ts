import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import type { UntypedHandleCall } from '@grpc/grpc-js';
import { decode, encode } from '../../src/engines/encryption/kms/wire.ts';
import type { Messages } from '../../src/engines/encryption/kms/wire.ts';

/** A KMS plugin (v2) that holds its keys in memory. */
export interface KmsPlugin {
  /** Another key encrypts from now on; those before still open. */
  readonly rotate: (keyId: string) => void;
  readonly setHealth: (text: string) => void;
  /** What it was asked, by method. */
  readonly calls: readonly string[];
  readonly close: () => void;
}

/** Listens at this socket. `keyOf` makes the key of a name. */
export async function startKmsPlugin(socket: string, first: string): Promise<KmsPlugin> {
  const keys = new Map<string, Buffer>();
  let [keyId, healthz] = [first, 'ok'];
  const calls: string[] = [];
  const keyFor = (id: string): Buffer => {
    const key = keys.get(id) ?? randomBytes(32);
    keys.set(id, key);
    return key;
  };
  const answers = {
    Status: () => ({ version: 'v2', healthz, keyId }),
    Encrypt: ({ plaintext }: Messages['EncryptRequest']) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyFor(keyId), nonce);
      const ciphertext = Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
      return { ciphertext, keyId, annotations: { 'made.example.com': Buffer.from('here') } };
    },
    Decrypt: ({ ciphertext, keyId: id }: Messages['DecryptRequest']) => {
      const end = ciphertext.length - 16;
      const decipher = createDecipheriv('aes-256-gcm', keyFor(id), ciphertext.subarray(0, 12));
      decipher.setAuthTag(ciphertext.subarray(end));
      return { plaintext: Buffer.concat([decipher.update(ciphertext.subarray(12, end)), decipher.final()]) };
    },
  };
  const handler =
    <Method extends 'Status' | 'Encrypt' | 'Decrypt'>(
      method: Method,
      answer: (request: Messages[`${Method}Request`]) => Messages[`${Method}Response`],
    ): UntypedHandleCall =>
    (
      call: { readonly request: Messages[`${Method}Request`] },
      done: (error: object | null, answer?: Messages[`${Method}Response`]) => void,
    ) => {
      calls.push(method);
      try {
        done(null, answer(call.request));
      } catch (error) {
        done({ code: status.INTERNAL, details: String(error) });
      }
    };
  const method = (name: 'Status' | 'Encrypt' | 'Decrypt') => ({
    path: `/v2.KeyManagementService/${name}`,
    requestStream: false,
    responseStream: false,
    requestDeserialize: (bytes: Buffer) => decode(`${name}Request`, bytes),
    requestSerialize: () => Buffer.alloc(0),
    responseSerialize: (value: Messages[`${typeof name}Response`]) => encode(`${name}Response`, value),
    responseDeserialize: () => undefined,
  });
  const server = new Server();
  server.addService(
    { Status: method('Status'), Encrypt: method('Encrypt'), Decrypt: method('Decrypt') },
    {
      Status: handler('Status', answers.Status),
      Encrypt: handler('Encrypt', answers.Encrypt),
      Decrypt: handler('Decrypt', answers.Decrypt),
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(),
    );
  });
  return {
    rotate: (id) => void (keyId = id),
    setHealth: (text) => void (healthz = text),
    calls,
    close: () => server.forceShutdown(),
  };
}
