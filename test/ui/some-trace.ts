import type { Trace, TracedWebhook } from '../../src/explain/trace/trace.ts';

/** The trace of a create that nothing happened to, with what a test is about. */
export const someTrace = (over: Partial<Trace> = {}): Trace => ({
  traceVersion: 1,
  id: 'id',
  startedAt: 1000,
  milliseconds: 100,
  verdict: 'admitted',
  request: {
    method: 'POST',
    path: '/api/v1/namespaces/shop/pods',
    query: '',
    verb: 'create',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    namespace: 'shop',
    name: 'web',
    dryRun: false,
    userAgent: '',
    user: { username: 'alice' },
  },
  stages: [],
  admission: [],
  objectBefore: null,
  objectAfter: null,
  response: { code: 201, status: null, warnings: [] },
  auditAnnotations: {},
  ...over,
});

/** A webhook that was called. */
export const someWebhook = (over: Partial<TracedWebhook> = {}): TracedWebhook => ({
  type: 'webhook',
  configuration: 'checks',
  name: 'a.example.com',
  phase: 'mutating',
  round: 0,
  index: 0,
  outcome: 'called',
  startedAt: 1010,
  milliseconds: 5,
  ...over,
});
