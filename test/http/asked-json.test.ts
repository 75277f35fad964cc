import { expect, test } from 'vitest';
import { askedJson } from '../../src/http/asked-json.ts';
import { impatient } from '../harness/impatient.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each<[text: string, asked: object]>([
  ['{"on":"a"}', { outcome: 'read', value: { on: 'a' } }],
  ['[1,"ü"]', { outcome: 'read', value: [1, 'ü'] }],
  ['{', { outcome: 'unreadable', problem: 'the body is no JSON: unexpected end of JSON input' }],
])('%s', (text, asked) => {
  expect(askedJson({ body: bytes(text) })).toEqual(asked);
});

test('others are let in while megabytes are read', async () => {
  const wide = Object.fromEntries(Array.from({ length: 6_000 }, (_none, at) => [`ü${at}`, [at]]));
  const pause = impatient();
  const asked = await askedJson({ body: bytes(JSON.stringify(wide)), pause });
  expect(asked).toEqual({ outcome: 'read', value: wide });
  expect(pause.turns()).toBeGreaterThan(5);
});
