import { isIP } from 'node:net';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { goBoolFault, readGoBool } from '../../../machinery/go/go-bool.ts';
import { goDurationFault } from '../../../machinery/go/go-duration.ts';
import type { FlagType } from './flag-types.ts';

/** pflag's error: `invalid argument "x" for "--v" flag: …`; undefined for a valid value. */
export function valueFault(name: string, type: FlagType, text: string): string | undefined {
  const fault = faults[type]?.(text);
  if (fault === undefined) return undefined;
  return `invalid argument ${goQuote(text)} for "${type === 'level' ? '-v, --v' : `--${name}`}" flag: ${fault}`;
}

type Fault = (text: string) => string | undefined;

const parsing = (what: string, text: string, why: string): string =>
  `strconv.${what}: parsing ${goQuote(text)}: ${why}`;

/** As Go's ParseInt with base 0. */
const integer =
  (what: 'ParseInt' | 'ParseUint', lowest: bigint, highest: bigint): Fault =>
  (text) => {
    const unsigned = what === 'ParseInt' ? text.replace(/^[+-]/, '') : text;
    if (!/^(?:\d{1,400}|0x[\da-f]{1,400}|0o?[0-7]{1,400}|0b[01]{1,400})$/i.test(unsigned)) {
      return parsing(what, text, 'invalid syntax');
    }
    const digits = unsigned.replace(/^0(?=\d)/, '0o');
    if (/^0o.*[89]/.test(digits)) return parsing(what, text, 'invalid syntax');
    const value = BigInt(digits) * (text.startsWith('-') ? -1n : 1n);
    return value < lowest || value > highest ? parsing(what, text, 'value out of range') : undefined;
  };

const int64: Fault = integer('ParseInt', -(2n ** 63n), 2n ** 63n - 1n);
const uint32: Fault = integer('ParseUint', 0n, 2n ** 32n - 1n);
/** Verbosity is base 10. */
const level: Fault = (text) =>
  /^\d{1,400}$/.test(text)
    ? Number(text) > 2 ** 31 - 1
      ? parsing('ParseUint', text, 'value out of range')
      : undefined
    : parsing('ParseUint', text, 'invalid syntax');

const float: Fault = (text) => {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return parsing('ParseFloat', text, 'invalid syntax');
  return Number.isFinite(Number(text)) ? undefined : parsing('ParseFloat', text, 'value out of range');
};

const quantityForm = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Follows component-base logs/api/v1/types.go and klog. */
const modules: Fault = (text) => {
  for (const entry of text.split(',').filter((one) => one !== '')) {
    const parts = entry.split('=');
    const [pattern = '', verbosity = ''] = parts;
    if (parts.length !== 2 || pattern === '' || verbosity === '') {
      return `${goQuote(entry)} does not have the pattern=N format`;
    }
    const fault = level(verbosity);
    if (fault !== undefined) return `parsing verbosity in ${goQuote(entry)}: ${fault}`;
  }
  return undefined;
};

/** Follows apimachinery pkg/util/net/port_range.go. */
const ports: Fault = (text) => {
  const value = text.trim();
  if (value === '') return undefined;
  const [first = '', last] = value.includes('-') ? value.split('-') : value.split('+');
  const wrong = [first, last].find((part) => part !== undefined && !/^[+-]?\d{1,18}$/.test(part));
  if (wrong !== undefined) return parsing('Atoi', wrong, 'invalid syntax');
  const from = Number(first);
  const to = last === undefined ? from : value.includes('-') ? Number(last) : from + Number(last);
  if (from > 65_535 || to > 65_535) return `the port range cannot be greater than 65535: ${value}`;
  return to < from ? `end port cannot be less than start port: ${value}` : undefined;
};

/** Follows component-base cli/flag/namedcertkey_flag.go. */
const sni: Fault = (text) => {
  const [files = '', names] = text.split(/:(.*)/s);
  if (names !== undefined && names.trim() === '') return 'empty names list is not allowed';
  const isPair = files.split(',').filter((file) => file.trim() !== '').length === 2 && files.split(',').length === 2;
  return isPair ? undefined : 'expected comma separated certificate and key file paths';
};

const faults: Readonly<Partial<Record<FlagType, Fault>>> = {
  truth: (text) => (readGoBool(text) === undefined ? goBoolFault(text) : undefined),
  whole: int64,
  natural: uint32,
  float,
  duration: goDurationFault,
  ip: (text) => (text.trim() === '' || isIP(text.trim()) !== 0 ? undefined : `failed to parse IP: ${goQuote(text)}`),
  pair: (text) => (text.includes('=') ? undefined : 'malformed pair, expect string=string'),
  labels: (text) => (text.includes('=') ? undefined : `${text} must be formatted as key=value`),
  quantity: (text) => (/^[+-]?[\d.]+(?:[numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/.test(text) ? undefined : quantityForm),
  ports,
  sni,
  numbers: (text) =>
    text
      .split(',')
      .map(integer('ParseInt', -(2n ** 31n), 2n ** 31n - 1n))
      .find((fault) => fault !== undefined),
  level,
  modules,
};
