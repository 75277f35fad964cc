import { fieldErrorText } from '../../../machinery/meta/field-error.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { plainValue } from '../../../machinery/json/json-reader.ts';
import type { Fields } from '../../../machinery/meta/decode-fields.ts';
import type { Toleration } from '../../../api/types/generated/core-v1.ts';
import { validateTolerations } from '../../../api/validation/core/affinity.ts';
import type { PodTolerations } from '../plugins/pod-toleration-restriction/pod-toleration-restriction.ts';
import { read, readConfiguration, unreadable } from './configuration-document.ts';
import type { ConfigurationKind, Reading } from './configuration-document.ts';

const kind: ConfigurationKind = {
  names: [['podtolerationrestriction.admission.k8s.io/v1alpha1', 'Configuration']],
  scheme: 'k8s.io/kubernetes/plugin/pkg/admission/podtolerationrestriction/config.go:35',
};

const known = ['key', 'operator', 'value', 'effect', 'tolerationSeconds'];

/** The configuration of PodTolerationRestriction. Follows kubernetes plugin/pkg/admission/podtolerationrestriction/apis. */
export function readPodTolerations(text: string): Reading<PodTolerations> {
  const decoded = readConfiguration(text, kind, (fields, reader): PodTolerations => {
    reader.only(fields, ['apiVersion', 'kind', 'default', 'whitelist'], '');
    const list = (name: string): readonly Toleration[] =>
      reader.objects(fields, name, { struct: 'Configuration', path: '' }, 'v1.Toleration').map((toleration, index) => {
        reader.only(toleration, known, `${name}[${index}]`);
        return plain(toleration);
      });
    return { default: list('default'), whitelist: list('whitelist') };
  });
  if (!decoded.ok) return decoded;
  const errors = [
    ...validateTolerations([...decoded.value.default], 'podtolerationrestriction.default'),
    ...validateTolerations([...decoded.value.whitelist], 'podtolerationrestriction.whitelist'),
  ];
  return errors.length > 0
    ? unreadable(`invalid config: [${errors.map(fieldErrorText).join(' ')}]`)
    : read(decoded.value);
}

const plain = (fields: Fields): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainValue(value ?? null)]));
