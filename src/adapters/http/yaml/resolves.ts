const words = new Set(
  ['y', 'yes', 'true', 'on', 'n', 'no', 'false', 'off', 'null', '.nan', '.inf', '+.inf', '-.inf'].flatMap((word) => [
    word,
    word.toUpperCase(),
    capital(word),
  ]),
);

function capital(word: string): string {
  if (word.endsWith('nan')) return '.NaN';
  return word.replace(/[a-z]/, (char) => char.toUpperCase());
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const decimal = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const integer = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)$/;
/** What follows a point is read by strconv.ParseFloat itself, which takes underscores only after a base. */
const afterPoint = /^\.[0-9]+(?:[eE][-+]?[0-9]+)?$/;
const timestamp =
  /^[0-9]{4}-([0-9]{1,2})-([0-9]{1,2})(?:[Tt ]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?)?(Z|[-+][0-9]{2}:[0-9]{2})?$/;

/**
 * Would the text be something else than a string if it stood there without quotes? Follows go.yaml.in/yaml/v2
 * resolve.go and encode.go isBase60Float.
 */
export function isNoPlainString(text: string): boolean {
  if (text === '' || text === '~' || words.has(text)) return true;
  const first = text.charAt(0);
  if (first === '.') return afterPoint.test(text) && Number.isFinite(Number(text));
  if (!/[-+0-9]/.test(first)) return false;
  const digits = text.replaceAll('_', '');
  const isNumber = integer.test(digits) || (decimal.test(digits) && Number.isFinite(Number(digits)));
  return isNumber || base60.test(text) || isTimestamp(text);
}

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
