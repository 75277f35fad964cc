import { createFieldReader } from '../../../machinery/meta/decode-fields.ts';
import { goDuration } from '../../../machinery/go/go-duration.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import { readYaml } from '../../../machinery/yaml/read-yaml.ts';
import type { ImagePolicy } from '../plugins/image-policy-webhook.ts';
import { readBackend } from './backend.ts';
import type { ConfigurationFiles } from './admission-configuration.ts';
import { read, unreadable } from './configuration-document.ts';
import type { Reading } from './configuration-document.ts';

/** Milliseconds. */
interface Span {
  readonly unit: number;
  readonly above: number;
  readonly most: number;
  readonly usual: number;
}

const nanosecond = 1e-6;
const second = 1000;
const minute = 60 * second;
const spans = {
  retryBackoff: { unit: 1, above: nanosecond, most: 5 * minute, usual: 500 },
  allowTTL: { unit: second, above: second, most: 30 * minute, usual: 5 * minute },
  denyTTL: { unit: second, above: second, most: 30 * minute, usual: 30 * second },
} as const;

/** The configuration of ImagePolicyWebhook, which has no version. Follows kubernetes plugin/pkg/admission/imagepolicy/config.go. */
export function readImagePolicy(text: string | undefined, files: ConfigurationFiles): Reading<ImagePolicy> {
  if (text === undefined) return unreadable('no config specified');
  const yaml = readYaml(text);
  if (yaml.outcome === 'unreadable') return unreadable(yaml.error);
  const reader = createFieldReader();
  const place = { struct: 'imagePolicyWebhookConfig', path: 'imagePolicy' };
  const root = isJsonObject(yaml.value) ? yaml.value : {};
  const said = reader.object(root, 'imagePolicy', { struct: 'AdmissionConfig', path: '' }, 'imagePolicyWebhookConfig');
  const spanOf = (name: keyof typeof spans): Reading<number> =>
    spanIn(reader.whole(said, name, place, 'time.Duration'), spans[name]);
  const path = reader.text(said, 'kubeConfigFile', place);
  const defaultAllow = reader.truth(said, 'defaultAllow', place) === true;
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
function spanIn(said: number, { unit, above, most, usual }: Span): Reading<number> {
  if (said === -1) return read(0);
  if (said === 0) return read(usual);
  const span = said * unit;
  if (span > above && span <= most) return read(span);
  return unreadable(`valid value is between ${goDuration(above)} and ${goDuration(most)}, got ${goDuration(span)}`);
}
