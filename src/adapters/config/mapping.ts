/** One `--map FROM=URL`: where what a clientConfig names really listens. */
export interface Mapping {
  /** `NAMESPACE/SERVICE[:PORT]`, `NAMESPACE/*`, `https://HOST[:PORT]` of webhooks with a url, or `*` for every Service. */
  readonly from: string;
  /** http: for a plain local process, https: otherwise. */
  readonly url: string;
  /** Who listens there, as `kadmit run` says of what it started. */
  readonly program?: string;
}

export type MappingReading =
  | { readonly outcome: 'read'; readonly mapping: Mapping }
  /** `problem` follows the text: `is not …: give one such as …`. */
  | { readonly outcome: 'wrong'; readonly problem: string };

const wrong = (problem: string): MappingReading => ({ outcome: 'wrong', problem });

/** Reads `FROM=URL`. */
export function readMapping(text: string): MappingReading {
  const at = text.search(/(?<!^)=https?:\/\//);
  const [name, url] = at < 0 ? [] : [readMapped(text.slice(0, at)), text.slice(at + 1)];
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

/** What stands before `=`, always written the same; undefined for what is none of these. */
export function readMapped(from: string): string | undefined {
  if (from === '*' || /^[^/=:]+\/[^/=:]+(?::\d{1,5})?$/.test(from)) return from;
  if (!/^https?:\/\/[^/]+\/?$/.test(from) || !URL.canParse(from)) return undefined;
  return new URL(from).origin;
}
