import type { Random } from '../../machinery/clock.ts';
import { asString, valueAt, type JsonObject } from '../../machinery/json/json.ts';
import { freshScript, type Behaviour, type Fault, type WebhookSpec } from './webhook-spec.ts';
import { type StubPlan, planResponse } from './plan-response.ts';
import { seededRandomFor } from './seeded-random.ts';

export interface StubRegistry {
  readonly specs: () => readonly WebhookSpec[];
  /** undefined: no stub for this call. */
  readonly find: (webhookName: string, configuration: string | undefined) => WebhookSpec | undefined;
  /**
   * Changes behaviour or faults from the next call on. New faults count calls from 1. `name` is NAME or `CONFIGURATION/NAME`. Throws for an
   * unknown name.
   */
  readonly configure: (name: string, change: WebhookChange) => void;
  /** Records a call and plans its outcome; undefined: no stub for this call. */
  readonly receive: (arrival: IncomingCall) => PlannedResponse | undefined;
  /** The plan of the next call, as far as it does not depend on a namespace. */
  readonly planOf: (webhookName: string, configuration: string | undefined) => StubPlan | undefined;
  /** The last 10,000 calls in order, including those that a fault prevented. */
  readonly calls: () => readonly ReceivedCall[];
  /** A call of a process at `to` that got no response. */
  readonly reportUnanswered: (call: UnansweredCall) => void;
  /** The first 2,000 of them. */
  readonly unanswered: () => readonly UnansweredCall[];
}

export interface UnansweredCall {
  readonly webhook: string;
  /** Absent when the caller has none. */
  readonly configuration?: string;
  /** URL of the process. */
  readonly to: string;
  /** Go's text: `dial tcp 127.0.0.1:8400: connect: connection refused`. */
  readonly error: string;
}

type WebhookChange = Partial<Pick<WebhookSpec, 'does' | 'faults' | 'to'>>;

interface IncomingCall extends Omit<ReceivedCall, 'configuration'> {
  readonly configuration: string | undefined;
}

export interface PlannedResponse {
  readonly spec: WebhookSpec;
  readonly plan: StubPlan;
}

export interface ReceivedCall {
  readonly webhook: string;
  /** Absent when the caller has none. */
  readonly configuration?: string;
  /** Milliseconds since 1970 on the world's clock. */
  readonly at: number;
  readonly review: JsonObject;
}

interface StubState {
  readonly spec: WebhookSpec;
  /** `earlier`: calls before the faults were last configured. */
  readonly calls: number;
  readonly earlier: number;
}

/**
 * Randomness depends on seed, webhook and call number only, so parallel calls may arrive in any order. Scripts get variables of their own.
 */
export function createStubRegistry(specs: readonly WebhookSpec[], seed: number): StubRegistry {
  const extensions = specs.map((spec): StubState => ({
    spec: { ...spec, does: freshBehaviours(spec.does) },
    calls: 0,
    earlier: 0,
  }));
  const calls: ReceivedCall[] = [];
  const unanswered: UnansweredCall[] = [];

  const planCall = (extension: StubState, faults: readonly Fault[], namespace: string): StubPlan => {
    const { spec, calls: before, earlier } = extension;
    const random = (fault: number): Random => callRandom(seed, spec, before + 1, fault);
    return planResponse(faults, { number: before + 1 - earlier, namespace, random });
  };
  const receive = ({ webhook, configuration, at, review }: IncomingCall): PlannedResponse | undefined => {
    const index = indexFor(extensions, webhook, configuration);
    const extension = extensions[index];
    if (!extension) return undefined;
    extensions[index] = { ...extension, calls: extension.calls + 1 };
    calls.push({ webhook, ...(configuration === undefined ? {} : { configuration }), at, review });
    if (calls.length > maxRemembered) calls.shift();
    const { spec } = extension;
    return { spec, plan: planCall(extension, spec.faults, asString(valueAt(review, 'request', 'namespace'))) };
  };
  const planAt = (webhook: string, configuration: string | undefined): StubPlan | undefined => {
    const extension = extensions[indexFor(extensions, webhook, configuration)];
    // The index of a fault matters: randomness is drawn for each.
    return extension && planCall(extension, extension.spec.faults.map(unlessNamespaced), '');
  };
  const configure = (name: string, change: WebhookChange): void => {
    const chosen = extensions.filter(({ spec }) => hasName(spec, name));
    if (chosen.length === 0) throw new Error(`no webhook ${name} to configure; ${knownNames(extensions)}`);
    for (const extension of chosen) extensions[extensions.indexOf(extension)] = applyChange(extension, change);
  };
  return {
    specs: () => extensions.map(({ spec }) => spec),
    find: (webhook, configuration) => extensions[indexFor(extensions, webhook, configuration)]?.spec,
    configure,
    receive,
    planOf: planAt,
    calls: () => calls,
    reportUnanswered: (call) => {
      if (unanswered.length < maxRemembered) unanswered.push(call);
    },
    unanswered: () => unanswered,
  };
}

/** As many as the traces kept. */
const maxRemembered = 2_000;

/** The exact configuration, else any; a caller without a configuration gets the first of the name. */
function indexFor(extensions: readonly StubState[], webhook: string, configuration: string | undefined): number {
  const index = extensions.findIndex(({ spec }) => spec.name === webhook && spec.configuration === configuration);
  if (index >= 0) return index;
  return extensions.findIndex(
    ({ spec }) => spec.name === webhook && (spec.configuration === undefined || configuration === undefined),
  );
}

const hasName = (spec: WebhookSpec, name: string): boolean =>
  spec.name === name || (spec.configuration !== undefined && `${spec.configuration}/${spec.name}` === name);

const knownNames = (extensions: readonly StubState[]): string =>
  extensions.length === 0 ? 'there are none' : `there are ${extensions.map(({ spec }) => spec.name).join(', ')}`;

function applyChange({ spec, calls, earlier }: StubState, change: WebhookChange): StubState {
  const does = change.does ? freshBehaviours(change.does) : spec.does;
  return { spec: { ...spec, ...change, does }, calls, earlier: change.faults ? calls : earlier };
}

const freshBehaviours = (does: readonly Behaviour[]): readonly Behaviour[] =>
  does.map((one) => (one.type === 'script' ? { ...one, run: freshScript(one.run) } : one));

const unlessNamespaced = (fault: Fault): Fault => (fault.namespaces ? { ...fault, calls: [] } : fault);

const callRandom = (seed: number, { name, configuration = '' }: WebhookSpec, call: number, fault: number): Random =>
  seededRandomFor(`${seed} ${configuration}/${name} ${call} ${fault}`);
