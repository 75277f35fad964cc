import { aggregateText } from '../../../machinery/errors.ts';
import { goDuration } from '../../../machinery/go/go-duration.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import {
  decodeStruct,
  objectField,
  objectsField,
  type Struct,
  stringField,
  stringsField,
  boolField,
  intField,
} from '../../../machinery/meta/decode-fields.ts';
import {
  fieldErrorText,
  required,
  type FieldError,
  invalidValue,
  notSupported,
} from '../../../machinery/meta/field-error.ts';
import { readYaml } from '../../../machinery/yaml/read-yaml.ts';
import type { LimitedResource } from '../../quota/charge.ts';
import type { ScopeRequirement } from '../../quota/evaluator.ts';
import type { ImagePolicy } from '../plugins/image-policy-webhook.ts';
import type { NodeSelectors } from '../plugins/pod-node-selector.ts';
import type { ConfigurationFiles } from './admission-configuration.ts';
import { readBackend } from './kubeconfig.ts';
import {
  configurationKind,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from './configuration-document.ts';
import type { EventLimit } from '../plugins/event-rate-limit.ts';

const requirement: Struct<ScopeRequirement> = {
  type: 'v1.ScopedResourceSelectorRequirement',
  fields: { scopeName: stringField(), operator: stringField(), values: stringsField() },
};
const limitedResource = {
  type: 'v1.LimitedResource',
  fields: {
    apiGroup: stringField(),
    resource: stringField(),
    matchContains: stringsField(),
    matchScopes: objectsField(requirement),
  },
};
const resourceQuotaKind = configurationKind({
  names: [
    ['apiserver.config.k8s.io/v1', 'ResourceQuotaConfiguration'],
    ['resourcequota.admission.k8s.io/v1beta1', 'Configuration'],
    ['resourcequota.admission.k8s.io/v1alpha1', 'Configuration'],
  ],
  scheme: 'k8s.io/apiserver/pkg/admission/plugin/resourcequota/config.go:32',
  struct: { type: 'ResourceQuotaConfiguration', fields: { limitedResources: objectsField(limitedResource) } },
});

/** The configuration of ResourceQuota. Follows apiserver pkg/admission/plugin/resourcequota/apis/resourcequota. */
export function readLimitedResources(file: string): ConfigurationReading<readonly LimitedResource[]> {
  const decoded = readConfiguration(file, resourceQuotaKind);
  if (!decoded.ok) return decoded;
  const { limitedResources } = decoded.value;
  const errors = limitedResources.flatMap(({ resource }, index) =>
    resource === '' ? [required(`limitedResources[${index}].resource`, '')] : [],
  );
  if (errors.length > 0) return unreadable(aggregateText(errors.map(fieldErrorText)));
  return read(
    limitedResources.map(({ apiGroup, resource, ...others }) => ({
      resource: { group: apiGroup, resource },
      ...others,
    })),
  );
}

/** The configuration of PodNodeSelector, which has no version. Follows kubernetes plugin/pkg/admission/podnodeselector/admission.go. */
export function readNodeSelectors(file: string): ConfigurationReading<NodeSelectors> {
  const yaml = readYaml(file);
  if (yaml.outcome === 'unreadable') return unreadable(yaml.error);
  const listed = isJsonObject(yaml.value) ? yaml.value['podNodeSelectorPluginConfig'] : undefined;
  const entries = isJsonObject(listed) ? Object.entries(listed) : [];
  return read(new Map(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))));
}

/** Milliseconds. */
interface Span {
  readonly unit: number;
  readonly above: number;
  readonly max: number;
  readonly fallback: number;
}

const nanosecond = 1e-6;
const second = 1000;
const minute = 60 * second;
const spans = {
  retryBackoff: { unit: 1, above: nanosecond, max: 5 * minute, fallback: 500 },
  allowTTL: { unit: second, above: second, max: 30 * minute, fallback: 5 * minute },
  denyTTL: { unit: second, above: second, max: 30 * minute, fallback: 30 * second },
} as const;

const duration = intField('time.Duration');
const imagePolicyConfiguration = {
  type: 'AdmissionConfig',
  fields: {
    imagePolicy: objectField({
      type: 'imagePolicyWebhookConfig',
      fields: {
        kubeConfigFile: stringField(),
        defaultAllow: boolField,
        retryBackoff: duration,
        allowTTL: duration,
        denyTTL: duration,
      },
    }),
  },
};

