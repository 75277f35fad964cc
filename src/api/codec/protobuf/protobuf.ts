import type { Writer } from 'protobufjs/minimal.js';
import { apiVersionOf, parseApiVersion, type GroupVersionKind } from '../../../machinery/meta/gvk.ts';
import { asString, type JsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Codec, SentType } from '../codec.ts';
import type { Decoded } from '../decode.ts';
import type { BuiltinTypes } from '../../types/builtin-types.ts';
import { createProtobufReader, type ProtobufLibrary, type ProtobufReader } from './protobuf-reader.ts';
import { createProtobufWriter, oldMetadataList } from './protobuf-writer.ts';

export type ProtobufDecoded =
  | { readonly outcome: 'decoded'; readonly object: KubernetesObject }
  /** `empty data`, `unexpected EOF`, a quantity's error. */
  | { readonly outcome: 'undecodable'; readonly error: string };

export interface ProtobufCodec {
  /** `kind` fills what the envelope lacks. An unknown kind decodes to its kind and apiVersion alone. */
  readonly decode: (body: Uint8Array, kind?: GroupVersionKind) => ProtobufDecoded;
  /** Tables and custom resources have no message. */
  readonly canEncode: (object: JsonObject) => boolean;
  readonly encode: (object: JsonObject) => Uint8Array;
  /** The object of the event has an envelope, the event itself has none. */
  readonly encodeWatchEvent: (type: string, object: JsonObject) => Uint8Array;
}

/** Loads protobufjs for the first client that uses it. */
export function createProtobufLoader(codec: BuiltinCodec): () => Promise<ProtobufCodec> {
  let loaded: Promise<ProtobufCodec> | undefined;
  return () => (loaded ??= loadProtobuf(codec));
}

type BuiltinCodec = Pick<Codec, 'types' | 'decodeValue'>;

async function loadProtobuf(codec: BuiltinCodec): Promise<ProtobufCodec> {
  const { default: library } = await import('protobufjs/minimal.js');
  const { types } = codec;
  const reader = createProtobufReader(library, types);
  const create = (): Writer => library.Writer.create();
  const put = createProtobufWriter(types);
  const encode = (object: JsonObject): Uint8Array => {
    const message = create();
    put(message, requireMessageType(types, object), object);
    // A view, not a copy: a new megabyte takes a millisecond.
    const body = message.finish(true);
    const parts = [putEnvelopeHead(create(), object, body.length).finish(), body, envelopeTail];
    const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  };
  return {
    decode: (body, kind) => decodeBody(reader, codec, body, kind),
    canEncode: (object) => findMessageType(types, object) !== undefined,
    encode,
    encodeWatchEvent: (type, object) => encodeWatchEvent(library, type, encode(object)),
  };
}

/** `k8s` and a zero byte, before a runtime.Unknown. */
const prefix = [0x6b, 0x38, 0x73, 0];

/** Follows apimachinery pkg/runtime/serializer/protobuf/protobuf.go Serializer.Decode. */
function decodeBody(
  reader: ProtobufReader,
  { types, decodeValue }: BuiltinCodec,
  body: Uint8Array,
  kind: GroupVersionKind | undefined,
): ProtobufDecoded {
  const fault = findFault(body);
  if (fault !== undefined) return createUndecodable(fault);
  const envelope = reader.readEnvelope(body.subarray(prefix.length));
  if ('error' in envelope) return createUndecodable(envelope.error);
  const sent = resolveKind(envelope, kind);
  if (sent.kind === '' || sent.version === '') return createUndecodable(formatMissingType(sent, envelope));
  const type = types.typeOfKind(sent);
  if (type === undefined) {
    return { outcome: 'decoded', object: { kind: sent.kind, apiVersion: apiVersionOf(sent) } };
  }
  const message = reader.readMessage(type, envelope.raw);
  return 'error' in message ? createUndecodable(message.error) : withoutStrict(decodeValue(message.value, sent));
}

function findFault(body: Uint8Array): string | undefined {
  if (body.length === 0) return 'empty data';
  if (prefix.some((byte, at) => body[at] !== byte)) {
    return `provided data does not appear to be a protobuf message, expected prefix [${prefix.join(' ')}]`;
  }
  return body.length === prefix.length ? 'empty body' : undefined;
}

function resolveKind(envelope: SentType, kind: GroupVersionKind | undefined): GroupVersionKind {
  const named = parseApiVersion(envelope.apiVersion);
  const { group, version } = named.version === '' && kind !== undefined ? kind : named;
  return { group, version, kind: envelope.kind === '' ? (kind?.kind ?? '') : envelope.kind };
}

function formatMissingType({ kind }: GroupVersionKind, envelope: SentType): string {
  const typeMeta = `runtime.TypeMeta{APIVersion:${JSON.stringify(envelope.apiVersion)}, Kind:${JSON.stringify(envelope.kind)}}`;
  return `Object '${kind === '' ? 'Kind' : 'apiVersion'}' is missing in '${typeMeta}'`;
}

const withoutStrict = (decoded: Decoded): ProtobufDecoded =>
  decoded.outcome === 'decoded' ? { outcome: 'decoded', object: decoded.object } : decoded;

const createUndecodable = (error: string): ProtobufDecoded => ({ outcome: 'undecodable', error });

/**
 * The envelope up to a message of `length` bytes. Follows apimachinery pkg/runtime/serializer/protobuf/protobuf.go
 * Serializer.Encode.
 */
function putEnvelopeHead(writer: Writer, { kind, apiVersion }: JsonObject, length: number): Writer {
  for (const byte of prefix) writer.uint32(byte);
  writer.uint32(10).fork().uint32(10).string(asString(apiVersion)).uint32(18).string(asString(kind)).ldelim();
  writer.uint32(18).uint32(length);
  return writer;
}

/** An empty contentEncoding and contentType. */
const envelopeTail = Uint8Array.of(26, 0, 34, 0);

function requireMessageType(types: BuiltinTypes, object: JsonObject): string {
  const type = findMessageType(types, object);
  if (type !== undefined) return type;
  throw new Error(`no message for ${asString(object['apiVersion'])} ${asString(object['kind'])}`);
}

function findMessageType(types: BuiltinTypes, { kind, apiVersion }: JsonObject): string | undefined {
  const type = types.typeOfObject({ apiVersion: asString(apiVersion), kind: asString(kind) });
  if (type === 'meta.v1.Table') return undefined;
  const isOldList = type === 'meta.v1.PartialObjectMetadataList' && apiVersion === 'meta.k8s.io/v1beta1';
  return isOldList ? oldMetadataList : type;
}

/** Follows apimachinery pkg/apis/meta/v1/generated.proto WatchEvent and pkg/runtime/generated.proto RawExtension. */
const encodeWatchEvent = (library: ProtobufLibrary, type: string, object: Uint8Array): Uint8Array =>
  library.Writer.create().uint32(10).string(type).uint32(18).fork().uint32(10).bytes(object).ldelim().finish();
