import { readJson } from '../../src/machinery/json/json-reader.ts';
import type { GroupVersionKind } from '../../src/machinery/meta/gvk.ts';
import type { Draw } from '../harness/draw.ts';
import { jsonText } from './json-text.ts';
import { readMessage, type WireField, writeMessage } from './wire-format.ts';
import { defaultRelease } from '../../src/api/release/load-release.ts';

const { encode } = await defaultRelease.loadProtobuf();
const bodyLimit = 3 * 1024 * 1024;
const magic = Buffer.from('k8s\0');

/** The object as Kubernetes' protobuf with a few changed fields. */
export function protobufOf(draw: Draw, object: object, kind: GroupVersionKind): Uint8Array {
  let fields = readMessage(encoded(object, kind).subarray(magic.length)) ?? [];
  while (draw.chance(0.5)) fields = changed(draw, fields);
  const bytes = Buffer.concat([draw.chance(0.98) ? magic : Buffer.from('k8s'), writeMessage(fields)]);
  return draw.chance(0.15) ? spoiledBytes(draw, bytes) : bytes;
}

/** The object as Kubernetes' protobuf. Throws for one that is not of its kind. */
export function encoded(object: object, kind: GroupVersionKind): Uint8Array {
  const reading = readJson(jsonText(object));
  if (reading.outcome === 'unreadable') throw new Error(reading.error);
  const decoded = defaultRelease.codec.decode(reading.json, kind);
  if (decoded.outcome === 'undecodable') throw new Error(decoded.error);
  return encode(decoded.object);
}

/** Duplicates, removes, renumbers, enlarges or retypes one field at any depth. */
function changed(draw: Draw, fields: readonly WireField[]): readonly WireField[] {
  const index = draw.upTo(Math.max(0, fields.length - 1));
  const field = fields[index];
  if (field === undefined) return [oddField(draw)];
  if (field.wire === 2 && draw.chance(0.8)) {
    const inner = readMessage(field.bytes);
    if (inner && inner.length > 0) return fields.with(index, { ...field, bytes: writeMessage(changed(draw, inner)) });
  }
  return draw.one([
    () => [...fields, field],
    () => fields.toSpliced(index, 1),
    () => fields.with(index, { ...field, number: draw.one([0, 1, 2, 15, 16, 99, 536_870_911]) }),
    () => fields.with(index, oddField(draw)),
    () => [...fields, oddField(draw)],
    () => fields.with(index, { ...field, wire: 2, bytes: deep(draw, field.number) }),
    () => copies(draw, fields, field),
  ])();
}

/** As many as fit, evenly over the orders of magnitude. */
function copies(draw: Draw, fields: readonly WireField[], field: WireField): readonly WireField[] {
  const copied = draw.chance(0.3) ? { ...field, bytes: new Uint8Array(field.wire === 2 ? 0 : 1) } : field;
  const size = copied.bytes.length + 2;
  const count = Math.floor((bodyLimit * 0.9) / size / 10 ** (draw.upTo(400) / 100));
  return [...fields, ...Array.from({ length: count }, () => copied)];
}

/** A message in a message in a message … */
function deep(draw: Draw, number: number): Uint8Array {
  const depth = draw.one([10, 100, 1000, 5000]);
  let bytes: Uint8Array = new Uint8Array();
  for (let level = 0; level < depth; level += 1) bytes = writeMessage([{ number, wire: 2, bytes }]);
  return bytes;
}

const lengths: readonly ((draw: Draw) => number)[] = [
  (draw) => 1 + draw.upTo(11),
  () => 8,
  (draw) => draw.upTo(30),
  () => 0,
  () => 0,
  () => 4,
  () => 0,
  () => 0,
];

/** A field of any type, numbers of up to eleven bytes among them. */
function oddField(draw: Draw): WireField {
  const wire = draw.upTo(lengths.length - 1);
  const length = lengths[wire]?.(draw) ?? 0;
  const more = (index: number): number => (wire === 0 && index < length - 1 ? 0x80 : 0);
  const bytes = Uint8Array.from({ length }, (_none, index) => draw.upTo(127) | more(index));
  return { number: 1 + draw.upTo(20), wire, bytes };
}

function spoiledBytes(draw: Draw, bytes: Buffer): Buffer {
  const at = draw.upTo(bytes.length);
  if (draw.chance(0.3)) return bytes.subarray(0, at);
  const put = Uint8Array.from({ length: draw.upTo(4) }, () => draw.upTo(255));
  return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + draw.upTo(3))]);
}
