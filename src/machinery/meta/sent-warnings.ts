const totalLimit = 4096;
const itemLimit = 256;

/** Why a client does not get a warning; `shortened`: it gets the beginning. */
export type WarningOmission = 'empty' | 'control-character' | 'duplicate' | 'over-limit' | 'shortened';

/** One warning of a response, and what the client receives. */
export interface SentWarning {
  readonly warning: string;
  /** The text that the client gets; undefined for none. */
  readonly sent: string | undefined;
  readonly loss?: WarningOmission;
}

/**
 * The warnings of one response, in order, each with what the client receives. Repeats, empty texts and texts with control characters are left out.
 * Once the others exceed 4096 characters together, each is cut to 256, and later ones are left out when 4096 are written.
 * Follows apiserver pkg/endpoints/filters/warning.go (rules RSP-32 to RSP-34).
 */
export function resolveWarnings(warnings: Iterable<string>): readonly SentWarning[] {
  const texts = sanitizeWarnings(warnings);
  const isCut = texts.reduce((sum, { text }) => sum + runeCount(text), 0) > totalLimit;
  let whole = 0;
  let written = 0;
  return texts.map(({ warning, text, loss }): SentWarning => {
    if (loss !== undefined) return { warning, sent: undefined, loss };
    if (!isCut) return { warning, sent: text };
    // The limit counts whole texts up to the one that exceeds it, and what is left of them from then on.
    if (whole > totalLimit && written >= totalLimit) return { warning, sent: undefined, loss: 'over-limit' };
    const runes = Array.from(text);
    const kept = runes.slice(0, itemLimit);
    whole += runes.length;
    written += kept.length;
    const sent = kept.join('');
    return kept.length < runes.length ? { warning, sent, loss: 'shortened' } : { warning, sent };
  });
}

interface Text {
  readonly warning: string;
  /** '' for a warning that is left out. */
  readonly text: string;
  readonly loss?: WarningOmission;
}

function sanitizeWarnings(warnings: Iterable<string>): readonly Text[] {
  const seen = new Set<string>();
  return Array.from(warnings, (warning): Text => {
    const loss = omissionOf(warning, seen);
    seen.add(warning);
    return loss === undefined ? { warning, text: sanitizeWarning(warning) } : { warning, text: '', loss };
  });
}

function omissionOf(warning: string, seen: ReadonlySet<string>): WarningOmission | undefined {
  if (warning === '') return 'empty';
  if (/\p{Cc}/u.test(warning)) return 'control-character';
  return seen.has(warning) ? 'duplicate' : undefined;
}

/** More characters than all may have together are cut in any case. */
const sanitizeWarning = (warning: string): string =>
  warning.slice(0, 2 * (totalLimit + 2)).replaceAll(/\p{Surrogate}/gu, '\ufffd');

const runeCount = (text: string): number => text.replaceAll(/[\ud800-\udbff]/g, '').length;

export const sentWarnings = (warnings: Iterable<string>): readonly string[] =>
  resolveWarnings(warnings).flatMap(({ sent }) => sent ?? []);
