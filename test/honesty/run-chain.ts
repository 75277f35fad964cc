import { createTrace } from '../../src/explain/trace/create-trace.ts';
import type { Trace } from '../../src/explain/trace/trace.ts';
import { asObject, asString, type JsonObject, type JsonValue } from '../../src/machinery/json/json.ts';
import type { ReviewRequest, Respond } from '../harness/admission.ts';
import { createTestWorld, type TestWorld } from '../harness/world.ts';
import type { Chain, ChainRequest } from './chain.ts';

/** A call that the stub received, and its response. */
export interface Call {
  readonly webhook: string;
  readonly review: ReviewRequest;
  /** Fields of `response`, or a failed call. */
  readonly answer: Awaited<ReturnType<Respond>>;
}

/** The real events of one request. */
export interface RequestResult {
  readonly request: ChainRequest;
  readonly calls: readonly Call[];
  readonly code: number;
  /** The body that the client received. */
  readonly body: JsonObject;
  readonly warnings: readonly string[];
  /** Of a single object: the stored object before and afterwards. */
  readonly storedBefore: JsonValue | undefined;
  readonly storedAfter: JsonValue | undefined;
  readonly trace: Trace;
}

const group = '/apis/admissionregistration.k8s.io/v1';

/** Plays a chain in a world without sockets; undefined when its configuration is refused. */
export async function runChain(chain: Chain): Promise<readonly RequestResult[]> {
  const calls: Call[] = [];
  const world = await createTestWorld({
    responses: Object.fromEntries(
      chain.webhooks.map(({ name, behaviour }): [string, Respond] => [
        name,
        async (review, turn, timeoutMs) => {
          const answer = await behaviour.respond(review, turn, timeoutMs);
          calls.push({ webhook: name, review, answer });
          return answer;
        },
      ]),
    ),
  });
  await send(world, {
    method: 'POST',
    target: '/api/v1/namespaces/default/serviceaccounts',
    body: { metadata: { name: 'default' } },
  });
  await configure(world, chain);
  const played: RequestResult[] = [];
  for (const request of chain.requests) {
    const before = calls.length;
    const storedBefore = await stored(world, request);
    const answer = await send(world, request);
    const finished = world.finished.at(-1);
    if (finished === undefined) throw new Error('nothing was traced');
    const trace = createTrace(finished, `id-${played.length}`, finished.request.receivedAt);
    played.push({
      request,
      calls: calls.slice(before),
      code: answer.code,
      body: answer.body,
      warnings: answer.warnings,
      storedBefore,
      storedAfter: await stored(world, request),
      trace,
    });
  }
  return played;
}

const send = (world: TestWorld, { method, target, body }: ChainRequest) => world.send(method, target, body);

/** The object of the request, if any. */
async function stored(world: TestWorld, { method, target, body }: ChainRequest): Promise<JsonValue | undefined> {
  const [path = ''] = target.split('?');
  const name = asString(asObject(body?.['metadata'])['name']);
  const answer = await world.send('GET', method === 'POST' ? `${path}/${name}` : path);
  return answer.code === 200 ? answer.body : undefined;
}

async function configure(world: TestWorld, { webhooks, policies }: Chain): Promise<void> {
  for (const phase of ['Mutating', 'Validating'] as const) {
    const own = webhooks.filter((webhook) => webhook.phase === phase);
    for (const name of new Set(own.map(({ configuration }) => configuration))) {
      await create(world, `${phase}WebhookConfiguration`, {
        metadata: { name },
        webhooks: own.flatMap(({ configuration, entry }) => (configuration === name ? [entry] : [])),
      });
    }
    for (const { name, spec, bindings } of policies.filter((policy) => policy.phase === phase)) {
      await create(world, `${phase}AdmissionPolicy`, { metadata: { name }, spec });
      for (const binding of bindings) {
        await create(world, `${phase}AdmissionPolicyBinding`, {
          metadata: { name: binding },
          spec: { policyName: name, ...(phase === 'Validating' ? { validationActions: ['Deny'] } : {}) },
        });
      }
    }
  }
}

const plurals: Readonly<Record<string, string>> = {
  MutatingWebhookConfiguration: 'mutatingwebhookconfigurations',
  ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
  MutatingAdmissionPolicy: 'mutatingadmissionpolicies',
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  MutatingAdmissionPolicyBinding: 'mutatingadmissionpolicybindings',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
};

async function create(world: TestWorld, kind: string, object: JsonObject): Promise<void> {
  const answer = await world.send('POST', `${group}/${plurals[kind] ?? ''}`, object);
  if (answer.code !== 201) throw new Error(`${kind} was refused: ${answer.message}`);
}
