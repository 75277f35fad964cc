import protobuf from 'protobufjs/light.js';
import type { Type } from 'protobufjs/light.js';

/** What is used of etcd's API, field by field. Follows etcd api/etcdserverpb/rpc.proto and api/mvccpb/kv.proto. */
const messages: Readonly<Record<string, Readonly<Record<string, readonly [type: string, id: number]>>>> = {
  Header: { revision: ['int64', 3] },
  KeyValue: { key: ['bytes', 1], modRevision: ['int64', 3], value: ['bytes', 5], lease: ['int64', 6] },
  Event: { type: ['int32', 1], kv: ['KeyValue', 2] },
  RangeRequest: {
    key: ['bytes', 1],
    rangeEnd: ['bytes', 2],
    limit: ['int64', 3],
    revision: ['int64', 4],
    countOnly: ['bool', 9],
  },
  RangeResponse: { header: ['Header', 1], kvs: ['repeated KeyValue', 2], more: ['bool', 3] },
  PutRequest: { key: ['bytes', 1], value: ['bytes', 2], lease: ['int64', 3] },
  DeleteRangeRequest: { key: ['bytes', 1] },
  RequestOp: { range: ['RangeRequest', 1], put: ['PutRequest', 2], deleteRange: ['DeleteRangeRequest', 3] },
  ResponseOp: { range: ['RangeResponse', 1] },
  /** Of the result and the target only one is used each: EQUAL is 0, MOD is 2. */
  Compare: { target: ['int32', 2], key: ['bytes', 3], modRevision: ['int64', 6] },
  TxnRequest: {
    compare: ['repeated Compare', 1],
    success: ['repeated RequestOp', 2],
    failure: ['repeated RequestOp', 3],
  },
  TxnResponse: { header: ['Header', 1], succeeded: ['bool', 2], responses: ['repeated ResponseOp', 3] },
  WatchCreate: {
    key: ['bytes', 1],
    rangeEnd: ['bytes', 2],
    startRevision: ['int64', 3],
    progressNotify: ['bool', 4],
  },
  CompactionRequest: { revision: ['int64', 1] },
  CompactionResponse: { header: ['Header', 1] },
  Nothing: {},
  WatchRequest: { create: ['WatchCreate', 1], progress: ['Nothing', 3] },
  WatchResponse: {
    header: ['Header', 1],
    created: ['bool', 3],
    canceled: ['bool', 4],
    compactRevision: ['int64', 5],
    cancelReason: ['string', 6],
    events: ['repeated Event', 11],
  },
  LeaseGrantRequest: { TTL: ['int64', 1] },
  LeaseGrantResponse: { ID: ['int64', 2] },
};

/** Whole numbers are texts here: leases do not fit into a double. */
export interface Header {
  readonly revision: string;
}

export interface KeyValue {
  readonly key: Buffer;
  readonly modRevision: string;
  readonly value: Buffer;
  /** '0' for none. */
  readonly lease: string;
}

export interface RangeResponse {
  readonly header: Header;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
}

export interface TxnResponse {
  readonly header: Header;
  readonly succeeded: boolean;
  readonly responses: readonly { readonly range?: RangeResponse | null }[];
}

export interface WatchResponse {
  readonly header: Header;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compactRevision: string;
  readonly cancelReason: string;
  /** type 0 is a put, 1 a removal. */
  readonly events: readonly { readonly type: number; readonly kv: KeyValue }[];
}

/** What each request is answered with. */
export interface Answers {
  readonly RangeRequest: RangeResponse;
  readonly TxnRequest: TxnResponse;
  readonly WatchRequest: WatchResponse;
  readonly LeaseGrantRequest: { readonly ID: string };
  readonly CompactionRequest: { readonly header: Header };
}

const root = protobuf.Root.fromJSON({
  nested: Object.fromEntries(
    Object.entries(messages).map(([name, fields]) => [
      name,
      {
        fields: Object.fromEntries(
          Object.entries(fields).map(([field, [type, id]]) => {
            const isList = type.startsWith('repeated ');
            return [field, { type: isList ? type.slice(9) : type, id, ...(isList ? { rule: 'repeated' } : {}) }];
          }),
        ),
      },
    ]),
  ),
});

const typeOf = (name: string): Type => root.lookupType(name);

/** The bytes of a message. */
export function encode(name: keyof Answers, message: object): Buffer {
  const type = typeOf(name);
  return Buffer.from(type.encode(type.fromObject(message)).finish());
}

/** The answer to such a request. */
export function decode<Name extends keyof Answers>(name: Name, bytes: Uint8Array): Answers[Name] {
  const type = typeOf(name.replace(/Request$/, 'Response'));
  // The shape is what `messages` says, every field filled.
  return type.toObject(type.decode(bytes), { longs: String, bytes: Buffer, defaults: true }) as Answers[Name];
}
