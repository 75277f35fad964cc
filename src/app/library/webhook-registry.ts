import { createStubRegistry, type ReceivedCall, type StubRegistry } from '../../testing/stubs/stub-registry.ts';
import type { Fault, WebhookSpec, ReviewFunction } from '../../testing/stubs/webhook-spec.ts';
import { type StubPlan, planFault } from '../../testing/stubs/plan-response.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';

/** A registry whose webhooks can be added and removed. */
export interface WebhookRegistry extends Pick<StubRegistry, 'receive' | 'find'> {
  /** Replaces one of the same name and configuration. */
  readonly add: (spec: WebhookSpec) => RegistryEntry;
  readonly specs: () => readonly WebhookSpec[];
  readonly clear: () => void;
}

interface RegistryEntry {
  readonly calls: () => readonly ReceivedCall[];
  readonly setFaults: (faults: readonly Fault[]) => void;
  readonly remove: () => void;
}

/** `seed`: of faults with a probability. */
export function createWebhookRegistry(seed: number): WebhookRegistry {
  // Each webhook has a registry of its own.
  const registries = new Map<string, StubRegistry>();
  const registryFor = (name: string, configuration = ''): StubRegistry | undefined =>
    registries.get(registryKey({ name, configuration })) ??
    registries.get(registryKey({ name })) ??
    [...registries.values()].find((registry) => configuration === '' && registry.find(name, undefined));
  return {
    receive: (arrival) => registryFor(arrival.webhook, arrival.configuration)?.receive(arrival),
    find: (name, configuration) => registryFor(name, configuration)?.find(name, configuration),
    add: (spec) => {
      const registry = createStubRegistry([spec], seed);
      const key = registryKey(spec);
      registries.set(key, registry);
      return {
        calls: registry.calls,
        setFaults: (faults) => registry.configure(spec.name, { faults }),
        remove: () => {
          if (registries.get(key) === registry) registries.delete(key);
        },
      };
    },
    specs: () => [...registries.values()].flatMap((registry) => registry.specs()),
    clear: () => registries.clear(),
  };
}

const registryKey = ({ name, configuration = '' }: Pick<WebhookSpec, 'name' | 'configuration'>): string =>
  `${configuration}/${name}`;

interface FunctionAddress {
  readonly name: string;
  readonly configuration?: string | undefined;
  readonly faults: readonly Fault[];
}

interface Registered<Review> {
  readonly calls: () => readonly Review[];
  readonly errors: () => readonly unknown[];
  readonly setFaults: (faults: readonly Fault[]) => void;
  readonly remove: () => void;
}

/** Registers a function as a stub and collects the errors that it throws. */
export function registerFunction<Review>(
  registry: WebhookRegistry,
  { name, configuration, faults }: FunctionAddress,
  answer: (review: Review) => unknown,
): Registered<Review> {
  const errors: unknown[] = [];
  // The server sends reviews of this form.
  const run: ReviewFunction = async (review) => {
    try {
      return await answer(review as unknown as Review);
    } catch (error) {
      errors.push(error);
      throw error;
    }
  };
  const place = configuration === undefined ? {} : { configuration };
  const entry = registry.add({ name, ...place, does: [{ type: 'script', run }], faults });
  return {
    calls: () => entry.calls().map(({ review }) => review as unknown as Review),
    errors: () => errors,
    setFaults: (changed) => {
      checkFaults(name, changed);
      entry.setFaults(changed);
    },
    remove: entry.remove,
  };
}

/** Throws ConfigError for an unknown fault. */
export function checkFaults(name: string, faults: readonly Fault[]): void {
  const unknown = faults.find((fault) => !isKnown(fault));
  if (unknown === undefined) return;
  const example = "{ what: { type: 'hang' } }";
  throw new ConfigError(`webhook ${name}: ${JSON.stringify(unknown)} is not a fault; use one such as ${example}`);
}

function isKnown(fault: Fault): boolean {
  try {
    const plan: StubPlan | undefined = planFault(fault.what, () => 0);
    return plan !== undefined;
  } catch {
    return false;
  }
}
