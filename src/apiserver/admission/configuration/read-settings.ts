import type { Toleration } from '../../../api/types/generated/core-v1.ts';
import { validateTolerations } from '../../../api/validation/core/affinity.ts';
import { plainValue } from '../../../machinery/json/json-reader.ts';
import { anyField, type Fields, objectsField } from '../../../machinery/meta/decode-fields.ts';
import { fieldErrorText, goQuote } from '../../../machinery/meta/field-error.ts';
import { ownValue } from '../../../machinery/meta/object.ts';
import { defaultSettings, type PluginSettings } from '../plugins/plugin-settings.ts';
import type { PodTolerations } from '../plugins/pod-toleration-restriction.ts';
import { type ConfigurationFiles, readAdmissionConfiguration } from './admission-configuration.ts';
import {
  configurationKind,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from './configuration-document.ts';
import { readEventLimits, readImagePolicy, readLimitedResources, readNodeSelectors } from './plugin-configurations.ts';
import type { ManifestPlugin } from './manifests/static-manifests.ts';
import { readPodSecurityConfiguration } from './pod-security-configuration.ts';
import { readPolicyConfiguration, readWebhookAdmission } from './webhook-and-policy-configuration.ts';

const tolerations = objectsField({
  type: 'v1.Toleration',
  fields: { key: anyField, operator: anyField, value: anyField, effect: anyField, tolerationSeconds: anyField },
});
const kind = configurationKind({
  names: [['podtolerationrestriction.admission.k8s.io/v1alpha1', 'Configuration']],
  scheme: 'k8s.io/kubernetes/plugin/pkg/admission/podtolerationrestriction/config.go:35',
  struct: { type: 'Configuration', fields: { default: tolerations, whitelist: tolerations } },
});

/** The configuration of PodTolerationRestriction. Follows kubernetes plugin/pkg/admission/podtolerationrestriction/apis. */
function readPodTolerations(text: string): ConfigurationReading<PodTolerations> {
  const decoded = readConfiguration(text, kind);
  if (!decoded.ok) return decoded;
  const [standard, whitelist] = [decoded.value.default.map(toToleration), decoded.value.whitelist.map(toToleration)];
  const errors = [
    ...validateTolerations(standard, 'podtolerationrestriction.default'),
    ...validateTolerations(whitelist, 'podtolerationrestriction.whitelist'),
  ];
  return errors.length > 0
    ? unreadable(`invalid config: [${errors.map(fieldErrorText).join(' ')}]`)
    : read({ default: standard, whitelist });
}

const toToleration = (fields: Fields): Toleration =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, plainValue(value)] as const],
    ),
  );

export type SettingsReading =
  | { readonly outcome: 'read'; readonly settings: PluginSettings }
  /** The exit text and code of kube-apiserver. */
  | { readonly outcome: 'failed'; readonly error: string; readonly exitCode: 1 | 255 };

/** Part of the settings, or upstream's error from decoding or starting the plugin. */
type PluginReading =
  | ConfigurationReading<Partial<PluginSettings>>
  | { readonly ok: false; readonly error: string; readonly onStart: true };

/**
 * Settings of the enabled plugins from --admission-control-config-file ('' for none). Follows apiserver
 * pkg/admission/plugins.go InitPlugin.
 */
export function readSettings(path: string, plugins: readonly string[], files: ConfigurationFiles): SettingsReading {
  const configurations = readAdmissionConfiguration(path, files);
  if (configurations.outcome === 'unreadable') {
    return failed(`failed to apply admission: failed to read plugin config: ${configurations.error}`);
  }
  let settings = defaultSettings;
  for (const plugin of plugins) {
    const text = configurations.textOf(plugin);
    if (!text.ok) {
      const reason = `&fs.PathError{Op:"open", Path:${goQuote(text.error)}, Err:0x2}`;
      return { ...failed(`Couldn't open admission plugin configuration ${text.error}: ${reason}`), exitCode: 255 };
    }
    const settingsRead = ownValue(readers, plugin)?.(text.value, files);
    if (settingsRead === undefined) continue;
    if (!settingsRead.ok) {
      const verb = 'onStart' in settingsRead ? 'failed to initialize' : "couldn't init";
      return failed(`failed to apply admission: ${verb} admission plugin ${goQuote(plugin)}: ${settingsRead.error}`);
    }
    const staticFolders = new Map([...settings.staticFolders, ...(settingsRead.value.staticFolders ?? [])]);
    settings = { ...settings, ...settingsRead.value, staticFolders };
  }
  return { outcome: 'read', settings };
}

const failed = (error: string): Extract<SettingsReading, { readonly outcome: 'failed' }> => ({
  outcome: 'failed',
  error,
  exitCode: 1,
});

const readers: Readonly<Record<string, (text: string | undefined, files: ConfigurationFiles) => PluginReading>> = {
  EventRateLimit: (text) => toSettings(readEventLimits(text), (eventLimits) => ({ eventLimits })),
  ImagePolicyWebhook: (text, files) => toSettings(readImagePolicy(text, files), (imagePolicy) => ({ imagePolicy })),
  MutatingAdmissionPolicy: policyReader('MutatingAdmissionPolicy'),
  MutatingAdmissionWebhook: whenConfigured(readWebhookAdmission, ({ kubeconfig, folder }) => ({
    mutatingWebhooks: kubeconfig,
    ...staticFolder('MutatingAdmissionWebhook', folder),
  })),
  PodNodeSelector: whenConfigured(readNodeSelectors, (nodeSelectors) => ({ nodeSelectors })),
  PodSecurity: (text) => {
    if (text === undefined) return nothing;
    const decoded = readPodSecurityConfiguration(text);
    if (!decoded.ok) return decoded;
    const { value } = decoded;
    return value.ok ? { ok: true, value: { podSecurity: value.value } } : { ...value, onStart: true };
  },
  PodTolerationRestriction: whenConfigured(readPodTolerations, (podTolerations) => ({ podTolerations })),
  ResourceQuota: whenConfigured(readLimitedResources, (limitedResources) => ({ limitedResources })),
  ValidatingAdmissionPolicy: policyReader('ValidatingAdmissionPolicy'),
  ValidatingAdmissionWebhook: whenConfigured(readWebhookAdmission, ({ kubeconfig, folder }) => ({
    validatingWebhooks: kubeconfig,
    ...staticFolder('ValidatingAdmissionWebhook', folder),
  })),
};

const nothing: PluginReading = { ok: true, value: {} };

const toSettings = <T>(
  reading: ConfigurationReading<T>,
  settingsOf: (value: T) => Partial<PluginSettings>,
): PluginReading => (reading.ok ? { ok: true, value: settingsOf(reading.value) } : reading);

function policyReader(plugin: ManifestPlugin): ReturnType<typeof whenConfigured> {
  return whenConfigured(
    (text, files) => readPolicyConfiguration(text, plugin, files),
    (folder) => staticFolder(plugin, folder),
  );
}

const staticFolder = (plugin: ManifestPlugin, folder: string): Partial<PluginSettings> =>
  folder === '' ? {} : { staticFolders: new Map([[plugin, folder]]) };

function whenConfigured<T>(
  readText: (text: string, files: ConfigurationFiles) => ConfigurationReading<T>,
  settingsOf: (value: T) => Partial<PluginSettings>,
): (text: string | undefined, files: ConfigurationFiles) => PluginReading {
  return (text, files) => (text === undefined ? nothing : toSettings(readText(text, files), settingsOf));
}
