import { objectsField, stringField, intField } from '../../../machinery/meta/decode-fields.ts';
import { type FieldError, fieldErrorText, invalidValue, notSupported } from '../../../machinery/meta/field-error.ts';
import type { EventLimit } from '../plugins/event-rate-limit.ts';
import {
  configurationKind,
  listText,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from './configuration-document.ts';

const types = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const;
const defaultCacheSize = 4096;

const int32 = intField('int32');
const limit = {
  type: 'v1alpha1.Limit',
  fields: { type: stringField('v1alpha1.LimitType'), qps: int32, burst: int32, cacheSize: int32 },
};
const kind = configurationKind({
  names: [['eventratelimit.admission.k8s.io/v1alpha1', 'Configuration']],
  scheme: 'k8s.io/kubernetes/plugin/pkg/admission/eventratelimit/config.go:35',
  struct: { type: 'Configuration', fields: { limits: objectsField<DecodedLimit>(limit) } },
});

/** Missing configuration is an error. Follows kubernetes plugin/pkg/admission/eventratelimit/apis. */
export function readEventLimits(file: string | undefined): ConfigurationReading<readonly EventLimit[]> {
  if (file === undefined) return unreadable('limits: Invalid value: null: must not be empty');
  const decoded = readConfiguration(file, kind);
  if (!decoded.ok) return decoded;
  const { limits } = decoded.value;
  if (limits.length === 0) return unreadable('limits: Invalid value: []: must not be empty');
  const errors = limits.flatMap((one, index) => limitErrors(one, `limits[${index}]`));
  if (errors.length > 0) return unreadable(listText(errors.map(fieldErrorText)));
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
