import type { Fields } from '../../../machinery/meta/decode-fields.ts';
import { duplicate, type FieldError, fieldErrorText, invalidValue } from '../../../machinery/meta/field-error.ts';
import { dns1123Label, dns1123Subdomain, type TextCheck } from '../../../machinery/meta/names.ts';
import type { PodSecuritySettings } from '../plugins/pod-security/pod-security.ts';
import { levelReading, type ModeDefault, versionReading } from '../plugins/pod-security/policy.ts';
import {
  type ConfigurationKind,
  listText,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from './configuration-document.ts';

const group = 'pod-security.admission.config.k8s.io';
const kind: ConfigurationKind = {
  names: ['v1', 'v1beta1', 'v1alpha1'].map((version) => [`${group}/${version}`, 'PodSecurityConfiguration']),
  scheme: 'k8s.io/pod-security-admission/admission/api/scheme/scheme.go:31',
};

const modes = ['enforce', 'audit', 'warn'] as const;
const exemptionLists = ['usernames', 'namespaces', 'runtimeClasses'] as const;

/** Decoding errors and errors at plugin start have different prefixes. */
export type PodSecurityReading = ConfigurationReading<ConfigurationReading<PodSecuritySettings>>;

/** The configuration of PodSecurity. Follows pod-security-admission admission/api/{load,validation}. */
export function readPodSecurityConfiguration(text: string): PodSecurityReading {
  const decoded = readConfiguration(text, kind, (fields, reader) => {
    reader.only(fields, ['apiVersion', 'kind', 'defaults', 'exemptions'], '');
    const place = { struct: 'PodSecurityConfiguration', path: '' };
    const defaults = reader.object(fields, 'defaults', place, 'v1.PodSecurityDefaults');
    const exemptions = reader.object(fields, 'exemptions', place, 'v1.PodSecurityExemptions');
    reader.only(
      defaults,
      modes.flatMap((mode) => [mode, `${mode}-version`]),
      'defaults',
    );
    reader.only(exemptions, exemptionLists, 'exemptions');
    const inDefaults = { struct: 'PodSecurityDefaults', path: 'defaults' };
    const inExemptions = { struct: 'PodSecurityExemptions', path: 'exemptions' };
    const textIn = (from: Fields, name: string): string => reader.text(from, name, inDefaults);
    const list = (name: string): readonly string[] => reader.texts(exemptions, name, inExemptions);
    return {
      levels: modes.map((mode) => ({
        mode,
        level: textIn(defaults, mode),
        version: textIn(defaults, `${mode}-version`),
      })),
      exemptions: {
        usernames: list('usernames'),
        namespaces: list('namespaces'),
        runtimeClasses: list('runtimeClasses'),
      },
    };
  });
  if (!decoded.ok) return decoded;
  const { levels, exemptions } = decoded.value;
  const faults: string[] = [];
  const modeDefault = ({ mode, level, version }: (typeof levels)[number]): ModeDefault => {
    const known = levelReading.read(level || 'privileged');
    const minor = versionReading.read(version || 'latest');
    if (known === undefined) faults.push(`${mode}: ${levelReading.forbidden}`);
    if (minor === undefined) faults.push(`${mode}-version: ${versionReading.forbidden}`);
    return { level: known ?? 'restricted', minor: minor ?? Infinity };
  };
  const [enforce, audit, warn] = levels.map(modeDefault);
  const errors = exemptionErrors(exemptions);
  if (errors.length > 0) return read(unreadable(`PodSecurity invalid: ${listText(errors.map(fieldErrorText))}`));
  if (faults.length > 0 || !enforce || !audit || !warn) {
    return read(unreadable(`PodSecurity configuration error: ${listText(faults)}`));
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
