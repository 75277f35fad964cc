import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { valueAt } from '../../machinery/json/json.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { conversionBy, converterName } from '../../testing/stubs/answer-conversion.ts';
import type { Fault } from '../../testing/stubs/webhook-spec.ts';
import { didYouMean } from '../../machinery/nearest-name.ts';
import { checkFaults } from './check-webhook.ts';
import type { Cluster } from './cluster.ts';
import type { ConversionReview } from './converter.ts';
import type { WebhookParts } from './create-webhooks.ts';
import { registerFunction } from './register-function.ts';

const definitions = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };

/** Functions as converters of stored definitions, on this board. */
export function createConverters({ board, client, stored }: WebhookParts): Pick<Cluster, 'converter'> {
  const setConversion = (name: string, conversion: object): Promise<object> =>
    client.patch('customresourcedefinitions', { name }, { spec: { conversion } });
  return {
    converter: async (definition, convert, { faults = [] } = {}) => {
      const isAsked = callsConverter(storedDefinition(definition, stored()));
      if (typeof convert !== 'function') throw new ConfigError(`converter ${definition}: a function must convert`);
      checkConverterFaults(definition, faults);
      if (!isAsked) await setConversion(definition, conversionBy(definition));
      const place = { name: converterName(definition), faults };
      const registered = registerFunction<ConversionReview>(board, place, convert);
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
          if (!isAsked) await setConversion(definition, { strategy: 'None', webhook: null });
        },
      };
    },
  };
}

const callsConverter = (definition: KubernetesObject): boolean =>
  valueAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook';

/** Throws ConfigError when there is none of this name. */
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
    throw new ConfigError(`converter ${definition}: a converter sends no patch that could be bad`);
  }
}
