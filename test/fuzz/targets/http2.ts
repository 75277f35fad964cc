import type { RandomChoices } from '../../harness/random-choices.ts';
import type { BytesAct, Target } from '../case.ts';
import { splitBytes } from '../split-bytes.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** Raw HTTP/2: frames of every type, in every order, with lengths and flags that may be wrong. */
export const httpTwo: Target = {
  name: 'http2',
  // Idle connections live for 90 s.
  releaseMs: 95_000,
  generate: (random) => {
    const opening = [
      random.chance(0.98) ? preface : Buffer.from('PRI * HTTP/2.0\r\n\r\n'),
      frame(4, 0, 0, settings(random)),
    ];
    const frames = Array.from({ length: 1 + random.upTo(12) }, () => repeatFrame(random, oneFrame(random)));
    const bytes = Buffer.concat([...opening, ...frames]);
    const act: BytesAct = {
      act: 'bytes',
      protocol: 'h2',
      chunks: splitBytes(random, random.chance(0.2) ? flipBytes(random, bytes) : bytes),
    };
    return [act];
  },
};

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length % 0x1000000, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Floods repeat one frame. */
const repeatFrame = (random: RandomChoices, bytes: Buffer): Buffer =>
  random.chance(0.06) && bytes.length < 200
    ? Buffer.concat(Array.from({ length: random.upTo(3000) }, () => bytes))
    : bytes;

const streams = [1, 1, 1, 3, 5, 0, 2, 0x7fffffff, 0xffffffff] as const;

function oneFrame(random: RandomChoices): Buffer {
  const stream = random.pick(streams);
  return random.pick([
    () => frame(1, random.pick([4, 5, 0, 1, 0x2d, 0xff]), stream, headerBlock(random)),
    () => frame(1, 5, stream, headerBlock(random)),
    () => frame(1, 4, stream, headerBlock(random)),
    () => frame(0, random.pick([0, 1, 8, 9]), stream, Buffer.alloc(random.upTo(20_000), 'x')),
    () => frame(0, 1, stream, Buffer.from('{"metadata":{"generateName":"a-"}}')),
    () => frame(2, 0, stream, randomBytes(random, random.pick([5, 4, 6]))),
    () => frame(3, 0, stream, randomBytes(random, random.pick([4, 4, 3]))),
    () => frame(4, random.pick([0, 1]), random.pick([0, 1]), settings(random)),
    () => frame(5, 4, stream, headerBlock(random)),
    () => frame(6, random.pick([0, 1]), random.pick([0, 1]), randomBytes(random, random.pick([8, 7]))),
    () => frame(7, 0, 0, randomBytes(random, 8 + random.upTo(20))),
    () =>
      frame(
        8,
        0,
        stream,
        random.pick([Buffer.from([0, 0, 0, 0]), Buffer.from([0x7f, 0xff, 0xff, 0xff]), Buffer.from([0, 0, 0, 1])]),
      ),
    () => frame(9, random.pick([0, 4]), stream, headerBlock(random)),
    () => frame(random.upTo(255), random.upTo(255), stream, randomBytes(random, random.upTo(50))),
  ])();
}

function settings(random: RandomChoices): Buffer {
  const entries = Array.from({ length: random.upTo(5) }, () => {
    const entry = Buffer.alloc(6);
    entry.writeUInt16BE(random.pick([1, 2, 3, 4, 5, 6, 8, 99]), 0);
    entry.writeUInt32BE(random.pick([0, 1, 100, 16_384, 65_535, 0x7fffffff, 0xffffffff]), 2);
    return entry;
  });
  return Buffer.concat(random.chance(0.05) ? [...entries, Buffer.from([0])] : entries);
}

/** HPACK without tables and Huffman: each header is a literal. */
function headerBlock(random: RandomChoices): Buffer {
  if (random.chance(0.08)) return randomBytes(random, random.upTo(60));
  const fields: readonly (readonly [string, string])[] = [
    [':method', random.pick(['GET', 'GET', 'POST', 'DELETE', 'CONNECT', ''])],
    [
      ':path',
      random.pick([
        '/api',
        '/healthz',
        '/api/v1/namespaces/default/configmaps',
        '/api/v1/pods?watch=1',
        '',
        '*',
        '/%00',
      ]),
    ],
    [':scheme', random.pick(['https', 'https', 'ftp', ''])],
    [':authority', random.pick(['localhost', '', 'a b'])],
    ['content-type', random.pick(['application/json', 'application/yaml', ''])],
  ];
  const kept = fields.filter(() => random.chance(0.95));
  const more = Array.from({ length: random.upTo(3) }, () => extra(random));
  const all = random.chance(0.05) ? [...more, ...kept] : [...kept, ...more];
  return Buffer.concat(all.map(([name, value]) => literal(name, value)));
}

const extra = (random: RandomChoices): readonly [string, string] =>
  random.pick<readonly [readonly [string, string], ...(readonly [string, string])[]]>([
    ['accept', 'application/json'],
    ['content-length', random.pick(['0', '34', '-1', '99999999', 'x'])],
    ['Upper-Case', 'x'],
    ['connection', 'close'],
    ['transfer-encoding', 'chunked'],
    ['te', 'trailers'],
    ['__proto__', 'x'],
    [':path', '/twice'],
    [':protocol', 'websocket'],
    ['cookie', 'x'.repeat(random.upTo(16_000))],
    ['impersonate-user', '\u0000'],
    ['', 'x'],
    ['a b', 'x\r\ny: z'],
    ['expect', '100-continue'],
  ]);

function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), withLength(Buffer.from(name)), withLength(Buffer.from(value))]);
}

/** A text preceded by its length, an integer with a prefix of seven bits. */
function withLength(bytes: Buffer): Buffer {
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let left = bytes.length - 127;
  for (; left >= 128; left = Math.floor(left / 128)) length.push((left % 128) | 128);
  return Buffer.concat([Buffer.from([...length, left]), bytes]);
}

const randomBytes = (random: RandomChoices, length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, () => random.upTo(255)));

function flipBytes(random: RandomChoices, bytes: Buffer): Buffer {
  const made = Buffer.from(bytes);
  for (let count = 0; count <= random.upTo(5); count += 1) made[random.upTo(made.length - 1)] = random.upTo(255);
  return made;
}
