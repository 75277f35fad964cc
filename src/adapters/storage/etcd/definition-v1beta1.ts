import { asList, asObject, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';

/**
 * kube-apiserver stores definitions of custom resources as v1beta1, in which what all versions share stands beside them.
 * The same definition as v1; anything else as it is. Follows apiextensions-apiserver
 * pkg/apis/apiextensions/v1/conversion.go and v1beta1/defaults.go.
 */
export function asDefinitionV1(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'CustomResourceDefinition' || object.apiVersion !== old) return object;
  const { validation, subresources, additionalPrinterColumns, selectableFields, ...spec } = asObject(object['spec']);
  const { preserveUnknownFields, versions, version, conversion, ...others } = spec;
  const listed = asList(versions);
  const served = listed.length > 0 ? listed : [{ name: version ?? '', served: true, storage: true }];
  const shared = {
    ...(isJsonObject(validation) ? { schema: validation } : {}),
    ...(isJsonObject(subresources) ? { subresources } : {}),
    ...(additionalPrinterColumns === undefined ? {} : { additionalPrinterColumns }),
    ...(selectableFields === undefined ? {} : { selectableFields }),
  };
  return {
    ...object,
    apiVersion: current,
    spec: {
      ...others,
      versions: served.map((one) => versionV1({ ...asObject(one), ...shared })),
      ...(isJsonObject(conversion) ? { conversion: conversionV1(conversion) } : {}),
      // Without it, as v1beta1 was written before there were schemas, nothing is pruned.
      ...(preserveUnknownFields === false ? {} : { preserveUnknownFields: true }),
    },
  };
}

const old = 'apiextensions.k8s.io/v1beta1';
const current = 'apiextensions.k8s.io/v1';

function versionV1({ additionalPrinterColumns, ...version }: JsonObject): JsonObject {
  if (additionalPrinterColumns === undefined) return version;
  const columns = asList(additionalPrinterColumns).map((column) => {
    const { JSONPath, ...rest } = asObject(column);
    return JSONPath === undefined ? rest : { ...rest, jsonPath: JSONPath };
  });
  return { ...version, additionalPrinterColumns: columns };
}

function conversionV1({ strategy = null, webhookClientConfig, conversionReviewVersions }: JsonObject): JsonObject {
  if (webhookClientConfig === undefined && conversionReviewVersions === undefined) return { strategy };
  return {
    strategy,
    webhook: {
      ...(webhookClientConfig === undefined ? {} : { clientConfig: webhookClientConfig }),
      ...(conversionReviewVersions === undefined ? {} : { conversionReviewVersions }),
    },
  };
}
