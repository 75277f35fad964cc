/** What one look came to. */
export interface Check {
  readonly level: 'ok' | 'note' | 'warning' | 'problem';
  /** What was looked at, and what there is. */
  readonly text: string;
  /** What to do about it. */
  readonly hint?: string;
}

export const ok = (text: string): Check => ({ level: 'ok', text });

/** Certificates that end earlier are worth a word. */
const soon = 30 * 86_400_000;

/** How long something that ends goes on being good. */
export function untilCheck(what: string, notAfter: number, now: number): Check {
  const day = new Date(notAfter).toISOString().slice(0, 10);
  if (notAfter <= now) return { level: 'problem', text: `${what} ended on ${day}` };
  return { level: notAfter - now < soon ? 'warning' : 'ok', text: `${what} is good until ${day}` };
}
