import type { NumberedSummary } from '../../src/explain/trace/trace-summary.ts';

/** The summary of a create without webhook calls, with these fields. */
export const someSummary = (over: Partial<NumberedSummary> = {}): NumberedSummary => ({
  id: 'id',
  sequence: 1,
  startedAt: 0,
  milliseconds: 1,
  verdict: 'admitted',
  code: 201,
  verb: 'create',
  path: '/api/v1/namespaces/shop/pods',
  resource: 'pods',
  namespace: 'shop',
  name: 'web',
  dryRun: false,
  user: 'alice',
  message: '',
  webhooks: { called: [], denied: [], failed: [], skipped: [] },
  owners: [],
  ...over,
});
