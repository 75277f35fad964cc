import type { RandomChoices } from '../../harness/random-choices.ts';
import { oddTexts, corruptText } from '../../harness/hostile-value.ts';
import type { BytesAct, Target } from '../case.ts';
import { splitBytes } from '../split-bytes.ts';

/** Raw HTTP/1.1: request lines, headers, lengths and chunks, valid and invalid. */
export const httpOne: Target = {
  name: 'http1',
  generate: (random) => {
    const requests = Array.from({ length: 1 + (random.chance(0.3) ? random.upTo(20) : 0) }, () => message(random)).join(
      '',
    );
    const text = random.chance(0.3) ? corruptText(random, requests) : requests;
    const act: BytesAct = {
      act: 'bytes',
      protocol: 'http/1.1',
      chunks: splitBytes(random, Buffer.from(text, 'latin1')),
    };
    return [act];
  },
};

const paths = [
  '/api/v1/namespaces/default/configmaps',
  '/healthz',
  '/api',
  '/openapi/v2',
  '/apis',
  '*',
  '/',
  '//',
  '/%',
  '/%00',
  '/a?b=%zz',
  'https://a/api',
  'http://[',
  '/api/v1/../v1/pods',
  '/\\',
  '/é',
  '',
] as const;
const methods = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'CONNECT',
  'TRACE',
  'PRI',
  'get',
  'G\tT',
  'M-SEARCH',
] as const;
const versions = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/2.0',
  'HTTP/0.9',
  'HTTP/1.',
  'http/1.1',
  '',
] as const;

function message(random: RandomChoices): string {
  const path = random.chance(0.7)
    ? random.pick(paths)
    : `/api/v1/namespaces/default/configmaps?${random.pick(['labelSelector=', 'x='])}${'a'.repeat(random.upTo(3000))}`;
  const body = random.chance(0.5)
    ? ''
    : random.pick(['{"metadata":{"generateName":"a-"}}', '{}', 'x'.repeat(random.upTo(100_000))]);
  const framed = frameBody(random, body);
  const headers = [
    'Host: localhost',
    'Content-Type: application/json',
    ...framed.headers,
    ...Array.from({ length: random.upTo(4) }, () => header(random)),
  ];
  return `${random.pick(methods)} ${path} ${random.pick(versions)}\r\n${headers.join('\r\n')}\r\n\r\n${framed.body}`;
}

interface Framed {
  readonly headers: readonly string[];
  readonly body: string;
}

/** The framing of the body, valid or not. */
function frameBody(random: RandomChoices, body: string): Framed {
  const length = String(body.length);
  const size = body.length.toString(16);
  const chunked = `${size}\r\n${body}\r\n0\r\n\r\n`;
  const coding = 'Transfer-Encoding: chunked';
  return random.pick<readonly [Framed, ...Framed[]]>([
    { headers: [`Content-Length: ${length}`], body },
    { headers: [`Content-Length: ${length}`], body },
    { headers: [coding], body: chunked },
    { headers: [coding], body: `${size};a=b\r\n${body}\r\n0\r\nX-Trailer: 1\r\n\r\n` },
    { headers: [coding, `Content-Length: ${length}`], body: chunked },
    { headers: [`Content-Length: ${length}`, `Content-Length: ${length}1`], body },
    { headers: [`Content-Length: +${length}`], body },
    { headers: [`Content-Length: -1`], body },
    { headers: ['Content-Length: 99999999999999999999'], body },
    { headers: [`Content-Length: ${body.length + 50}`], body },
    { headers: ['Transfer-Encoding: chunked, chunked'], body: chunked },
    { headers: ['Transfer-Encoding: gzip'], body },
    { headers: ['Transfer-Encoding:\vchunked'], body: chunked },
    { headers: [coding], body: `${'f'.repeat(17)}\r\n${body}` },
    { headers: [coding], body: `-1\r\n${body}\r\n0\r\n\r\n` },
    { headers: [coding], body: `${'1\r\na\r\n'.repeat(random.upTo(20_000))}0\r\n\r\n` },
    { headers: ['Expect: 100-continue', `Content-Length: ${length}`], body },
    { headers: ['Expect: the-unexpected'], body },
    { headers: ['Content-Encoding: gzip', `Content-Length: ${length}`], body },
  ]);
}

const header = (random: RandomChoices): string =>
  random.pick([
    () =>
      `${random.pick(['X-A', 'Accept', 'Accept-Encoding', 'Authorization', 'Impersonate-User', 'Impersonate-Extra-A', 'If-None-Match', 'Audit-Id', 'Content-Type', 'Connection', 'Upgrade', 'Cookie', '__proto__', 'constructor', ':path', 'Traceparent'])}: ${random.pick(oddTexts)}`,
    () => `Accept: ${'application/json;q=0.1,'.repeat(random.upTo(5000))}*/*`,
    () => `X-Large: ${'x'.repeat(random.upTo(1_200_000))}`,
    () => Array.from({ length: random.upTo(3000) }, (_none, index) => `X-${index}: 1`).join('\r\n') || 'X: 1',
    () => ' folded: 1',
    () => 'NoColon',
    () => 'Name : space',
    () => 'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    () => 'Upgrade: websocket\r\nConnection: Upgrade',
    () => 'Connection: close',
    () => 'Host: a\r\nHost: b',
    () => `Traceparent: 00-${'0'.repeat(32)}-${'0'.repeat(16)}-ff`,
    () => 'Accept: application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=PartialObjectMetadata;v=v9',
  ])();
