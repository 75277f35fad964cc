import type { CallReply, CallWebhook, ClientConfig, WebhookCall } from '../../apiserver/admission/webhooks/call.ts';
import type { Random } from '../../machinery/clock.ts';
import { asString, valueAt } from '../../machinery/json/json.ts';
import { type UrlAddress, urlAddress } from '../../machinery/url-address.ts';
import { freshScript } from './script-instances.ts';
import { type StubPlan, planFor } from './plan.ts';
import { seededRandomFor } from './seeded-random.ts';
import type {
  IncomingCall,
  PlannedResponse,
  ReceivedCall,
  StubRegistry,
  UnansweredCall,
  WebhookChange,
} from './stub-registry.ts';
import type { Behaviour, Fault, WebhookSpec } from './webhook-spec.ts';

interface Extension {
  readonly spec: WebhookSpec;
  /** `earlier`: calls before the faults were last configured. */
  readonly calls: number;
  readonly earlier: number;
}

/**
 * Randomness depends on seed, webhook and call number only, so parallel calls may arrive in any order. Scripts get variables of their own.
 */
export function createStubRegistry(specs: readonly WebhookSpec[], seed: number): StubRegistry {
  const extensions = specs.map((spec): Extension => ({
    spec: { ...spec, does: freshBehaviours(spec.does) },
    calls: 0,
    earlier: 0,
  }));
  const calls: ReceivedCall[] = [];
  const unanswered: UnansweredCall[] = [];

  const planned = (extension: Extension, faults: readonly Fault[], namespace: string): StubPlan => {
    const { spec, calls: before, earlier } = extension;
    const random = (fault: number): Random => chanceOf(seed, spec, before + 1, fault);
    return planFor(faults, { number: before + 1 - earlier, namespace, random });
  };
  const receive = ({ webhook, configuration, at, review }: IncomingCall): PlannedResponse | undefined => {
    const index = indexFor(extensions, webhook, configuration);
    const extension = extensions[index];
    if (!extension) return undefined;
    extensions[index] = { ...extension, calls: extension.calls + 1 };
    calls.push({ webhook, ...(configuration === undefined ? {} : { configuration }), at, review });
    if (calls.length > remembered) calls.shift();
    const { spec } = extension;
    return { spec, plan: planned(extension, spec.faults, asString(valueAt(review, 'request', 'namespace'))) };
  };
  const planAt = (webhook: string, configuration: string | undefined): StubPlan | undefined => {
    const extension = extensions[indexFor(extensions, webhook, configuration)];
    // The index of a fault matters: randomness is drawn for each.
    return extension && planned(extension, extension.spec.faults.map(unlessNamespaced), '');
  };
  const configure = (name: string, change: WebhookChange): void => {
    const chosen = extensions.filter(({ spec }) => isCalled(spec, name));
    if (chosen.length === 0) throw new Error(`no webhook ${name} to configure; ${knownNames(extensions)}`);
    for (const extension of chosen) extensions[extensions.indexOf(extension)] = changed(extension, change);
  };
  return {
    specs: () => extensions.map(({ spec }) => spec),
    find: (webhook, configuration) => extensions[indexFor(extensions, webhook, configuration)]?.spec,
    configure,
    receive,
    planOf: planAt,
    calls: () => calls,
    reportUnanswered: (call) => {
      if (unanswered.length < remembered) unanswered.push(call);
    },
    unanswered: () => unanswered,
  };
}

/** As many as the traces kept. */
const remembered = 2_000;

/** The exact configuration, else any; a caller without a configuration gets the first of the name. */
function indexFor(extensions: readonly Extension[], webhook: string, configuration: string | undefined): number {
  const index = extensions.findIndex(({ spec }) => spec.name === webhook && spec.configuration === configuration);
  if (index >= 0) return index;
  return extensions.findIndex(
    ({ spec }) => spec.name === webhook && (spec.configuration === undefined || configuration === undefined),
  );
}

const isCalled = (spec: WebhookSpec, name: string): boolean =>
  spec.name === name || (spec.configuration !== undefined && `${spec.configuration}/${spec.name}` === name);

const knownNames = (extensions: readonly Extension[]): string =>
  extensions.length === 0 ? 'there are none' : `there are ${extensions.map(({ spec }) => spec.name).join(', ')}`;

function changed({ spec, calls, earlier }: Extension, change: WebhookChange): Extension {
  const does = change.does ? freshBehaviours(change.does) : spec.does;
  return { spec: { ...spec, ...change, does }, calls, earlier: change.faults ? calls : earlier };
}

const freshBehaviours = (does: readonly Behaviour[]): readonly Behaviour[] =>
  does.map((one) => (one.type === 'script' ? { ...one, run: freshScript(one.run) } : one));

const unlessNamespaced = (fault: Fault): Fault => (fault.namespaces ? { ...fault, calls: [] } : fault);

const chanceOf = (seed: number, { name, configuration = '' }: WebhookSpec, call: number, fault: number): Random =>
  seededRandomFor(`${seed} ${configuration}/${name} ${call} ${fault}`);

/** Routes calls to another address; the webhook client calls `dialOverride`. */
export interface StubDialing {
  readonly dialOverride: (call: WebhookCall) => UrlAddress | undefined;
  readonly send: (client: CallWebhook, call: WebhookCall, dialOverride: UrlAddress) => Promise<CallReply>;
  /** `to` of a webhook, which the reader has checked. */
  readonly sendTo: (client: CallWebhook, call: WebhookCall, to: string) => Promise<CallReply>;
}

/** `createWebhookClient({ cluster, dialOverride: dialOverrides.dialOverride })`, then `dialOverrides.send(client.call, call, address)`. */
export function createStubDialing(): StubDialing {
  // Of calls that are under way; a call has no field for it.
  const under = new WeakMap<WebhookCall, UrlAddress>();
  const send: StubDialing['send'] = (client, call, dialOverride) => {
    const sent = { ...call };
    under.set(sent, dialOverride);
    return client(sent);
  };
  return {
    dialOverride: (call) => under.get(call),
    send,
    sendTo: (client, call, to) => {
      const url = new URL(to);
      if (isBase(url)) return send(client, call, urlAddress(url));
      const clientConfig = withPath(call.clientConfig, url.pathname);
      return send(client, { ...call, clientConfig }, { ...urlAddress(url), basePath: '' });
    },
  };
}

/** A path that ends in `/` precedes that of the call; any other replaces it. */
const isBase = ({ pathname }: URL): boolean => pathname.endsWith('/');

/** `to` with the path of the call unless it has one of its own: `http://localhost:8080`, `http://localhost:8080/mutate`. */
export const urlOfTo = (to: string, path: string): string =>
  isBase(new URL(to)) ? `${to.replace(/\/$/, '')}${path}` : to;

function withPath({ url, service, ...rest }: ClientConfig, path: string): ClientConfig {
  if (service !== undefined) return { ...rest, service: { ...service, path } };
  return url === undefined ? rest : { ...rest, url: new URL(path, url).href };
}
