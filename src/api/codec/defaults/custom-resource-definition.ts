import { clientConfig } from './admission-configurations.ts';
import { asList, asObject, asString, isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { always, ifPresent, structDefaults } from './struct-defaults.ts';
import type * as apiextensions from '../../types/generated/apiextensions-v1.ts';

const names = structDefaults<apiextensions.CustomResourceDefinitionNames>({
  singular: (value, { kind }) => value ?? (asString(kind).toLowerCase() || undefined),
  listKind: (value, { kind }) => value ?? (asString(kind) === '' ? undefined : `${asString(kind)}List`),
});

const conversion = structDefaults<apiextensions.CustomResourceConversion>({
  // An empty webhook is lost in v1beta1, the storage version.
  webhook: (value) => (isSet(asObject(value)) ? webhook(value) : undefined),
});

const webhook = ifPresent(structDefaults<apiextensions.WebhookConversion>({ clientConfig: ifPresent(clientConfig) }));

const isSet = ({ clientConfig: client, conversionReviewVersions: versions }: JsonObject): boolean =>
  isJsonObject(client) || asList(versions).length > 0;

const spec = structDefaults<apiextensions.CustomResourceDefinitionSpec>({
  names: always(names),
  conversion: (value) => (value === undefined ? { strategy: 'None' } : conversion(asObject(value))),
});

/** Follows apiextensions-apiserver pkg/apis/apiextensions/v1/defaults.go SetDefaults_CustomResourceDefinition. */
export const customResourceDefinition = structDefaults<apiextensions.CustomResourceDefinition>({
  spec: always(spec),
  status: (value, definition) => always(createStatusDefaults(asList(definition.spec?.versions)))(value),
});

const createStatusDefaults = (versions: readonly apiextensions.CustomResourceDefinitionVersion[]) =>
  structDefaults<apiextensions.CustomResourceDefinitionStatus>({
    storedVersions: (value) => {
      const stored = versions.find(({ storage }) => storage === true);
      return asList(value).length > 0 || stored === undefined ? value : [asString(stored.name)];
    },
  });
