import type { Draw } from '../../harness/draw.ts';
import type { BytesAct, Target } from '../case.ts';
import { inChunks } from '../chunks.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** Raw HTTP/2: frames of every type, in every order, with lengths and flags that may be wrong. */
export const httpTwo: Target = {
  name: 'http2',
  // Idle connections live for 90 s.
  lingersMs: 95_000,
  draw: (draw) => {
    const opening = [
      draw.chance(0.98) ? preface : Buffer.from('PRI * HTTP/2.0\r\n\r\n'),
      frame(4, 0, 0, settings(draw)),
    ];
    const frames = Array.from({ length: 1 + draw.upTo(12) }, () => many(draw, oneFrame(draw)));
    const bytes = Buffer.concat([...opening, ...frames]);
    const act: BytesAct = {
      act: 'bytes',
      protocol: 'h2',
      chunks: inChunks(draw, draw.chance(0.2) ? flipped(draw, bytes) : bytes),
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
const many = (draw: Draw, bytes: Buffer): Buffer =>
  draw.chance(0.06) && bytes.length < 200 ? Buffer.concat(Array.from({ length: draw.upTo(3000) }, () => bytes)) : bytes;

const streams = [1, 1, 1, 3, 5, 0, 2, 0x7fffffff, 0xffffffff] as const;

function oneFrame(draw: Draw): Buffer {
  const stream = draw.one(streams);
  return draw.one([
    () => frame(1, draw.one([4, 5, 0, 1, 0x2d, 0xff]), stream, headerBlock(draw)),
    () => frame(1, 5, stream, headerBlock(draw)),
    () => frame(1, 4, stream, headerBlock(draw)),
    () => frame(0, draw.one([0, 1, 8, 9]), stream, Buffer.alloc(draw.upTo(20_000), 'x')),
    () => frame(0, 1, stream, Buffer.from('{"metadata":{"generateName":"a-"}}')),
    () => frame(2, 0, stream, random(draw, draw.one([5, 4, 6]))),
    () => frame(3, 0, stream, random(draw, draw.one([4, 4, 3]))),
    () => frame(4, draw.one([0, 1]), draw.one([0, 1]), settings(draw)),
    () => frame(5, 4, stream, headerBlock(draw)),
    () => frame(6, draw.one([0, 1]), draw.one([0, 1]), random(draw, draw.one([8, 7]))),
    () => frame(7, 0, 0, random(draw, 8 + draw.upTo(20))),
    () =>
      frame(
        8,
        0,
        stream,
        draw.one([Buffer.from([0, 0, 0, 0]), Buffer.from([0x7f, 0xff, 0xff, 0xff]), Buffer.from([0, 0, 0, 1])]),
      ),
    () => frame(9, draw.one([0, 4]), stream, headerBlock(draw)),
    () => frame(draw.upTo(255), draw.upTo(255), stream, random(draw, draw.upTo(50))),
  ])();
}

function settings(draw: Draw): Buffer {
  const entries = Array.from({ length: draw.upTo(5) }, () => {
    const entry = Buffer.alloc(6);
    entry.writeUInt16BE(draw.one([1, 2, 3, 4, 5, 6, 8, 99]), 0);
    entry.writeUInt32BE(draw.one([0, 1, 100, 16_384, 65_535, 0x7fffffff, 0xffffffff]), 2);
    return entry;
  });
  return Buffer.concat(draw.chance(0.05) ? [...entries, Buffer.from([0])] : entries);
}

/** HPACK without tables and Huffman: each header is a literal. */
function headerBlock(draw: Draw): Buffer {
  if (draw.chance(0.08)) return random(draw, draw.upTo(60));
  const fields: readonly (readonly [string, string])[] = [
    [':method', draw.one(['GET', 'GET', 'POST', 'DELETE', 'CONNECT', ''])],
    [
      ':path',
      draw.one(['/api', '/healthz', '/api/v1/namespaces/default/configmaps', '/api/v1/pods?watch=1', '', '*', '/%00']),
    ],
    [':scheme', draw.one(['https', 'https', 'ftp', ''])],
    [':authority', draw.one(['localhost', '', 'a b'])],
    ['content-type', draw.one(['application/json', 'application/yaml', ''])],
  ];
  const kept = fields.filter(() => draw.chance(0.95));
  const more = Array.from({ length: draw.upTo(3) }, () => extra(draw));
  const all = draw.chance(0.05) ? [...more, ...kept] : [...kept, ...more];
  return Buffer.concat(all.map(([name, value]) => literal(name, value)));
}

const extra = (draw: Draw): readonly [string, string] =>
  draw.one<readonly [readonly [string, string], ...(readonly [string, string])[]]>([
    ['accept', 'application/json'],
    ['content-length', draw.one(['0', '34', '-1', '99999999', 'x'])],
    ['Upper-Case', 'x'],
    ['connection', 'close'],
    ['transfer-encoding', 'chunked'],
    ['te', 'trailers'],
    ['__proto__', 'x'],
    [':path', '/twice'],
    [':protocol', 'websocket'],
    ['cookie', 'x'.repeat(draw.upTo(16_000))],
    ['impersonate-user', '\u0000'],
    ['', 'x'],
    ['a b', 'x\r\ny: z'],
    ['expect', '100-continue'],
  ]);

function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), sized(Buffer.from(name)), sized(Buffer.from(value))]);
}

/** A text preceded by its length, an integer with a prefix of seven bits. */
function sized(bytes: Buffer): Buffer {
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let left = bytes.length - 127;
  for (; left >= 128; left = Math.floor(left / 128)) length.push((left % 128) | 128);
  return Buffer.concat([Buffer.from([...length, left]), bytes]);
}

const random = (draw: Draw, length: number): Buffer => Buffer.from(Uint8Array.from({ length }, () => draw.upTo(255)));

function flipped(draw: Draw, bytes: Buffer): Buffer {
  const made = Buffer.from(bytes);
  for (let count = 0; count <= draw.upTo(5); count += 1) made[draw.upTo(made.length - 1)] = draw.upTo(255);
  return made;
}
