import { expect, test } from 'vitest';
import { traceContextIn, traceContextOf } from '../../../src/adapters/telemetry/propagation.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const span = 'b7ad6b7169203331';

// Source: W3C Trace Context, section 3.2.
test.each<[string, boolean]>([
  [`00-${trace}-${span}-01`, true],
  [`00-${trace}-${span}-00`, true],
  [`01-${trace}-${span}-01-more`, true],
  [`00-${trace}-${span}-01-more`, false],
  [`ff-${trace}-${span}-01`, false],
  [`00-${'0'.repeat(32)}-${span}-01`, false],
  [`00-${trace}-${'0'.repeat(16)}-01`, false],
  [`00-${trace.toUpperCase()}-${span}-01`, false],
  ['nonsense', false],
  ['', false],
])('traceparent %j is usable: %s', (traceparent, isUsable) => {
  expect(traceContextIn({ headers: { traceparent } }) !== undefined).toBe(isUsable);
});

test('the flags say whether the caller records it', () => {
  const sampled = (flags: string) =>
    traceContextIn({ headers: { traceparent: `00-${trace}-${span}-${flags}` } })?.isSampled;
  expect(['00', '01', '02', '03'].map(sampled)).toEqual([false, true, false, true]);
});

test('a trace that begins here has the Audit-Id for its id, or a hash of it', () => {
  const idFor = (auditId: string) => traceContextOf({ headers: {}, auditId }).traceId;
  expect(idFor('0af76519-16cd-43dd-8448-eb211c80319c')).toBe(trace);
  expect(idFor('mine')).toMatch(/^[0-9a-f]{32}$/);
  expect(idFor('mine')).not.toBe(idFor('yours'));
});
