import { createTrace } from '../../src/explain/trace/create-trace.ts';
import type { Trace } from '../../src/explain/trace/trace.ts';
import type { Respond } from './admission.ts';
import { createTestWorld, type TestWorld } from './world.ts';

/** Webhook configurations, the responses of their webhooks, and the requests; the last one is explained. */
export interface RequestStory {
  /** `in` names the configuration of the webhook; the default is `checks`. */
  readonly mutating?: readonly Hook[];
  readonly validating?: readonly Hook[];
  readonly responses?: Readonly<Record<string, Respond>>;
  /** Sent before the configurations are created. */
  readonly before?: readonly SentRequest[];
  readonly sent: readonly SentRequest[];
}

export type Hook = Readonly<Record<string, unknown>> & { readonly in?: string };

/** Method, path with query, body, content type. */
export type SentRequest = readonly [method: string, target: string, body?: object, contentType?: string];

const group = '/apis/admissionregistration.k8s.io/v1';

/** The traces of the requests, in order, in a world whose clock does not move. */
export async function tracesOf({
  mutating,
  validating,
  responses = {},
  before = [],
  sent,
}: RequestStory): Promise<readonly Trace[]> {
  const world = await createTestWorld({ responses });
  for (const one of before) await send(world, one);
  if (mutating) await configure(world, 'Mutating', mutating);
  if (validating) await configure(world, 'Validating', validating);
  const from = world.finished.length;
  for (const one of sent) await send(world, one);
  return world.finished
    .slice(from)
    .map((finished, at) => createTrace(finished, `<audit-id-${at + 1}>`, finished.request.receivedAt));
}

/** The trace of the last request. */
export async function traceOf(story: RequestStory): Promise<Trace> {
  const last = (await tracesOf(story)).at(-1);
  if (last === undefined) throw new Error('nothing was traced');
  return last;
}

async function send(world: TestWorld, [method, target, body, contentType]: SentRequest): Promise<void> {
  await world.send(method, target, body, contentType === undefined ? {} : { contentType });
}

async function configure(world: TestWorld, phase: 'Mutating' | 'Validating', webhooks: readonly Hook[]): Promise<void> {
  const kind = `${phase}WebhookConfiguration`;
  for (const name of new Set(webhooks.map((webhook) => webhook.in ?? 'checks'))) {
    const own = webhooks.filter((webhook) => (webhook.in ?? 'checks') === name);
    const answer = await world.send('POST', `${group}/${kind.toLowerCase()}s`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name },
      webhooks: own.map(({ in: _name, ...webhook }) => ({ ...defaults, ...webhook })),
    });
    if (answer.code !== 201) throw new Error(`the configuration was refused: ${JSON.stringify(answer.body)}`);
  }
}

const defaults = {
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  clientConfig: { url: 'https://127.0.0.1:1/hook' },
  rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] }],
};
