import { type JsonObject, asObject, asString } from '../../machinery/json/json.ts';
import { type Latency, latencyOf } from './threshold.ts';

/** A manifest and its collection: `/api/v1/namespaces/shop/pods`. */
export interface LoadTarget {
  readonly object: JsonObject;
  readonly collection: string;
}

export interface LoadPlan {
  readonly targets: readonly LoadTarget[];
  readonly mix: Mix;
  /** Requests per second. */
  readonly rate: number;
  readonly milliseconds: number;
  /** Most requests in flight. */
  readonly concurrency: number;
  readonly dryRun: boolean;
  /** Part of the names of created objects. */
  readonly label: string;
}

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly body?: JsonObject;
  readonly contentType?: string;
}

export interface LoadPorts {
  /** Code 0: no response; the message says why. */
  readonly send: (request: LoadRequest) => Promise<{ readonly code: number; readonly body: JsonObject }>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** From 0 to 1. */
  readonly chance: () => number;
  readonly isOver: () => boolean;
}

export interface LoadResult {
  /** Sent requests, and those that were due. */
  readonly sent: number;
  readonly due: number;
  readonly seconds: number;
  readonly all: Latency;
  readonly byVerb: Readonly<Record<string, Latency>>;
  /** Refusals and failures, the most frequent first. */
  readonly errors: readonly LoadError[];
}

export interface LoadError {
  readonly verb: string;
  readonly code: number;
  readonly count: number;
  /** Of the first one. */
  readonly message: string;
}

interface CreatedObject {
  readonly path: string;
}

/**
 * Sends requests at a rate, whether or not earlier ones are answered. Latency counts from the due time, as a client sees it. Objects that
 * are left are deleted at the end.
 */
export async function runLoad(plan: LoadPlan, ports: LoadPorts): Promise<LoadResult> {
  const samples: { readonly verb: LoadVerb; readonly milliseconds: number }[] = [];
  const errors = new Map<string, { verb: string; code: number; count: number; message: string }>();
  const live: CreatedObject[] = [];
  const due = Math.max(1, Math.round((plan.rate * plan.milliseconds) / 1000));
  const started = ports.now();
  let next = 0;
  const sendOne = async (number: number): Promise<void> => {
    // Timers fire up to a millisecond early.
    const dueAt = Math.min(started + (number * 1000) / plan.rate, ports.now());
    const { verb, read, request, after } = nextRequest(plan, number, live, ports.chance());
    const { code, body, readFor } = await sendRead(read, request, ports);
    samples.push({ verb, milliseconds: ports.now() - dueAt - readFor });
    const isDone = code > 0 && code < 400;
    after(isDone);
    if (!isDone) countError(errors, verb, code, asString(body['message']));
  };
  const worker = async (): Promise<void> => {
    while (next < due && !ports.isOver()) {
      const number = next;
      next += 1;
      const early = started + (number * 1000) / plan.rate - ports.now();
      if (early > 0) await ports.sleep(early);
      await sendOne(number);
    }
  };
  await Promise.all(Array.from({ length: Math.min(plan.concurrency, due) }, worker));
  const seconds = (ports.now() - started) / 1000;
  await removeAll(live, plan.concurrency, ports);
  const verbs = [...new Set(samples.map(({ verb }) => verb))];
  const times = (verb?: LoadVerb): Latency =>
    latencyOf(
      samples.filter((sample) => verb === undefined || sample.verb === verb).map((sample) => sample.milliseconds),
    );
  return {
    sent: samples.length,
    due,
    seconds,
    all: times(),
    byVerb: Object.fromEntries(verbs.map((verb) => [verb, times(verb)])),
    errors: [...errors.values()].toSorted((a, b) => b.count - a.count),
  };
}

/** Another client, such as a scheduler, may write between a read and its update: read again. */
const maxTries = 5;

/** Reads the object first if the request needs it; `readFor` is the time of the reads. */
async function sendRead(
  read: string | undefined,
  request: NextRequest['request'],
  { send, now }: LoadPorts,
): Promise<Awaited<ReturnType<LoadPorts['send']>> & { readonly readFor: number }> {
  if (read === undefined) return { ...(await send(request({}))), readFor: 0 };
  let readFor = 0;
  for (let tries = 1; ; tries += 1) {
    const begun = now();
    const current = await send({ method: 'GET', path: read });
    readFor += now() - begun;
    const answer = current.code === 200 ? await send(request(current.body)) : current;
    if (answer.code !== 409 || tries === maxTries) return { ...answer, readFor };
  }
}

