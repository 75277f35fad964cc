import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { escapedJson, isEmbeddable, pageFile } from '../../../src/explain/trace/page-html.ts';
import { readTraceFile } from '../../../src/adapters/traces/trace-file.ts';
import { someTrace } from '../../ui/some-trace.ts';

const page = { script: 'run()', style: 'p {}' };
const hashes = { script: 'sha256-a', style: 'sha256-b' };
const nasty = someTrace({ id: '</script><script>alert(1)</script><!-- \u2028' });

const plain = (data: object) => ({ text: JSON.stringify(data), isPacked: false });

test('no text of a trace can end its script', () => {
  const text = pageFile(page, plain({ items: [nasty] }), hashes);
  expect(text.match(/<script/g)).toHaveLength(2);
  expect(text).not.toContain('<!--');
  expect(text).not.toContain('\u2028');
  expect(JSON.parse(escapedJson(JSON.stringify(nasty)))).toEqual(nasty);
});

test('a trace file is read back unchanged', () => {
  const text = pageFile(page, plain({ traceVersion: 1, items: [nasty, someTrace()] }), hashes);
  expect(readTraceFile(text)).toEqual({ outcome: 'read', traces: [nasty, someTrace()] });
});

test('the unpacked size is bounded', () => {
  const json = JSON.stringify({ items: [someTrace()] });
  const text = gzipSync(json).toString('base64');
  const file = pageFile(page, { text, isPacked: true }, hashes);
  expect(readTraceFile(file, json.length)).toMatchObject({ outcome: 'read' });
  expect(readTraceFile(file, json.length - 1)).toMatchObject({ outcome: 'unreadable' });
});

test('much of it is packed', () => {
  const text = gzipSync(JSON.stringify({ items: [nasty] })).toString('base64');
  expect(readTraceFile(pageFile(page, { text, isPacked: true }, hashes))).toEqual({ outcome: 'read', traces: [nasty] });
  expect(readTraceFile(pageFile(page, { text: 'H4sI', isPacked: true }, hashes))).toMatchObject({
    problem: 'is neither a trace file nor the JSON of traces',
  });
});

test('only the script and the style of the page itself run', () => {
  expect(pageFile(page, plain({}), hashes)).toContain(
    `default-src 'none'; script-src 'sha256-a'; style-src 'sha256-b'; img-src data:`,
  );
  expect([isEmbeddable('a < b'), isEmbeddable('"</script>"'), isEmbeddable('<!--')]).toEqual([true, false, false]);
});

const readings: readonly [fact: string, text: string, reading: object][] = [
  ['one trace, as --trace-dir writes it', JSON.stringify(someTrace()), { traces: [someTrace()] }],
  ['a list', JSON.stringify([someTrace()]), { traces: [someTrace()] }],
  ['items', JSON.stringify({ items: [] }), { traces: [] }],
  ['no JSON', 'hello', { problem: 'is neither a trace file nor the JSON of traces' }],
  ['another document', '{"kind":"Pod"}', { problem: 'contains something other than traces: traceVersion is missing' }],
  [
    'a trace without its request',
    '{"traceVersion":1,"id":"a"}',
    { problem: 'contains an incomplete trace: request is missing' },
  ],
  [
    'a trace whose id is a number',
    '{"traceVersion":1,"id":1}',
    { problem: 'contains an incomplete trace: id is not a string' },
  ],
  ['null', 'null', { problem: 'contains something other than traces: a trace is an object' }],
  ['a later version', '{"traceVersion":2}', { problem: 'contains a trace of version 2; this kadmit reads version 1' }],
];

test.each(readings)('%s', (_fact, text, reading) => {
  expect(readTraceFile(text)).toMatchObject(reading);
});
