import { randomUUID } from 'node:crypto';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ReadAuditEvents, recordedForm } from './audit-events.ts';
import type { Case, Conversation, Exchange, Step } from './conversation.ts';
import { createNormaliser } from './normalise.ts';
import type { StubCall, StubWebhooks } from './stub-webhooks.ts';

/** A server and the credentials for it. */
export interface ServerUnderTest {
  readonly url: string;
  readonly token: string;
  readonly stubs: StubWebhooks;
  readonly audit: ReadAuditEvents;
  /** How long a configuration needs to take effect after the setup; 0 for kadmit. */
  readonly settleMs?: number;
}

interface Answer {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly body: unknown;
}

const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
let conversations = 0;

/** Plays a conversation, returns its transcript, and deletes the objects it created. */
export async function runConversation(
  conversation: Conversation,
  stage: ServerUnderTest,
): Promise<readonly Exchange[]> {
  conversations += 1;
  const script = conversation.case;
  const namespace = `c-${process.pid}-${conversations}`;
  const normalise = createNormaliser(namespace, stage.stubs.caBundle);
  const saved = new Map<string, string>();
  const fill = (value: unknown): unknown =>
    value === undefined
      ? undefined
      : JSON.parse(
          JSON.stringify(value)
            .replaceAll('$NS', namespace)
            .replaceAll('$CA', stage.stubs.caBundle)
            .replaceAll(/\$\[(\w+)\]/g, (name, key: string) => saved.get(key) ?? name),
        );
  stage.stubs.answerWith(script.stubs ?? {});
  const made = script.namespace === false ? [] : [await makeNamespace(stage, namespace, fill(script.namespaceLabels))];
  const seen: Exchange[] = [];
  const ids: string[] = [];
  for (const step of script.steps) {
    await pauseBefore(step, stage);
    if (step.do === undefined) continue;
    const path = String(step.path).replaceAll('$NS', namespace);
    const body = fill(step.body);
    stage.stubs.takeCalls();
    const startedAt = performance.now();
    const auditId = randomUUID();
    const answer = await send(stage, path, { ...step, body, headers: { 'audit-id': auditId, ...step.headers } });
    // On a busy machine a timeout takes up to a second longer.
    const seconds = Math.floor((performance.now() - startedAt + 50) / 1000);
    made.push(...findCreatedPath(step, path, answer));
    for (const [name, at] of Object.entries(step.save ?? {})) saved.set(name, textAt(answer.body, at));
    if (step.setup && answer.status < 400) {
      await waitForEffect(stage);
      continue;
    }
    const calls = selectComparedCalls(stage.stubs.takeCalls(), script, step);
    ids.push(auditId);
    const shown = Object(normalise({ ...selectCompared(answer, step, script), calls }));
    seen.push({ step: `${step.do} ${step.path}`, ...shown, ...(step.timed ? { seconds } : {}) });
  }
  const last = randomUUID();
  await send(stage, '/api/v1/namespaces/none', { do: 'DELETE', headers: { 'audit-id': last } });
  const events = await stage.audit(last);
  for (const path of made.toReversed()) await send(stage, path, { do: 'DELETE' });
  return seen.map((exchange, index) => {
    const event = events.get(ids[index] ?? '');
    return event ? { ...exchange, audit: normalise(recordedForm(event)) } : exchange;
  });
}

/** Only a real server needs the pauses of a step; here a write takes effect for the next request. */
const pauseBefore = ({ sleepMs = 0 }: Step, { settleMs }: ServerUnderTest): Promise<void> =>
  sleep(settleMs === undefined ? 0 : sleepMs);

const waitForEffect = ({ settleMs = 0 }: ServerUnderTest): Promise<void> => sleep(settleMs);

/** Its path. */
async function makeNamespace(stage: ServerUnderTest, name: string, labels: unknown): Promise<string> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
  const made = await send(stage, '/api/v1/namespaces', { do: 'POST', body });
  if (made.status !== 201) throw new Error(`no namespace: ${JSON.stringify(made)}`);
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  await send(stage, `/api/v1/namespaces/${name}/serviceaccounts`, { do: 'POST', body: account });
  return `/api/v1/namespaces/${name}`;
}

