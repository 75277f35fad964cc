import { readJson } from '../../src/machinery/json/json-reader.ts';
import type { GroupVersionKind } from '../../src/machinery/meta/gvk.ts';
import type { RandomChoices } from '../harness/random-choices.ts';
import { jsonText } from './json-text.ts';
import { readMessage, type WireField, writeMessage } from './wire-format.ts';
import { defaultRelease } from '../../src/api/release/load-release.ts';

const { encode } = await defaultRelease.loadProtobuf();
const bodyLimit = 3 * 1024 * 1024;
const magic = Buffer.from('k8s\0');

/** The object as Kubernetes' protobuf with a few changed fields. */
export function generateProtobuf(random: RandomChoices, object: object, kind: GroupVersionKind): Uint8Array {
  let fields = readMessage(encodeObject(object, kind).subarray(magic.length)) ?? [];
  while (random.chance(0.5)) fields = changeField(random, fields);
  const bytes = Buffer.concat([random.chance(0.98) ? magic : Buffer.from('k8s'), writeMessage(fields)]);
  return random.chance(0.15) ? corruptBytes(random, bytes) : bytes;
}

/** The object as Kubernetes' protobuf. Throws for one that is not of its kind. */
export function encodeObject(object: object, kind: GroupVersionKind): Uint8Array {
  const reading = readJson(jsonText(object));
  if (reading.outcome === 'unreadable') throw new Error(reading.error);
  const decoded = defaultRelease.codec.decode(reading.json, kind);
  if (decoded.outcome === 'undecodable') throw new Error(decoded.error);
  return encode(decoded.object);
}

/** Duplicates, removes, renumbers, enlarges or retypes one field at any depth. */
function changeField(random: RandomChoices, fields: readonly WireField[]): readonly WireField[] {
  const index = random.upTo(Math.max(0, fields.length - 1));
  const field = fields[index];
  if (field === undefined) return [oddField(random)];
  if (field.wire === 2 && random.chance(0.8)) {
    const inner = readMessage(field.bytes);
    if (inner && inner.length > 0)
      return fields.with(index, { ...field, bytes: writeMessage(changeField(random, inner)) });
  }
  return random.pick([
    () => [...fields, field],
    () => fields.toSpliced(index, 1),
    () => fields.with(index, { ...field, number: random.pick([0, 1, 2, 15, 16, 99, 536_870_911]) }),
    () => fields.with(index, oddField(random)),
    () => [...fields, oddField(random)],
    () => fields.with(index, { ...field, wire: 2, bytes: nestMessages(random, field.number) }),
    () => copyField(random, fields, field),
  ])();
}

/** As many as fit, evenly over the orders of magnitude. */
function copyField(random: RandomChoices, fields: readonly WireField[], field: WireField): readonly WireField[] {
  const copied = random.chance(0.3) ? { ...field, bytes: new Uint8Array(field.wire === 2 ? 0 : 1) } : field;
  const size = copied.bytes.length + 2;
  const count = Math.floor((bodyLimit * 0.9) / size / 10 ** (random.upTo(400) / 100));
  return [...fields, ...Array.from({ length: count }, () => copied)];
}

/** A message in a message in a message … */
function nestMessages(random: RandomChoices, number: number): Uint8Array {
  const depth = random.pick([10, 100, 1000, 5000]);
  let bytes: Uint8Array = new Uint8Array();
  for (let level = 0; level < depth; level += 1) bytes = writeMessage([{ number, wire: 2, bytes }]);
  return bytes;
}

const lengths: readonly ((random: RandomChoices) => number)[] = [
  (random) => 1 + random.upTo(11),
  () => 8,
  (random) => random.upTo(30),
  () => 0,
  () => 0,
  () => 4,
  () => 0,
  () => 0,
];

/** A field of any type, numbers of up to eleven bytes among them. */
function oddField(random: RandomChoices): WireField {
  const wire = random.upTo(lengths.length - 1);
  const length = lengths[wire]?.(random) ?? 0;
  const more = (index: number): number => (wire === 0 && index < length - 1 ? 0x80 : 0);
  const bytes = Uint8Array.from({ length }, (_none, index) => random.upTo(127) | more(index));
  return { number: 1 + random.upTo(20), wire, bytes };
}

function corruptBytes(random: RandomChoices, bytes: Buffer): Buffer {
  const at = random.upTo(bytes.length);
  if (random.chance(0.3)) return bytes.subarray(0, at);
  const put = Uint8Array.from({ length: random.upTo(4) }, () => random.upTo(255));
  return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + random.upTo(3))]);
}
