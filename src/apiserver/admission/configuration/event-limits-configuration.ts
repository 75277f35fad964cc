import { type FieldError, fieldErrorText, invalidValue, notSupported } from '../../../machinery/meta/field-error.ts';
import type { EventLimit } from '../plugins/event-rate-limit.ts';
import {
  type ConfigurationKind,
  listText,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from './configuration-document.ts';

const kind: ConfigurationKind = {
  names: [['eventratelimit.admission.k8s.io/v1alpha1', 'Configuration']],
  scheme: 'k8s.io/kubernetes/plugin/pkg/admission/eventratelimit/config.go:35',
};

const types = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const;
const defaultCacheSize = 4096;
const known = ['type', 'qps', 'burst', 'cacheSize'];

/** Missing configuration is an error. Follows kubernetes plugin/pkg/admission/eventratelimit/apis. */
export function readEventLimits(text: string | undefined): ConfigurationReading<readonly EventLimit[]> {
  if (text === undefined) return unreadable('limits: Invalid value: null: must not be empty');
  const decoded = readConfiguration(text, kind, (fields, reader) => {
    reader.only(fields, ['apiVersion', 'kind', 'limits'], '');
    const limits = reader.objects(fields, 'limits', { struct: 'Configuration', path: '' }, 'v1alpha1.Limit');
    return limits.map((limit, index) => {
      reader.only(limit, known, `limits[${index}]`);
      const place = { struct: 'Limit', path: 'limits' };
      const whole = (name: string): number => reader.whole(limit, name, place, 'int32');
      const type = reader.text(limit, 'type', place, 'v1alpha1.LimitType');
      return { type, qps: whole('qps'), burst: whole('burst'), cacheSize: whole('cacheSize') };
    });
  });
  if (!decoded.ok) return decoded;
  if (decoded.value.length === 0) return unreadable('limits: Invalid value: []: must not be empty');
  const limits = decoded.value.map((limit, index) => readLimit(limit, `limits[${index}]`));
  const errors = limits.flatMap(({ errors: own }) => own);
  return errors.length > 0 ? unreadable(listText(errors.map(fieldErrorText))) : read(limits.map(({ limit }) => limit));
}

type DecodedLimit = Omit<EventLimit, 'type'> & { readonly type: string };

function readLimit(
  decoded: DecodedLimit,
  field: string,
): { readonly limit: EventLimit; readonly errors: readonly FieldError[] } {
  const type = types.find((one) => one === decoded.type);
  const isCached = type !== 'Server';
  const errors = [
    ...(type === undefined ? [notSupported(`${field}.type`, decoded.type, types)] : []),
    ...(decoded.burst <= 0 ? [invalidValue(`${field}.burst`, decoded.burst, 'must be positive')] : []),
    ...(decoded.qps <= 0 ? [invalidValue(`${field}.qps`, decoded.qps, 'must be positive')] : []),
    ...(isCached && decoded.cacheSize < 0
      ? [invalidValue(`${field}.cacheSize`, decoded.cacheSize, 'must not be negative')]
      : []),
  ];
  return { limit: { ...decoded, type: type ?? 'Server', cacheSize: decoded.cacheSize || defaultCacheSize }, errors };
}
