import { defaultMinor } from '../../../machinery/meta/release-names.ts';
import { readGoDuration } from '../../../machinery/go/go-duration.ts';
import { readGoBool } from '../../../machinery/go/strconv.ts';

type Rows<Value> = Readonly<Record<string, readonly [fallback: Value, help: string]>>;

const numbers = {
  'min-request-timeout': [1800, 'the shortest time of a watch in seconds; the longest is twice as long'],
} satisfies Rows<number>;

const durations = {
  'request-timeout': [60_000, 'how long a request may take; its timeout parameter may shorten it'],
  'service-account-max-token-expiration': [0, 'the longest lifetime of ServiceAccount tokens; 0: no limit'],
} satisfies Rows<number>;

const boolFlags = {
  'disable-http2-serving': [false, 'serve HTTP/1.1 only'],
  'enable-bootstrap-token-auth': [false, 'bearer tokens of Secrets of type bootstrap.kubernetes.io/token'],
  'service-account-extend-token-expiration': [
    true,
    'extend the lifetime of the tokens that admission adds to Pods to a year',
  ],
  'service-account-lookup': [true, 'refuse tokens whose ServiceAccount or bound object was deleted'],
} satisfies Rows<boolean>;

const texts = {
  'requestheader-client-ca-file': ['', 'CAs (PEM) of proxies that name the user in headers'],
} satisfies Rows<string>;

const lists = {
  'emulated-version': [[], `1.${defaultMinor - 3} to 1.${defaultMinor - 1}; like --kubernetes-version`],
  'requestheader-allowed-names': [[], 'common names of such proxies; default: any'],
  'requestheader-extra-headers-prefix': [[], 'prefixes of headers with extra fields of the user'],
  'requestheader-group-headers': [[], 'headers that name groups'],
  'requestheader-uid-headers': [[], 'headers that name the uid'],
  'requestheader-username-headers': [[], 'headers that name the user'],
} satisfies Rows<readonly string[]>;

type Values<Table, Value> = Readonly<Record<keyof Table, Value>>;

/** Values of kube-apiserver's more specialised flags by name; durations in milliseconds. */
export interface UpstreamOptions {
  readonly number: Values<typeof numbers, number>;
  readonly duration: Values<typeof durations, number>;
  readonly bool: Values<typeof boolFlags, boolean>;
  readonly text: Values<typeof texts, string>;
  readonly list: Values<typeof lists, readonly string[]>;
  /** The texts of all given flags of kube-apiserver. */
  readonly given: ReadonlyMap<string, readonly string[]>;
}

/** Flags that are validated and otherwise have no effect here. */
const checkedOnly: ReadonlySet<string> = new Set([
  // Flags that `kadmit serve` declares itself.
  'requestheader-allowed-names',
  'requestheader-client-ca-file',
  'requestheader-extra-headers-prefix',
  'requestheader-group-headers',
  'requestheader-uid-headers',
  'requestheader-username-headers',
]);

/** For `--help`. */
export const upstreamHelp: readonly { readonly name: string; readonly fallback: string; readonly help: string }[] =
  Object.entries<readonly [unknown, string]>({ ...texts, ...lists, ...boolFlags, ...numbers, ...durations })
    .filter(([name]) => !checkedOnly.has(name))
    .map(([name, [fallback, help]]) => ({
      name,
      help,
      fallback: Object.hasOwn(durations, name) ? '' : String(fallback),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** Expects well-formed texts (flag-values.ts). */
export function readUpstreamOptions(given: ReadonlyMap<string, readonly string[]>): UpstreamOptions {
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const all = (name: string): readonly string[] | undefined =>
    given.get(name)?.flatMap((text) => (text === '' ? [] : text.split(',')));
  return {
    number: filled(numbers, (name) => numberOf(last(name))),
    duration: filled(durations, (name) => readGoDuration(last(name) ?? '')),
    bool: filled(boolFlags, (name) => readGoBool(last(name) ?? '')),
    text: filled(texts, last),
    list: filled<typeof lists, readonly string[]>(lists, all),
    given,
  };
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

const filled = <Table extends Rows<Value>, Value>(
  table: Table,
  read: (name: string) => Value | undefined,
): Values<Table, Value> =>
  // Every row of the table has a value.
  Object.fromEntries(Object.entries(table).map(([name, [fallback]]) => [name, read(name) ?? fallback])) as Values<
    Table,
    Value
  >;

export const defaultOptions: UpstreamOptions = readUpstreamOptions(new Map());
