import { httpReply } from '../../harness/admission.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { CallWebhook } from '../../../src/apiserver/admission/webhooks/call.ts';
import { renderExplanation } from '../../../src/explain/render/explain.ts';
import { createTrace } from '../../../src/explain/trace/create-trace.ts';
import { isTraced } from '../../../src/explain/trace/trace-summary.ts';
import { createTraceLog } from '../../../src/adapters/traces/trace-log.ts';
import type { Trace } from '../../../src/explain/trace/trace.ts';
import { type Cluster, startCluster } from '../../controllers/cluster.ts';
import {
  converted,
  converting,
  definition,
  definitions,
  reply,
  version,
  widget,
  widgets,
} from '../../apiserver/custom-resources/widgets.ts';

const v2 = widgets.replace('v1', 'v2');

async function cluster(call?: CallWebhook, crd = converted()): Promise<Cluster> {
  const made = await startCluster([], call);
  onTestFinished(() => made.close());
  await made.send('POST', definitions, crd);
  return made;
}

function lastTrace({ finished }: Cluster): Trace {
  const last = finished.findLast(isTraced);
  if (!last) throw new Error('nothing was traced');
  return createTrace({ ...last, exchange: last.exchange }, 'last', last.request.receivedAt + 5);
}

test('a write in another version records the converted objects, the converter and the stage', async () => {
  const made = await cluster(async (call) => reply(call));
  await made.send('POST', v2, { ...widget('x'), apiVersion: 'example.com/v2' });
  const { conversions = [] } = lastTrace(made);
  expect(conversions.find(({ from }) => from === 'example.com/v2')).toMatchObject({
    definition: 'widgets.example.com',
    kind: 'Widget',
    namespace: 'default',
    name: 'x',
    from: 'example.com/v2',
    to: 'example.com/v1',
    strategy: 'Webhook',
    stage: 'persist',
    outcome: 'converted',
    clientConfig: { url: 'https://converter.example' },
  });
  expect(renderExplanation(lastTrace(made))).toContain(
    'converted  Widget x from example.com/v2 to example.com/v1 by https://converter.example in',
  );
});

test('only reads that call a converter leave a trace', async () => {
  const made = await cluster(async (call) => reply(call));
  await made.send('POST', widgets, widget('x'));
  const before = made.finished.filter(isTraced).length;
  await made.find(`${widgets}/x`);
  expect(made.finished.filter(isTraced)).toHaveLength(before);
  await made.find(`${v2}/x`);
  expect(lastTrace(made)).toMatchObject({ request: { verb: 'get' }, conversions: [{ from: 'example.com/v1' }] });
  expect(renderExplanation(lastTrace(made))).not.toContain('no webhook was called');
});

test('a failing converter is the first headline, with its remedy', async () => {
  const made = await cluster(async () => ({
    outcome: 'failed',
    phase: 'connect',
    error: 'Post "https://converter.example?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
    cause: { because: 'connection-refused', address: '127.0.0.1:1' },
  }));
  await expect(made.send('POST', v2, { ...widget('x'), apiVersion: 'example.com/v2' })).rejects.toThrow('refused');
  const trace = lastTrace(made);
  expect(trace.conversions?.at(-1)).toMatchObject({ outcome: 'failed', failurePhase: 'connect' });
  const [, first, second] = renderExplanation(trace).split('\n');
  expect(first).toContain('refused by the converter of widgets.example.com');
  expect(second).toContain('hint: nothing listens at 127.0.0.1:1: start the webhook, or correct clientConfig.url');
});

test.each([
  [404, 'hint: the converter does not serve this path: correct the path in spec.conversion.webhook.clientConfig'],
  [500, 'hint: the converter responded with HTTP status 500: check its log'],
])('a converter that responds with %d', async (code, hint) => {
  const made = await cluster(async () => httpReply('no', code, 'text/plain'));
  await expect(made.send('POST', v2, { ...widget('x'), apiVersion: 'example.com/v2' })).rejects.toThrow('failed');
  expect(renderExplanation(lastTrace(made)).split('\n')[2]?.trim()).toBe(hint);
});

test('an answer that cannot be used is of the phase answer', async () => {
  const none = converting(() => ({ convertedObjects: [] }));
  const made = await cluster(async (call) => reply(call, none));
  await expect(made.send('POST', v2, { ...widget('x'), apiVersion: 'example.com/v2' })).rejects.toThrow('returned 0');
  expect(lastTrace(made).conversions?.at(-1)).toMatchObject({ outcome: 'failed', failurePhase: 'answer' });
});

test('the message of a converter that refuses is shown', async () => {
  const no = converting(() => ({ result: { status: 'Failure', message: 'not today' } }));
  const made = await cluster(async (call) => reply(call, no));
  await expect(made.send('POST', v2, { ...widget('x'), apiVersion: 'example.com/v2' })).rejects.toThrow('not today');
  expect(lastTrace(made).conversions?.at(-1)).toMatchObject({ failurePhase: 'failure' });
});

test('strategy None has no converter, and the trace shows that', async () => {
  const crd = definition({ versions: [version('v1', { storage: true }), version('v2')] });
  const made = await cluster(undefined, crd);
  await made.send('POST', v2, { ...widget('x'), apiVersion: 'example.com/v2' });
  const last = made.finished.findLast(isTraced);
  if (!last) throw new Error('nothing was traced');
  const kept = createTraceLog().record(last, 0).trace();
  expect(kept.conversions).toEqual(lastTrace(made).conversions);
  expect(kept.conversions?.[0]).toMatchObject({ strategy: 'None', to: 'example.com/v1', stage: 'persist' });
  expect(renderExplanation(kept)).toContain('by strategy None: only its apiVersion changes');
});

test('a hundred conversions are recorded, and the failed one', async () => {
  let left = 150;
  const made = await cluster(async (call) => {
    left -= 1;
    return left < 0 ? reply(call, () => ({})) : reply(call);
  });
  for (let at = 0; at < 151; at += 1) await made.send('POST', widgets, widget(`x${at}`));
  await expect(made.send('GET', v2)).rejects.toThrow('failed');
  const { conversions = [] } = lastTrace(made);
  expect(conversions.map(({ outcome }) => outcome).filter((outcome) => outcome === 'converted')).toHaveLength(100);
  expect(conversions.at(-1)?.outcome).toBe('failed');
});
