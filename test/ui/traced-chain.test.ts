import { expect, test } from 'vitest';
import { modelOf } from '../../src/explain/render/model.ts';
import type { Trace, TracedPlugin } from '../../src/explain/trace/trace.ts';
import { createTracedChain } from '../../src/ui/traced-chain.ts';
import { someTrace, someWebhook } from './some-trace.ts';

const plugin = (name: string, over: Partial<TracedPlugin> = {}): TracedPlugin => ({
  type: 'plugin',
  name,
  phase: 'mutating',
  round: 0,
  outcome: 'passed',
  milliseconds: 0,
  ...over,
});

const stages = ['mutating-admission', 'prepare-for-storage', 'validating-admission'].map((name) => ({
  name,
  startedAt: 1000,
  milliseconds: 0,
  passed: true,
}));

/** `title: stop word tone, …` */
const lines = (over: Partial<Trace>): readonly string[] => {
  const trace = someTrace({ stages, ...over });
  return createTracedChain(trace, modelOf(trace)).map(
    ({ title, participants }) =>
      `${title}: ${participants.map((stop) => `${stop.name} ${stop.word} ${stop.tone}`).join('; ')}`,
  );
};

test('an admitted request ends where it is stored; plugins in a row are one stop', () => {
  const admission = [
    plugin('NamespaceLifecycle'),
    plugin('Priority', { outcome: 'changed' }),
    someWebhook({ name: 'a.example.com' }),
    plugin('ResourceQuota', { phase: 'validating' }),
  ];
  expect(lines({ admission })).toEqual([
    'Mutating: NamespaceLifecycle, Priority 2 plugins quiet; a.example.com called good',
    'The API server itself: defaults, pruning and validation API server quiet',
    'Validating: ResourceQuota 1 plugin quiet',
    'Stored: written API server quiet',
  ]);
});

test('a refused request ends at the stop that refused it', () => {
  const denied = someWebhook({ name: 'b.example.com', phase: 'validating', outcome: 'denied' });
  const response = { code: 403, status: { message: 'no' }, warnings: [] };
  expect(lines({ verdict: 'refused', response, admission: [denied] })).toEqual([
    'The API server itself: defaults, pruning and validation API server quiet',
    'Validating: b.example.com denied bad',
  ]);
});

test('the API server is a stop of its own when it refuses the object', () => {
  const refusing = stages.slice(0, 2).map((stage, at) => ({ ...stage, passed: at === 0 }));
  const response = { code: 422, status: { message: 'no' }, warnings: [] };
  expect(lines({ verdict: 'refused', response, stages: refusing, admission: [plugin('Priority')] })).toEqual([
    'Mutating: Priority 1 plugin quiet',
    'The API server itself: defaults, pruning and validation API server bad',
  ]);
});

test('a dry run stores nothing; a delete removes', () => {
  const { request } = someTrace();
  expect(lines({ request: { ...request, dryRun: true } }).at(-1)).toBe(
    'Stored: nothing: this was a dry run API server quiet',
  );
  expect(lines({ request: { ...request, verb: 'delete' }, stages: [] })).toEqual([
    'Stored: removed, or marked as being deleted API server quiet',
  ]);
});
