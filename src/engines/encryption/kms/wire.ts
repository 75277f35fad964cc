import protobuf from 'protobufjs/light.js';

type Field = readonly [type: string, id: number];

/** Follows k8s.io/kms apis/v2/api.proto and apiserver pkg/storage/value/encrypt/envelope/kmsv2/v2/api.proto. */
const messages: Readonly<Record<keyof Messages, Readonly<Record<string, Field>>>> = {
  StatusRequest: {},
  StatusResponse: { version: ['string', 1], healthz: ['string', 2], keyId: ['string', 3] },
  DecryptRequest: {
    ciphertext: ['bytes', 1],
    uid: ['string', 2],
    keyId: ['string', 3],
    annotations: ['map bytes', 4],
  },
  DecryptResponse: { plaintext: ['bytes', 1] },
  EncryptRequest: { plaintext: ['bytes', 1], uid: ['string', 2] },
  EncryptResponse: { ciphertext: ['bytes', 1], keyId: ['string', 2], annotations: ['map bytes', 3] },
  EncryptedObject: {
    encryptedData: ['bytes', 1],
    keyId: ['string', 2],
    encryptedDekSource: ['bytes', 3],
    annotations: ['map bytes', 4],
    dekSourceType: ['int32', 5],
  },
};

export type Annotations = Readonly<Record<string, Buffer>>;

export interface Messages {
  readonly StatusRequest: object;
  readonly StatusResponse: { readonly version: string; readonly healthz: string; readonly keyId: string };
  readonly DecryptRequest: {
    readonly ciphertext: Buffer;
    readonly uid: string;
    readonly keyId: string;
    readonly annotations: Annotations;
  };
  readonly DecryptResponse: { readonly plaintext: Buffer };
  readonly EncryptRequest: { readonly plaintext: Buffer; readonly uid: string };
  readonly EncryptResponse: { readonly ciphertext: Buffer; readonly keyId: string; readonly annotations: Annotations };
  readonly EncryptedObject: {
    readonly encryptedData: Buffer;
    readonly keyId: string;
    readonly encryptedDekSource: Buffer;
    readonly annotations: Annotations;
    /** 0: the key itself, 1: the seed that keys are derived from. */
    readonly dekSourceType: number;
  };
}

const root = protobuf.Root.fromJSON({
  nested: Object.fromEntries(
    Object.entries(messages).map(([name, fields]) => [
      name,
      {
        fields: Object.fromEntries(
          Object.entries(fields).map(([field, [type, id]]) => [
            field,
            type === 'map bytes' ? { keyType: 'string', type: 'bytes', id } : { type, id },
          ]),
        ),
      },
    ]),
  ),
});

export function encode<Name extends keyof Messages>(name: Name, message: Messages[Name]): Buffer {
  const type = root.lookupType(name);
  return Buffer.from(type.encode(type.fromObject(message)).finish());
}

/** Throws for bytes that are none of this message. */
export function decode<Name extends keyof Messages>(name: Name, bytes: Uint8Array): Messages[Name] {
  const type = root.lookupType(name);
  // The shape is what `messages` says, every field filled.
  return type.toObject(type.decode(bytes), { bytes: Buffer, defaults: true, objects: true }) as Messages[Name];
}
