import { asList, asObject, asString } from '../../apimachinery/json.ts';
import { always, inside, structDefaults } from './struct-defaults.ts';

const names = structDefaults('apiextensions.v1.CustomResourceDefinitionNames', {
  singular: (value, { kind }) => value ?? (asString(kind).toLowerCase() || undefined),
  listKind: (value, { kind }) => value ?? (asString(kind) === '' ? undefined : `${asString(kind)}List`),
});

const clientConfig = structDefaults('apiextensions.v1.WebhookClientConfig', {
  service: inside(structDefaults('apiextensions.v1.ServiceReference', { port: 443 })),
});

const conversion = structDefaults('apiextensions.v1.CustomResourceConversion', {
  webhook: inside(structDefaults('apiextensions.v1.WebhookConversion', { clientConfig: inside(clientConfig) })),
});

const spec = structDefaults('apiextensions.v1.CustomResourceDefinitionSpec', {
  names: always(names),
  conversion: (value) => (value === undefined ? { strategy: 'None' } : conversion(asObject(value))),
});

/** Follows apiextensions-apiserver pkg/apis/apiextensions/v1/defaults.go SetDefaults_CustomResourceDefinition. */
export const customResourceDefinition = structDefaults('apiextensions.v1.CustomResourceDefinition', {
  spec: always(spec),
  status: (value, definition) => always(storedVersions(asObject(definition['spec'])['versions']))(value, {}),
});

/** A definition that was never stored has stored its storage version. */
const storedVersions = (versions: Parameters<typeof asList>[0]) =>
  structDefaults('apiextensions.v1.CustomResourceDefinitionStatus', {
    storedVersions: (value) => {
      const storage = asList(versions)
        .map(asObject)
        .find((version) => version['storage'] === true);
      return asList(value).length > 0 || storage === undefined ? value : [asString(storage['name'])];
    },
  });
