import { goDuration } from '../../../machinery/go/go-duration.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import { createFieldReader, type FieldReader, type Fields } from '../../../machinery/meta/decode-fields.ts';
import { fieldErrorText, required } from '../../../machinery/meta/field-error.ts';
import { readYaml } from '../../../machinery/yaml/read-yaml.ts';
import type { LimitedResource } from '../../quota/charge.ts';
import type { ScopeRequirement } from '../../quota/scope.ts';
import type { ImagePolicy } from '../plugins/image-policy-webhook.ts';
import type { NodeSelectors } from '../plugins/pod-node-selector.ts';
import type { ConfigurationFiles } from './admission-configuration.ts';
import { readBackend } from './backend.ts';
import {
  type ConfigurationKind,
  listText,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from './configuration-document.ts';

const kind: ConfigurationKind = {
  names: [
    ['apiserver.config.k8s.io/v1', 'ResourceQuotaConfiguration'],
    ['resourcequota.admission.k8s.io/v1beta1', 'Configuration'],
    ['resourcequota.admission.k8s.io/v1alpha1', 'Configuration'],
  ],
  scheme: 'k8s.io/apiserver/pkg/admission/plugin/resourcequota/config.go:32',
};

/** The configuration of ResourceQuota. Follows apiserver pkg/admission/plugin/resourcequota/apis/resourcequota. */
export function readLimitedResources(text: string): ConfigurationReading<readonly LimitedResource[]> {
  const decoded = readConfiguration(text, kind, (fields, reader) => {
    reader.only(fields, ['apiVersion', 'kind', 'limitedResources'], '');
    const place = { struct: 'ResourceQuotaConfiguration', path: '' };
    return reader.objects(fields, 'limitedResources', place, 'v1.LimitedResource').map(limitedIn(reader));
  });
  if (!decoded.ok) return decoded;
  const errors = decoded.value.flatMap(({ resource }, index) =>
    resource.resource === '' ? [required(`limitedResources[${index}].resource`, '')] : [],
  );
  return errors.length > 0 ? unreadable(listText(errors.map(fieldErrorText))) : read(decoded.value);
}

const limitedIn =
  (reader: FieldReader) =>
  (fields: Fields, index: number): LimitedResource => {
    const at = `limitedResources[${index}]`;
    reader.only(fields, ['apiGroup', 'resource', 'matchContains', 'matchScopes'], at);
    const place = { struct: 'LimitedResource', path: 'limitedResources' };
    const scopes = reader.objects(fields, 'matchScopes', place, 'v1.ScopedResourceSelectorRequirement');
    return {
      resource: {
        group: reader.text(fields, 'apiGroup', place),
        resource: reader.text(fields, 'resource', place),
      },
      matchContains: reader.texts(fields, 'matchContains', place),
      matchScopes: scopes.map((scope, number) => scopeIn(reader, scope, `${at}.matchScopes[${number}]`)),
    };
  };

function scopeIn(reader: FieldReader, fields: Fields, at: string): ScopeRequirement {
  reader.only(fields, ['scopeName', 'operator', 'values'], at);
  const place = { struct: 'ScopedResourceSelectorRequirement', path: 'limitedResources.matchScopes' };
  return {
    scopeName: reader.text(fields, 'scopeName', place),
    operator: reader.text(fields, 'operator', place),
    values: reader.texts(fields, 'values', place),
  };
}

/** The configuration of PodNodeSelector, which has no version. Follows kubernetes plugin/pkg/admission/podnodeselector/admission.go. */
export function readNodeSelectors(text: string): ConfigurationReading<NodeSelectors> {
  const yaml = readYaml(text);
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
  readonly usual: number;
}

const nanosecond = 1e-6;
const second = 1000;
const minute = 60 * second;
const spans = {
  retryBackoff: { unit: 1, above: nanosecond, max: 5 * minute, usual: 500 },
  allowTTL: { unit: second, above: second, max: 30 * minute, usual: 5 * minute },
  denyTTL: { unit: second, above: second, max: 30 * minute, usual: 30 * second },
} as const;

/** The configuration of ImagePolicyWebhook, which has no version. Follows kubernetes plugin/pkg/admission/imagepolicy/config.go. */
export function readImagePolicy(
  text: string | undefined,
  files: ConfigurationFiles,
): ConfigurationReading<ImagePolicy> {
  if (text === undefined) return unreadable('no config specified');
  const yaml = readYaml(text);
  if (yaml.outcome === 'unreadable') return unreadable(yaml.error);
  const reader = createFieldReader();
  const place = { struct: 'imagePolicyWebhookConfig', path: 'imagePolicy' };
  const root = isJsonObject(yaml.value) ? yaml.value : {};
  const section = reader.object(
    root,
    'imagePolicy',
    { struct: 'AdmissionConfig', path: '' },
    'imagePolicyWebhookConfig',
  );
  const spanOf = (name: keyof typeof spans): ConfigurationReading<number> =>
    spanIn(reader.whole(section, name, place, 'time.Duration'), spans[name]);
  const path = reader.text(section, 'kubeConfigFile', place);
  const defaultAllow = reader.truth(section, 'defaultAllow', place) === true;
  const [retryBackoff, allowTTL, denyTTL] = [spanOf('retryBackoff'), spanOf('allowTTL'), spanOf('denyTTL')];
  const fatal = reader.fatal();
  if (fatal !== undefined) return unreadable(fatal);
  if (!retryBackoff.ok) return retryBackoff;
  if (!allowTTL.ok) return allowTTL;
  if (!denyTTL.ok) return denyTTL;
  const times = { retryBackoffMs: retryBackoff.value, allowMs: allowTTL.value, denyMs: denyTTL.value };
  const backend = readBackend(path, files);
  return backend.ok ? read({ ...times, defaultAllow, kubeconfigFile: path, backend: backend.value }) : backend;
}

/** -1 disables the cache, 0 means the default. */
function spanIn(value: number, { unit, above, max, usual }: Span): ConfigurationReading<number> {
  if (value === -1) return read(0);
  if (value === 0) return read(usual);
  const span = value * unit;
  if (span > above && span <= max) return read(span);
  return unreadable(`valid value is between ${goDuration(above)} and ${goDuration(max)}, got ${goDuration(span)}`);
}
