import { fieldErrorText, invalidValue } from '../../apimachinery/field-error.ts';
import type { ConfigurationFiles } from './admission-configuration.ts';
import { readConfiguration, unreadable } from './configuration-document.ts';
import type { ConfigurationKind, Reading } from './configuration-document.ts';
import { readKubeconfig } from './kubeconfig.ts';
import type { Kubeconfig } from './kubeconfig.ts';

const kind: ConfigurationKind = {
  names: [
    ['apiserver.config.k8s.io/v1', 'WebhookAdmissionConfiguration'],
    ['apiserver.config.k8s.io/v1alpha1', 'WebhookAdmission'],
  ],
  scheme: 'k8s.io/apiserver/pkg/admission/plugin/webhook/config/kubeconfig.go:34',
};

/**
 * The configuration of MutatingAdmissionWebhook or ValidatingAdmissionWebhook: a kubeconfig with its clients' credentials.
 * Follows apiserver pkg/admission/plugin/webhook/config/kubeconfig.go.
 */
export function readWebhookAdmission(text: string, files: ConfigurationFiles): Reading<Kubeconfig> {
  const decoded = readConfiguration(text, kind, (fields, reader) => {
    reader.only(fields, ['apiVersion', 'kind', 'kubeConfigFile'], '');
    return reader.text(fields, 'kubeConfigFile', { struct: 'WebhookAdmissionConfiguration', path: '' });
  });
  if (!decoded.ok) return decoded;
  const path = decoded.value;
  if (!files.isAbsolute(path)) {
    return unreadable(fieldErrorText(invalidValue('kubeConfigFile', path, 'must be an absolute file path')));
  }
  return readKubeconfig(path, files);
}
