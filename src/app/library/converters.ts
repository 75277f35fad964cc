import { registerFunction, checkFaults } from './webhook-registry.ts';
import type { Fault } from '../../testing/stubs/webhook-spec.ts';
import type { WebhookParts } from './webhooks.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { valueAt } from '../../machinery/json/json.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { didYouMean } from '../../machinery/nearest-name.ts';
import { conversionBy, converterName } from '../../testing/stubs/answer-conversion.ts';
import type { ApiObject } from './client.ts';

export interface ConversionReview {
  readonly apiVersion: string;
  readonly kind: 'ConversionReview';
  readonly request: {
    readonly uid: string;
    /** `example.com/v2`. */
    readonly desiredAPIVersion: string;
    readonly objects: readonly ApiObject[];
  };
}

/** `response` of a ConversionReview. */
export interface ConversionResponse {
  readonly convertedObjects?: readonly object[];
  readonly result: { readonly status: 'Success' | 'Failure'; readonly message?: string };
}

/** Returns the converted objects in order, or a whole response; the API server receives what it throws as status 500. */
export type ConverterFunction = (
  review: ConversionReview,
) => readonly object[] | ConversionResponse | Promise<readonly object[] | ConversionResponse>;

/** A converter that is a function of this process. */
export interface Converter {
  /** The CustomResourceDefinition's name. */
  readonly definition: string;
  /** Every review received, in order; also those that a fault left without response. */
  readonly calls: () => readonly ConversionReview[];
  /** What the function threw, in order. */
  readonly errors: () => readonly unknown[];
  /** Faults of the following calls; [] for none. */
  readonly setFaults: (faults: readonly Fault[]) => void;
  /** Removes it; a definition that had no converter before has none again. */
  readonly remove: () => Promise<void>;
}

export interface Converters {
  /**
   * Registers a function as the converter of a stored CustomResourceDefinition, and sets its `spec.conversion` unless that
   * names a webhook. Rejects when there is no such definition.
   */
  readonly converter: (
    definition: string,
    convert: ConverterFunction,
    options?: { readonly faults?: readonly Fault[] },
  ) => Promise<Converter>;
}

const definitions = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };

export function createConverters({ registry, client, stored }: WebhookParts): Converters {
  const setConversion = (name: string, conversion: object): Promise<object> =>
    client.patch('customresourcedefinitions', { name }, { spec: { conversion } });
  return {
    converter: async (definition, convert, { faults = [] } = {}) => {
      const isSet = callsConverter(storedDefinition(definition, stored()));
      if (typeof convert !== 'function')
        throw new ConfigError(`converter ${definition}: the second argument must be a function`);
      checkConverterFaults(definition, faults);
      if (!isSet) await setConversion(definition, conversionBy(definition));
      const place = { name: converterName(definition), faults };
      const registered = registerFunction<ConversionReview>(registry, place, convert);
      return {
        definition,
        calls: registered.calls,
        errors: registered.errors,
        setFaults: (changed) => {
          checkConverterFaults(definition, changed);
          registered.setFaults(changed);
        },
        remove: async () => {
          registered.remove();
          if (!isSet) await setConversion(definition, { strategy: 'None', webhook: null });
        },
      };
    },
  };
}

const callsConverter = (definition: KubernetesObject): boolean =>
  valueAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook';

/** Throws ConfigError for an unknown name. */
function storedDefinition(name: string, cluster: ClusterView): KubernetesObject {
  const definition = cluster.get(definitions, '', name);
  if (definition) return definition;
  const names = cluster.list(definitions).map((one) => metadataOf(one).name ?? '');
  const near = didYouMean(name, names) || '; load it first';
  throw new ConfigError(`there is no CustomResourceDefinition ${JSON.stringify(name)}${near}`);
}

function checkConverterFaults(definition: string, faults: readonly Fault[]): void {
  checkFaults(definition, faults);
  if (faults.some(({ what }) => what.type === 'bad-patch')) {
    throw new ConfigError(`converter ${definition}: converters send no patches`);
  }
}
