import { expect, test } from 'vitest';
import { answerReader } from '../../src/webhook-client/answer-reader.ts';
import type { AnswerState } from '../../src/webhook-client/answer-reader.ts';
import { longestHead } from '../../src/webhook-client/head-reader.ts';
import { longestAnswer } from '../../src/webhook-client/wire.ts';

/** What it comes to when the answer comes in pieces of so many bytes, and then the connection ends. */
function readIn(text: string, size: number): AnswerState {
  const reader = answerReader();
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) {
    const state = reader.read(bytes.subarray(at, at + size));
    if (state !== 'more') return state;
  }
  return reader.finish();
}

function told(state: AnswerState): string {
  if (state === 'more') return 'more';
  if (state.outcome === 'broken') return `${state.phase}: ${state.error}`;
  const { head, body, left } = state;
  return `${head.code} ${Buffer.from(body).toString('latin1')}${head.closes ? ' closes' : ''}${left > 0 ? ` ${left} left` : ''}`;
}

const ok = 'HTTP/1.1 200 OK\r\n';
const brokenBy = (text: string): string => `headers: net/http: HTTP/1.x transport connection broken: ${text}`;

// Source: Go's net/http response.go ReadResponse, transfer.go readTransfer, internal/chunked.go; net/textproto reader.go.
const answers: readonly [fact: string, text: string, comesTo: string][] = [
  ['a counted body', `${ok}Content-Length: 2\r\n\r\n{}`, '200 {}'],
  ['no body', `${ok}content-length: 0\r\n\r\n`, '200 '],
  ['a body as long as the connection', `${ok}\r\n{"a":1}`, '200 {"a":1} closes'],
  ['a body that stops short', `${ok}Content-Length: 9\r\n\r\n{}`, 'body: unexpected EOF'],
  ['a connection that is not kept', `${ok}Connection: x, Close\r\nContent-Length: 2\r\n\r\n{}`, '200 {} closes'],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}', '200 {} closes'],
  ['HTTP/1.0, kept', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n{}', '200 {}'],
  ['lines that end without a return', 'HTTP/1.1 200 OK\nContent-Length: 2\n\n{}', '200 {}'],
  ['no reason', 'HTTP/1.1 204\x20\r\n\r\n', '204 '],
  ['304 with a length of what it does not send', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n', '304 '],
  ['an announcement first', `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${ok}Content-Length: 2\r\n\r\n{}`, '200 {}'],
  ['a line that goes on', `${ok}X: a\r\n  b\r\nContent-Length: 2\r\n\r\n{}`, '200 {}'],
  ['a length told twice', `${ok}Content-Length: 2\r\ncontent-length: 2\r\n\r\n{}`, '200 {}'],
  ['chunks', `${ok}Transfer-Encoding: Chunked\r\n\r\n1;x=y\r\n{\r\n1 \r\n}\r\n0\r\n\r\n`, '200 {}'],
  ['chunks and a trailer', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nA: b\r\n\r\n`, '200 {}'],
  ['chunks and a length', `${ok}Transfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, '200 {}'],
  ['nothing', '', 'headers: EOF'],
  ['half a head', 'HTTP/1.1 200 OK\r\nContent-', brokenBy('unexpected EOF')],
  ['words', 'hello\r\n', brokenBy('malformed HTTP response "hello"')],
  ['a word and more', 'hello there\r\n', brokenBy('malformed HTTP status code "there"')],
  ['a code of four digits', 'HTTP/1.1 2000 OK\r\n', brokenBy('malformed HTTP status code "2000"')],
  ['another protocol', 'HTCPCP/1.0 418 I\r\n', brokenBy('malformed HTTP version "HTCPCP/1.0"')],
  ['a line without a colon', `${ok}Content\r\n\r\n`, brokenBy('malformed MIME header: missing colon: "Content"')],
  ['a name with a bracket', `${ok}a[]: b\r\n\r\n`, brokenBy('malformed MIME header line: "a[]: b"')],
  ['a value with a zero', `${ok}a: \0\r\n\r\n`, brokenBy('malformed MIME header line: "a: \\x00"')],
  ['a space before the first', `${ok} a: b\r\n\r\n`, brokenBy('malformed MIME header initial line: " a: b"')],
  ['a length that is none', `${ok}Content-Length: -1\r\n\r\n`, brokenBy('bad Content-Length "-1"')],
  ['an empty length', `${ok}Content-Length:\r\n\r\n`, brokenBy('invalid empty Content-Length ""')],
  [
    'two lengths',
    `${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    brokenBy('http: message cannot contain multiple Content-Length headers; got ["1" "2"]'),
  ],
  ['another encoding', `${ok}Transfer-Encoding: gzip\r\n\r\n`, brokenBy('unsupported transfer encoding: "gzip"')],
  [
    'two encodings',
    `${ok}Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n`,
    brokenBy('too many transfer encodings: ["chunked" "gzip"]'),
  ],
  ['chunks that stop short', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\n{`, 'body: unexpected EOF'],
  [
    'chunks without their end',
    `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`,
    'body: http: unexpected EOF reading trailer',
  ],
  ['a size that is none', `${ok}Transfer-Encoding: chunked\r\n\r\n2g\r\n`, 'body: invalid byte in chunk length'],
  ['no size', `${ok}Transfer-Encoding: chunked\r\n\r\n;x\r\n`, 'body: empty hex number for chunk length'],
  [
    'a size of 17 digits',
    `${ok}Transfer-Encoding: chunked\r\n\r\n${'1'.repeat(17)}\r\n`,
    'body: http chunk length too large',
  ],
  ['a size without a return', `${ok}Transfer-Encoding: chunked\r\n\r\n2\n`, 'body: chunked line ends with bare LF'],
  ['a return in a size', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r;\r\n`, 'body: invalid CR in chunked line'],
  ['a chunk that goes on', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\n{}}\r\n`, 'body: malformed chunked encoding'],
  ['a long extension', `${ok}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(4096)}`, 'body: header line too long'],
  [
    'long extensions',
    `${ok}Transfer-Encoding: chunked\r\n\r\n${`1;${'x'.repeat(4000)}\r\nx\r\n`.repeat(5)}`,
    'body: chunked encoding contains too much non-data',
  ],
  [
    'a long trailer',
    `${ok}Transfer-Encoding: chunked\r\n\r\n0\r\na: ${'x'.repeat(4096)}`,
    'body: http: suspiciously long trailer after chunked body',
  ],
  [
    'a wrong trailer',
    `${ok}Transfer-Encoding: chunked\r\n\r\n0\r\na\r\n\r\n`,
    'body: malformed MIME header: missing colon: "a"',
  ],
  [
    'a head without end',
    `${ok}a: ${'x'.repeat(longestHead)}`,
    brokenBy(`net/http: server response headers exceeded ${longestHead} bytes; aborted`),
  ],
  [
    'announcements by the thousand in one piece, and then the answer',
    `${'HTTP/1.1 100\n\n'.repeat(5000)}${ok}Content-Length: 2\r\n\r\n{}`,
    '200 {}',
  ],
  [
    'announcements without end',
    'HTTP/1.1 100\n\n'.repeat(longestHead / 14 + 1),
    brokenBy(`net/http: server response headers exceeded ${longestHead} bytes; aborted`),
  ],
];

test.each(answers)('%s', (_fact, text, comesTo) => {
  expect(told(readIn(text, 100_000))).toBe(comesTo);
  expect(told(readIn(text, 1))).toBe(comesTo);
});

test('what is no answer is known by its first line', () => {
  expect(told(answerReader().read(Buffer.from('hello\r\n')))).toBe(brokenBy('malformed HTTP response "hello"'));
});

test('what comes behind an answer is counted', () => {
  expect(told(readIn(`${ok}Content-Length: 2\r\n\r\n{}{}`, 100_000))).toBe('200 {} 2 left');
});

// Ours: kube-apiserver reads an answer of any length.
test.each([
  ['counted', `Content-Length: ${longestAnswer + 1}\r\n\r\n`, 'x'],
  [
    'in chunks',
    'Transfer-Encoding: chunked\r\n\r\n',
    `${(longestAnswer + 1).toString(16)}\r\n${'x'.repeat(longestAnswer + 1)}`,
  ],
  ['without a length', '\r\n', 'x'.repeat(longestAnswer + 1)],
])('a body that is too long, %s', (_how, head, body) => {
  expect(told(readIn(`${ok}${head}${body}`, 100_000))).toMatch(/^body: the answer is longer than 8388608 bytes/);
});
