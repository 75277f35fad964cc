import { isPlainText } from '../../../machinery/yaml/resolve-scalar.ts';

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const timestamp =
  /^[0-9]{4}-([0-9]{1,2})-([0-9]{1,2})(?:[Tt ]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?)?(Z|[-+][0-9]{2}:[0-9]{2})?$/;

/**
 * Whether the text is a string without quotes, also to parsers with timestamps and base 60 numbers. Follows
 * go.yaml.in/yaml/v2 resolve.go and encode.go isBase60Float.
 */
export const isPlainString = (text: string): boolean =>
  isPlainText(text) && (!/^[-+0-9]/.test(text) || !(base60.test(text) || isTimestamp(text)));

/** Follows go.yaml.in/yaml/v2 resolve.go parseTimestamp: RFC 3339 with a zone, a space without one, or a date alone. */
function isTimestamp(text: string): boolean {
  const [, month, day, hour, minute, second, zone] = timestamp.exec(text) ?? [];
  if (month === undefined || !isDay(text.slice(0, 4), Number(month), Number(day))) return false;
  const spaced = text.includes(' ');
  if (hour === undefined) return zone === undefined;
  if (spaced ? zone !== undefined : zone === undefined) return false;
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}

const isDay = (year: string, month: number, day: number): boolean => {
  const last = new Date(Date.UTC(Number(year), month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= last;
};
