/** One `--map NAMESPACE/SERVICE[:PORT]=URL`: where a service really listens. */
export interface ServiceMapping {
  readonly namespace: string;
  readonly name: string;
  /** Undefined: whatever port is asked for. */
  readonly port: number | undefined;
  /** http: for a plain local process, https: otherwise. */
  readonly url: URL;
}

type MappingReading =
  | { readonly outcome: 'read'; readonly mapping: ServiceMapping }
  | { readonly outcome: 'unreadable'; readonly error: string };

/** Reads the value of one `--map`; the error is a sentence for the person who typed it. */
export function readServiceMapping(text: string): MappingReading {
  const [, namespace, name, port, address] = /^([^/=:]+)\/([^/=:]+)(?::(\d+))?=(.+)$/.exec(text) ?? [];
  if (namespace === undefined || name === undefined || address === undefined) {
    return unreadable(text, 'it must be NAMESPACE/SERVICE[:PORT]=URL');
  }
  if (!URL.canParse(address)) return unreadable(text, `"${address}" is not a URL`);
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return unreadable(text, 'the URL must start with http:// or https://');
  }
  return { outcome: 'read', mapping: { namespace, name, port: port === undefined ? undefined : Number(port), url } };
}

const unreadable = (text: string, why: string): MappingReading => ({
  outcome: 'unreadable',
  error: `--map ${text}: ${why}`,
});
