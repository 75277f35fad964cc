import protobuf from 'protobufjs/light.js';
import type { IField, Type } from 'protobufjs/light.js';

/** Type and number of each field. Follows etcd api/etcdserverpb/rpc.proto and api/mvccpb/kv.proto. */
const messages: Readonly<Record<string, Readonly<Record<string, readonly [type: string, id: number]>>>> = {
  Header: { revision: ['int64', 3] },
  KeyValue: { key: ['bytes', 1], modRevision: ['int64', 3], value: ['bytes', 5] },
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
  /** EQUAL is 0, MOD is 2; one field each of result and target is used. */
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

interface Header {
  readonly revision: number;
}

export interface KeyValue {
  readonly key: Buffer;
  readonly modRevision: number;
  readonly value: Buffer;
}

export interface RangeResponse {
  readonly header: Header;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
}

interface TxnResponse {
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
  /** type 0 is a put, 1 a delete. */
  readonly events: readonly { readonly type: number; readonly kv: KeyValue }[];
}

export interface Responses {
  readonly RangeRequest: RangeResponse;
  readonly TxnRequest: TxnResponse;
  readonly WatchRequest: WatchResponse;
  /** A lease does not fit into a double. */
  readonly LeaseGrantRequest: { readonly ID: string };
  readonly CompactionRequest: { readonly header: Header };
}

const types = protobuf.Root.fromJSON({
  nested: Object.fromEntries(
    Object.entries(messages).map(([name, fields]) => [name, { fields: mapFields(fields) }] as const),
  ),
});

function mapFields(fields: Readonly<Record<string, readonly [type: string, id: number]>>): Record<string, IField> {
  const repeated = 'repeated ';
  return Object.fromEntries(
    Object.entries(fields).map(([name, [type, id]]) => [
      name,
      type.startsWith(repeated) ? { type: type.slice(repeated.length), id, rule: 'repeated' } : { type, id },
    ]),
  );
}

const typeOf = (name: string): Type => types.lookupType(name);

export function encode(name: keyof Responses, message: object): Buffer {
  const type = typeOf(name);
  return Buffer.from(type.encode(type.fromObject(message)).finish());
}

/** Throws for invalid bytes. */
export function decode<Name extends keyof Responses>(name: Name, bytes: Uint8Array): Responses[Name] {
  const type = typeOf(name.replace('Request', 'Response'));
  const longs = name === 'LeaseGrantRequest' ? String : Number;
  // All fields of `messages` are filled.
  return type.toObject(type.decode(bytes), { longs, bytes: Buffer, defaults: true }) as Responses[Name];
}
