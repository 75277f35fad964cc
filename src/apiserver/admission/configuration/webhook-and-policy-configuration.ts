import { stringField } from '../../../machinery/meta/decode-fields.ts';
import { fieldErrorText, invalidValue } from '../../../machinery/meta/field-error.ts';
import type { ConfigurationFiles } from './admission-configuration.ts';
import {
  configurationKind,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from './configuration-document.ts';
import { type Kubeconfig, noKubeconfig, readWebhookKubeconfig } from './kubeconfig.ts';

const kind = configurationKind({
  names: [
    ['apiserver.config.k8s.io/v1', 'WebhookAdmissionConfiguration'],
    ['apiserver.config.k8s.io/v1alpha1', 'WebhookAdmission'],
  ],
  scheme: 'k8s.io/apiserver/pkg/admission/plugin/webhook/config/kubeconfig.go:34',
  struct: {
    type: 'WebhookAdmissionConfiguration',
    fields: { kubeConfigFile: stringField(), staticManifestsDir: stringField() },
  },
});

export interface WebhookAdmission {
  readonly kubeconfig: Kubeconfig;
  /** '' for none. */
  readonly folder: string;
}

/** Follows apiserver pkg/admission/plugin/webhook/config/kubeconfig.go. */
export function readWebhookAdmission(file: string, files: ConfigurationFiles): ConfigurationReading<WebhookAdmission> {
  const decoded = readConfiguration(file, kind);
  if (!decoded.ok) return decoded;
  const { kubeConfigFile: path, staticManifestsDir } = decoded.value;
  if (path !== '' && !files.isAbsolute(path)) {
    return unreadable(fieldErrorText(invalidValue('kubeConfigFile', path, 'must be an absolute file path')));
  }
  const manifests = readStaticFolder(staticManifestsDir, files);
  if (!manifests.ok) return manifests;
  const kubeconfig = path === '' ? read(noKubeconfig) : readWebhookKubeconfig(path, files);
  return kubeconfig.ok ? read({ kubeconfig: kubeconfig.value, folder: manifests.value }) : kubeconfig;
}

const field = 'staticManifestsDir';

function readStaticFolder(folder: string, files: ConfigurationFiles): ConfigurationReading<string> {
  if (folder === '') return read('');
  if (!files.hasStaticManifests) {
    const detail = 'staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled';
    return unreadable(fieldErrorText({ type: 'FieldValueForbidden', field, detail }));
  }
  const wrong = (detail: string): ConfigurationReading<string> =>
    unreadable(fieldErrorText(invalidValue(field, folder, detail)));
  if (!folder.startsWith('/')) return wrong('must be an absolute file path');
  const isFolder = files.isFolder(folder);
  if (!isFolder.ok) return wrong(`unable to read: ${isFolder.error}`);
  return isFolder.value ? read(folder) : wrong('must be a directory');
}

export function readPolicyConfiguration(
  file: string,
  plugin: string,
  files: ConfigurationFiles,
): ConfigurationReading<string> {
  const type = `${plugin}Configuration`;
  const kind = configurationKind({
    names: [['apiserver.config.k8s.io/v1', type]],
    scheme: 'k8s.io/apiserver/pkg/admission/plugin/policy/config/config.go:32',
    struct: { type, fields: { staticManifestsDir: stringField() } },
  });
  const decoded = readConfiguration(file, kind);
  return decoded.ok ? readStaticFolder(decoded.value.staticManifestsDir, files) : decoded;
}
