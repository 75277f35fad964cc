import { fieldErrorText } from '../../apimachinery/field-error.ts';
import { read, readConfiguration, unreadable } from './configuration-document.ts';
import type { Reading } from './configuration-document.ts';

/**
 * A folder of policies or webhooks that no client may change belongs to a feature that is off by default and not followed.
 * Follows apiserver pkg/admission/plugin/manifest/validation.go ValidateStaticManifestsDir.
 */
export function withoutStaticManifests(folder: string): Reading<undefined> {
  if (folder === '') return read(undefined);
  const detail = 'staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled';
  return unreadable(fieldErrorText({ type: 'FieldValueForbidden', field: 'staticManifestsDir', detail }));
}

/**
 * The configuration of ValidatingAdmissionPolicy or MutatingAdmissionPolicy, which says nothing else.
 * Follows apiserver pkg/admission/plugin/policy/config/config.go.
 */
export function readPolicyConfiguration(text: string, plugin: string): Reading<undefined> {
  const struct = `${plugin}Configuration`;
  const kind = {
    names: [['apiserver.config.k8s.io/v1', struct]],
    scheme: 'k8s.io/apiserver/pkg/admission/plugin/policy/config/config.go:32',
  } as const;
  const decoded = readConfiguration(text, kind, (fields, reader) => {
    reader.only(fields, ['apiVersion', 'kind', 'staticManifestsDir'], '');
    return reader.text(fields, 'staticManifestsDir', { struct, path: '' });
  });
  return decoded.ok ? withoutStaticManifests(decoded.value) : decoded;
}
