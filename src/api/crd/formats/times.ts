import { readStrfmtDuration, readTimestamp } from '../../../cel/index.ts';

/** A day that exists, `2006-01-02`. Follows kube-openapi pkg/validation/strfmt/date.go. */
export const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && readTimestamp(`${text}T00:00:00Z`) !== undefined;

/** Follows kube-openapi pkg/validation/strfmt/time.go. */
export function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const [, hour = '99', minute = '', second = ''] =
    /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/.exec(time) ?? [];
  return isDate(date) && hour <= '23' && minute <= '59' && second <= '59';
}

/** Go's durations, and such as `3 days`. Follows kube-openapi pkg/validation/strfmt/duration.go. */
export const isDuration = (text: string): boolean => readStrfmtDuration(text) !== undefined;
