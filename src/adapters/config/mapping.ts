/** `--map FROM=URL`: the address that replaces a clientConfig's. */
export interface Mapping {
  /** `NAMESPACE/SERVICE[:PORT]`, `NAMESPACE/*`, `https://HOST[:PORT]`, or `*` for every Service. */
  readonly from: string;
  /** http: for a local process without TLS, otherwise https:. */
  readonly url: string;
  /** The program that listens there, set by `kadmit run`. */
  readonly program?: string;
}

type MappingReading =
  | { readonly outcome: 'read'; readonly mapping: Mapping }
  /** Follows the text: `is not …: give one such as …`. */
  | { readonly outcome: 'wrong'; readonly problem: string };

const wrong = (problem: string): MappingReading => ({ outcome: 'wrong', problem });

/** Reads `FROM=URL`. */
export function readMapping(text: string): MappingReading {
  const at = text.search(/(?<!^)=https?:\/\//);
  const [name, url] = at < 0 ? [] : [normalizeMappingSource(text.slice(0, at)), text.slice(at + 1)];
  if (name !== undefined && url !== undefined && URL.canParse(url)) {
    return { outcome: 'read', mapping: { from: name, url } };
  }
  const isBare = /^[^/=:]+\/[^/=:]+(?::\d{1,5})?=[\w.[\]-]+:\d+/.test(text);
  return isBare
    ? wrong('does not say whether the webhook speaks TLS: write http:// or https:// before its address')
    : wrong(
        'is not NAMESPACE/SERVICE[:PORT]=URL (or https://HOST[:PORT]=URL, or *=URL): ' +
          'give one such as hooks/my-webhook=https://127.0.0.1:8443',
      );
}

/** Normalizes the part before `=`; undefined for an invalid one. */
export function normalizeMappingSource(from: string): string | undefined {
  if (from === '*' || /^[^/=:]+\/[^/=:]+(?::\d{1,5})?$/.test(from)) return from;
  if (!/^https?:\/\/[^/]+\/?$/.test(from) || !URL.canParse(from)) return undefined;
  return new URL(from).origin;
}