/** Cluster-scoped objects outlive the conversation's namespace. */
function findCreatedPath(step: Step, path: string, { status, body }: Answer): readonly string[] {
  const metadata = Object(Object(body).metadata);
  if (step.do !== 'POST' || status !== 201 || metadata.name === undefined || metadata.namespace !== undefined)
    return [];
  return [`${path.split('?')[0]}/${metadata.name}`];
}

/** Sorts calls of parallel webhooks last, by path, and reduces conversions to the last one of each version that the step names. */
function selectComparedCalls(
  calls: readonly StubCall[],
  { parallel = [], conversion = {} }: Case,
  { conversions = [] }: Step,
): readonly StubCall[] {
  const versionOf = ({ body }: StubCall): string =>
    String(getAtPath(body, ['request', 'desiredAPIVersion'])).replace(/.*\//, '');
  const lastConversions = conversions.map((version) =>
    calls.findLast((call) => Object.hasOwn(conversion, call.path) && versionOf(call) === version),
  );
  const compared = calls.filter((call) => !Object.hasOwn(conversion, call.path) || lastConversions.includes(call));
  const [free, ordered] = [
    compared.filter(({ path }) => parallel.includes(path)),
    compared.filter(({ path }) => !parallel.includes(path)),
  ];
  return [...ordered, ...free.toSorted((a, b) => (a.path < b.path ? -1 : 1))];
}

/** The selected parts of a response, with its causes in the recorded order. */
function selectCompared(answer: Answer, { select }: Step, { sortCauses }: Case): Answer {
  const { body } = answer;
  if (select && answer.status < 400) {
    return {
      ...answer,
      body: Object.fromEntries(Object.entries(select).map(([name, path]) => [name, getAtPath(body, path)])),
    };
  }
  return sortCauses ? { ...answer, body: sortCausesOf(body) } : answer;
}

function sortCausesOf(body: unknown): unknown {
  const { message, details } = Object(body);
  const causes: readonly { readonly field: string; readonly message: string }[] = details?.causes ?? [];
  if (causes.length < 2) return body;
  const textOf = (cause: (typeof causes)[number]): string => `${cause.field}: ${cause.message}`;
  const sorted = causes.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  const start = String(message).replace(/ is invalid: \[[^]*/, '');
  return {
    ...Object(body),
    message: `${start} is invalid: [${sorted.map(textOf).join(', ')}]`,
    details: { ...details, causes: sorted },
  };
}

const getAtPath = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => Object(at)[name], value);

/** The text of the field at `metadata.name`. */
const textAt = (value: unknown, path: string): string => String(getAtPath(value, path.split('.')));

function send(stage: ServerUnderTest, path: string, step: Step): Promise<Answer> {
  const data =
    step.body === undefined ? undefined : typeof step.body === 'string' ? step.body : JSON.stringify(step.body);
  const headers = {
    accept: 'application/json',
    'user-agent': 'conform/1.0',
    authorization: `Bearer ${stage.token}`,
    ...(data === undefined
      ? {}
      : { 'content-type': step.contentType ?? 'application/json', 'content-length': Buffer.byteLength(data) }),
    ...step.headers,
  };
  return new Promise((resolve, reject) => {
    const request = https.request(`${stage.url}${path}`, { agent, method: step.do, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, warnings: warningsIn(response.rawHeaders), body: parseBody(text) });
      });
    });
    request.on('error', reject);
    request.end(data);
  });
}

const warningsIn = (raw: readonly string[]): readonly string[] =>
  raw.flatMap((name, index) => (index % 2 === 0 && name.toLowerCase() === 'warning' ? [raw[index + 1] ?? ''] : []));

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Differences that level audit ignores: managed fields, and the encoding of bytes. */
const ignored = new Set(['managedFields', 'user-agent', 'accept-encoding', 'contentType']);

/** The transcript without the differences that level audit ignores. */
export function withoutIgnoredFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIgnoredFields);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !ignored.has(name))
      .map(([name, one]) => [name, withoutIgnoredFields(name === 'cells' ? withoutAges(one) : one)]),
  );
}

/** A row may be printed in a later second than the one its object was created in. */
const withoutAges = (cells: unknown): unknown =>
  Array.isArray(cells) ? cells.map((cell) => (/^\d+s$/.test(String(cell)) ? '<age>' : cell)) : cells;
