import { aggregateText } from '../../../machinery/errors.ts';
import { objectField, stringField, stringsField } from '../../../machinery/meta/decode-fields.ts';
import { duplicate, type FieldError, fieldErrorText, invalidValue } from '../../../machinery/meta/field-error.ts';
import { dns1123Label, dns1123Subdomain, type TextCheck } from '../../../machinery/meta/names.ts';
import type { PodSecuritySettings } from '../plugins/pod-security/pod-security.ts';
import { levelReading, type ModeDefault, versionReading } from '../plugins/pod-security/policy.ts';
import {
  configurationKind,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from './configuration-document.ts';

const group = 'pod-security.admission.config.k8s.io';
const modes = ['enforce', 'audit', 'warn'] as const;

const struct = {
  type: 'PodSecurityConfiguration',
  fields: {
    defaults: objectField({
      type: 'v1.PodSecurityDefaults',
      fields: {
        enforce: stringField(),
        'enforce-version': stringField(),
        audit: stringField(),
        'audit-version': stringField(),
        warn: stringField(),
        'warn-version': stringField(),
      },
    }),
    exemptions: objectField({
      type: 'v1.PodSecurityExemptions',
      fields: { usernames: stringsField(), namespaces: stringsField(), runtimeClasses: stringsField() },
    }),
  },
};

const kind = configurationKind({
  names: ['v1', 'v1beta1', 'v1alpha1'].map((version) => [`${group}/${version}`, 'PodSecurityConfiguration']),
  scheme: 'k8s.io/pod-security-admission/admission/api/scheme/scheme.go:31',
  struct,
});

/** Decoding errors and errors at plugin start have different prefixes. */
export type PodSecurityReading = ConfigurationReading<ConfigurationReading<PodSecuritySettings>>;

/** The configuration of PodSecurity. Follows pod-security-admission admission/api/{load,validation}. */
export function readPodSecurityConfiguration(file: string): PodSecurityReading {
  const decoded = readConfiguration(file, kind);
  if (!decoded.ok) return decoded;
  const { defaults, exemptions } = decoded.value;
  const faults: string[] = [];
  const modeDefault = (mode: (typeof modes)[number]): ModeDefault => {
    const known = levelReading.read(defaults[mode] || 'privileged');
    const minor = versionReading.read(defaults[`${mode}-version`] || 'latest');
    if (known === undefined) faults.push(`${mode}: ${levelReading.forbidden}`);
    if (minor === undefined) faults.push(`${mode}-version: ${versionReading.forbidden}`);
    return { level: known ?? 'restricted', minor: minor ?? Infinity };
  };
  const [enforce, audit, warn] = modes.map(modeDefault);
  const errors = exemptionErrors(exemptions);
  if (errors.length > 0) return read(unreadable(`PodSecurity invalid: ${aggregateText(errors.map(fieldErrorText))}`));
  if (faults.length > 0 || !enforce || !audit || !warn) {
    return read(unreadable(`PodSecurity configuration error: ${aggregateText(faults)}`));
  }
  return read(read({ defaults: { enforce, audit, warn }, exemptions }));
}

const exemptionErrors = ({
  namespaces,
  runtimeClasses,
  usernames,
}: PodSecuritySettings['exemptions']): readonly FieldError[] => [
  ...nameErrors('exemptions.namespaces', namespaces, dns1123Label),
  ...nameErrors('exemptions.runtimeClasses', runtimeClasses, dns1123Subdomain),
  ...nameErrors('exemptions.usernames', usernames, (name) => (name === '' ? ['username must not be empty'] : [])),
];

const nameErrors = (field: string, names: readonly string[], check: TextCheck): readonly FieldError[] =>
  names.flatMap((name, index) => {
    const found = check(name);
    if (found.length > 0) return [invalidValue(`${field}[${index}]`, name, found.join(', '))];
    return names.indexOf(name) < index ? [duplicate(`${field}[${index}]`, name)] : [];
  });
