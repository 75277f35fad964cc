import { asList, asObject, asString } from '../../apimachinery/json.ts';
import { always, inside, structDefaults } from './struct-defaults.ts';

const names = structDefaults({
  singular: (value, { kind }) => value ?? (asString(kind).toLowerCase() || undefined),
  listKind: (value, { kind }) => value ?? (asString(kind) === '' ? undefined : `${asString(kind)}List`),
});

const clientConfig = structDefaults({
  service: inside(structDefaults({ port: 443 })),
});

const conversion = structDefaults({
  webhook: inside(structDefaults({ clientConfig: inside(clientConfig) })),
});

const spec = structDefaults({
  names: always(names),
  conversion: (value) => (value === undefined ? { strategy: 'None' } : conversion(asObject(value))),
});

/** Follows apiextensions-apiserver pkg/apis/apiextensions/v1/defaults.go SetDefaults_CustomResourceDefinition. */
export const customResourceDefinition = structDefaults({
  spec: always(spec),
  status: (value, definition) => always(storedVersions(asObject(definition['spec'])['versions']))(value, {}),
});

/** A definition that was never stored has stored its storage version. */
const storedVersions = (versions: Parameters<typeof asList>[0]) =>
  structDefaults({
    storedVersions: (value) => {
      const storage = asList(versions)
        .map(asObject)
        .find((version) => version['storage'] === true);
      return asList(value).length > 0 || storage === undefined ? value : [asString(storage['name'])];
    },
  });
