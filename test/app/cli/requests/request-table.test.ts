import { expect, test } from 'vitest';
import { createRequestTable, toRow as rowOfSummary } from '../../../../src/app/cli/requests/render-requests.ts';
import { digestOf } from '../../../../src/explain/render/digest.ts';
import { summaryOf } from '../../../../src/explain/trace/trace-summary.ts';
import type { Trace } from '../../../../src/explain/trace/trace.ts';
import { plain } from '../../../../src/explain/render/explain-page.ts';
import { someTrace, someWebhook } from '../../../ui/some-trace.ts';

const rowOf = (trace: Trace) => rowOfSummary(summaryOf(trace), digestOf(trace));

const status = { message: 'admission webhook "a.example.com" denied the request: no' };
const refused = someTrace({
  verdict: 'refused',
  response: { code: 403, status, warnings: [] },
  admission: [someWebhook({ outcome: 'denied', status }), someWebhook({ name: 'b', index: 1, outcome: 'skipped' })],
});
const { request } = refused;

test('a row has the refusing webhook and the skipped ones', () => {
  expect(rowOf(refused)).toMatchObject({
    refusedBy: 'a.example.com',
    message: status.message,
    webhooks: { denied: ['a.example.com'], skipped: ['b'], called: [] },
  });
  const before = someTrace({ verdict: 'refused', response: { code: 403, status: null, warnings: [] } });
  expect(rowOf(before).refusedBy).toBe('API server');
  expect(rowOf(someTrace()).refusedBy).toBe('');
});

test('a webhook that was called in one round is not listed as skipped', () => {
  const admission = [someWebhook(), someWebhook({ round: 1, outcome: 'skipped' })];
  expect(rowOf(someTrace({ admission })).webhooks).toMatchObject({ called: ['a.example.com'], skipped: [] });
});

test('a table has a line a request, columns under each other', () => {
  const rows = [
    rowOf(refused),
    rowOf(
      someTrace({
        request: { ...request, resource: 'deployments', group: 'apps', subresource: 'scale', name: '', dryRun: true },
      }),
    ),
  ];
  const table = createRequestTable(plain);
  const lines = [table.header(rows), ...rows.map((row, index) => table.line(row, [4000, 201_000][index] ?? 0))];
  expect(lines).toEqual([
    'AGE    VERB              RESOURCE           OBJECT          USER   CODE  FINDINGS  ID  RESULT',
    '3s     create            pods               shop/web        alice  403   -         id  denied by a.example.com',
    '3m20s  create (dry run)  deployments/scale  shop/(unnamed)  alice  201   -         id  no webhook was called: admission was not reached',
  ]);
});

test('of a service account the short name', () => {
  const user = { username: 'system:serviceaccount:kube-system:replicaset-controller' };
  const row = rowOf(someTrace({ request: { ...request, user } }));
  expect(createRequestTable(plain).line(row, 4000)).toContain('  kube-system/replicaset-controller  ');
});
