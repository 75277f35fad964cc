import { expect, test } from 'vitest';
import { loadSwaggerEncoder } from '../../src/http/openapi-v2-protobuf.ts';

const many = Array.from({ length: 10_000 }, (_none, at) => `v${at}`);

const rows = [
  ['values of an enum', { enum: many }],
  ['required fields', { required: many }],
  ['properties', { properties: Object.fromEntries(many.map((name) => [name, { type: 'string' }])) }],
] as const;

test.each(rows)('others are let in while ten thousand %s become a message', async (_what, schema) => {
  const encode = await loadSwaggerEncoder();
  const steps = encode({ swagger: '2.0', definitions: { a: schema } });
  let count = 0;
  for (; steps.next().done !== true; count += 1);
  expect(count).toBeGreaterThan(100);
});