/** The configuration of ImagePolicyWebhook, which has no version. Follows kubernetes plugin/pkg/admission/imagepolicy/config.go. */
export function readImagePolicy(
  file: string | undefined,
  files: ConfigurationFiles,
): ConfigurationReading<ImagePolicy> {
  if (file === undefined) return unreadable('no config specified');
  const yaml = readYaml(file);
  if (yaml.outcome === 'unreadable') return unreadable(yaml.error);
  const { value, fatal } = decodeStruct(imagePolicyConfiguration, isJsonObject(yaml.value) ? yaml.value : {});
  if (fatal !== undefined) return unreadable(fatal);
  const { kubeConfigFile, defaultAllow } = value.imagePolicy;
  const spanOf = (name: keyof typeof spans): ConfigurationReading<number> =>
    readSpan(value.imagePolicy[name], spans[name]);
  const [retryBackoff, allowTTL, denyTTL] = [spanOf('retryBackoff'), spanOf('allowTTL'), spanOf('denyTTL')];
  if (!retryBackoff.ok) return retryBackoff;
  if (!allowTTL.ok) return allowTTL;
  if (!denyTTL.ok) return denyTTL;
  const times = { retryBackoffMs: retryBackoff.value, allowMs: allowTTL.value, denyMs: denyTTL.value };
  const backend = readBackend(kubeConfigFile, files);
  if (!backend.ok) return backend;
  return read({
    ...times,
    defaultAllow: defaultAllow === true,
    kubeconfigFile: kubeConfigFile,
    backend: backend.value,
  });
}

/** -1 disables the cache, 0 means the default. */
function readSpan(value: number, { unit, above, max, fallback }: Span): ConfigurationReading<number> {
  if (value === -1) return read(0);
  if (value === 0) return read(fallback);
  const span = value * unit;
  if (span > above && span <= max) return read(span);
  return unreadable(`valid value is between ${goDuration(above)} and ${goDuration(max)}, got ${goDuration(span)}`);
}

const types = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const;
const defaultCacheSize = 4096;

const int32 = intField('int32');
const limit = {
  type: 'v1alpha1.Limit',
  fields: { type: stringField('v1alpha1.LimitType'), qps: int32, burst: int32, cacheSize: int32 },
};
const eventRateLimitKind = configurationKind({
  names: [['eventratelimit.admission.k8s.io/v1alpha1', 'Configuration']],
  scheme: 'k8s.io/kubernetes/plugin/pkg/admission/eventratelimit/config.go:35',
  struct: { type: 'Configuration', fields: { limits: objectsField<DecodedLimit>(limit) } },
});

/** Missing configuration is an error. Follows kubernetes plugin/pkg/admission/eventratelimit/apis. */
export function readEventLimits(file: string | undefined): ConfigurationReading<readonly EventLimit[]> {
  if (file === undefined) return unreadable('limits: Invalid value: null: must not be empty');
  const decoded = readConfiguration(file, eventRateLimitKind);
  if (!decoded.ok) return decoded;
  const { limits } = decoded.value;
  if (limits.length === 0) return unreadable('limits: Invalid value: []: must not be empty');
  const errors = limits.flatMap((one, index) => limitErrors(one, `limits[${index}]`));
  if (errors.length > 0) return unreadable(aggregateText(errors.map(fieldErrorText)));
  return read(
    limits.flatMap(({ type: name, cacheSize, ...rates }) => {
      const type = types.find((one) => one === name);
      return type ? [{ type, cacheSize: cacheSize || defaultCacheSize, ...rates }] : [];
    }),
  );
}

type DecodedLimit = Omit<EventLimit, 'type'> & { readonly type: string };

const limitErrors = ({ type, burst, qps, cacheSize }: DecodedLimit, field: string): readonly FieldError[] => [
  ...(types.some((one) => one === type) ? [] : [notSupported(`${field}.type`, type, types)]),
  ...(burst <= 0 ? [invalidValue(`${field}.burst`, burst, 'must be positive')] : []),
  ...(qps <= 0 ? [invalidValue(`${field}.qps`, qps, 'must be positive')] : []),
  ...(type !== 'Server' && cacheSize < 0
    ? [invalidValue(`${field}.cacheSize`, cacheSize, 'must not be negative')]
    : []),
];
