import { createCodec } from './wire-format.ts';
import type { Fields } from './wire-format.ts';

/** What is used of etcd's API, field by field. Follows etcd api/etcdserverpb/rpc.proto and api/mvccpb/kv.proto. */
const messages: Readonly<Record<string, Fields>> = {
  Header: { revision: ['int', 3] },
  KeyValue: { key: ['bytes', 1], modRevision: ['int', 3], value: ['bytes', 5], lease: ['id', 6] },
  Event: { type: ['int', 1], kv: ['KeyValue', 2] },
  RangeRequest: {
    key: ['bytes', 1],
    rangeEnd: ['bytes', 2],
    limit: ['int', 3],
    revision: ['int', 4],
    countOnly: ['bool', 9],
  },
  RangeResponse: { header: ['Header', 1], kvs: ['repeated KeyValue', 2], more: ['bool', 3] },
  PutRequest: { key: ['bytes', 1], value: ['bytes', 2], lease: ['id', 3] },
  DeleteRangeRequest: { key: ['bytes', 1] },
  RequestOp: { range: ['RangeRequest', 1], put: ['PutRequest', 2], deleteRange: ['DeleteRangeRequest', 3] },
  ResponseOp: { range: ['RangeResponse', 1] },
  /** Of the result and the target only one is used each: EQUAL is 0, MOD is 2. */
  Compare: { target: ['int', 2], key: ['bytes', 3], modRevision: ['int', 6] },
  TxnRequest: {
    compare: ['repeated Compare', 1],
    success: ['repeated RequestOp', 2],
    failure: ['repeated RequestOp', 3],
  },
  TxnResponse: { header: ['Header', 1], succeeded: ['bool', 2], responses: ['repeated ResponseOp', 3] },
  WatchCreate: {
    key: ['bytes', 1],
    rangeEnd: ['bytes', 2],
    startRevision: ['int', 3],
    progressNotify: ['bool', 4],
  },
  CompactionRequest: { revision: ['int', 1] },
  CompactionResponse: { header: ['Header', 1] },
  Nothing: {},
  WatchRequest: { create: ['WatchCreate', 1], progress: ['Nothing', 3] },
  WatchResponse: {
    header: ['Header', 1],
    created: ['bool', 3],
    canceled: ['bool', 4],
    compactRevision: ['int', 5],
    cancelReason: ['string', 6],
    events: ['repeated Event', 11],
  },
  LeaseGrantRequest: { TTL: ['int', 1] },
  LeaseGrantResponse: { ID: ['id', 2] },
};

export interface Header {
  readonly revision: number;
}

export interface KeyValue {
  readonly key: Buffer;
  readonly modRevision: number;
  readonly value: Buffer;
  /** Text, since it may not fit into a double; '0' for none. */
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
  readonly compactRevision: number;
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

const codec = createCodec(messages);

/** The bytes of a message. */
export const encode = (name: keyof Answers, message: object): Buffer => codec.encode(name, message);

/** The answer to such a request; throws for what is none. */
export const decode = <Name extends keyof Answers>(name: Name, bytes: Uint8Array): Answers[Name] =>
  // The shape is what `messages` says, every field filled.
  codec.decode(name.replace('Request', 'Response'), bytes) as unknown as Answers[Name];