function countError(
  errors: Map<string, { verb: string; code: number; count: number; message: string }>,
  verb: string,
  code: number,
  message: string,
): void {
  const error = errors.get(`${verb} ${code}`) ?? { verb, code, count: 0, message };
  error.count += 1;
  errors.set(`${verb} ${code}`, error);
}

interface NextRequest {
  readonly verb: LoadVerb;
  /** A path to read first; reads are not part of the load. */
  readonly read?: string;
  /** `current` is the object that was read. */
  readonly request: (current: JsonObject) => LoadRequest;
  readonly after: (isDone: boolean) => void;
}

/** Changes an existing object, or creates one while there is none. */
function nextRequest(plan: LoadPlan, number: number, live: CreatedObject[], draw: number): NextRequest {
  const query = `?fieldManager=kadmit-load${plan.dryRun ? '&dryRun=All' : ''}`;
  const verb = drawVerb(plan.mix, draw);
  // The object is taken out meanwhile: two requests for one object would conflict.
  const taken = verb === 'create' ? undefined : live.shift();
  if (taken === undefined) return creationRequest(plan, number, live, query);
  const { path } = taken;
  const changed = { metadata: { annotations: { 'kadmit.dev/load': String(number) } } };
  const returnObject = (): void => void live.push(taken);
  if (verb === 'delete') {
    const after = (isDone: boolean): void => (isDone ? undefined : returnObject());
    return { verb, request: () => ({ method: 'DELETE', path: `${path}${query}` }), after };
  }
  if (verb === 'patch') {
    const request = {
      method: 'PATCH',
      path: `${path}${query}`,
      body: changed,
      contentType: 'application/merge-patch+json',
    } as const;
    return { verb, request: () => request, after: returnObject };
  }
  // An update changes the object as read: what the server, webhooks and the scheduler filled in stays.
  const update = (object: JsonObject): LoadRequest => {
    const { managedFields: _fields, ...metadata } = asObject(object['metadata']);
    const annotations = { ...asObject(metadata['annotations']), ...changed.metadata.annotations };
    return { method: 'PUT', path: `${path}${query}`, body: { ...object, metadata: { ...metadata, annotations } } };
  };
  return { verb, read: path, request: update, after: returnObject };
}

function creationRequest(plan: LoadPlan, number: number, live: CreatedObject[], query: string): NextRequest {
  const target = plan.targets[number % plan.targets.length] ?? { object: {}, collection: '' };
  const { generateName: _generated, ...metadata } = asObject(target.object['metadata']);
  const name = `${asString(metadata['name']) || 'load'}-${plan.label}-${number}`;
  const body = { ...target.object, metadata: { ...metadata, name } };
  return {
    verb: 'create',
    request: () => ({ method: 'POST', path: `${target.collection}${query}`, body }),
    after: (isDone) => {
      if (isDone && !plan.dryRun) live.push({ path: `${target.collection}/${name}` });
    },
  };
}

async function removeAll(live: CreatedObject[], concurrency: number, { send }: LoadPorts): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let one = live.shift(); one !== undefined; one = live.shift())
      await send({ method: 'DELETE', path: one.path });
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, live.length) }, worker));
}

export const loadVerbs = ['create', 'update', 'patch', 'delete'] as const;
export type LoadVerb = (typeof loadVerbs)[number];
export type Mix = Readonly<Record<LoadVerb, number>>;

export type MixReading =
  | { readonly outcome: 'read'; readonly mix: Mix }
  | { readonly outcome: 'wrong'; readonly problem: string };

/** `create=2,patch=1`: shares of the requests; verbs without a share are not used. */
export function readMix(text: string): MixReading {
  const mix: Record<LoadVerb, number> = { create: 0, update: 0, patch: 0, delete: 0 };
  for (const part of text.split(',')) {
    const { name, share } = /^(?<name>\w+)=(?<share>\d{1,4})$/.exec(part.trim())?.groups ?? {};
    const verb = loadVerbs.find((one) => one === name);
    if (verb === undefined || share === undefined)
      return { outcome: 'wrong', problem: `is not a mix: write shares such as create=2,update=1,patch=1,delete=1` };
    mix[verb] = Number(share);
  }
  if (mix.create === 0) return { outcome: 'wrong', problem: 'has no create: the other verbs need created objects' };
  return { outcome: 'read', mix };
}

/** `draw` is from 0 to 1. */
export function drawVerb(mix: Mix, draw: number): LoadVerb {
  const total = loadVerbs.reduce((sum, verb) => sum + mix[verb], 0);
  let left = draw * total;
  for (const verb of loadVerbs) {
    left -= mix[verb];
    if (left < 0) return verb;
  }
  return 'create';
}
