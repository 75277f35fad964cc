import { bigintAsText } from '../../../machinery/json/json-writer.ts';

/** Results to `out`, everything else to `error`; one line a call. */
export interface Io {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Also receives the document whose text is printed. */
  readonly document?: (document: unknown) => void;
}

export const exitCodes = { fine: 0, failed: 1, usage: 2 } as const;

/** Returns the exit code. */
export function usageError(io: Io, command: string, problem: string): number {
  io.error(`kadmit ${command}: ${problem}`);
  return exitCodes.usage;
}

export type Output = 'text' | 'json' | 'yaml';

/** In the format of `-o`; whole numbers beyond 2^53 become texts. */
export async function printDocument(io: Io, output: Output, document: unknown, text: () => string): Promise<void> {
  io.document?.(document);
  io.out(output === 'text' ? text() : await structured(output, JSON.stringify(document, bigintAsText, 2)));
}

/** In the format of `-o`; whole numbers keep all their digits. */
export async function structured(output: 'json' | 'yaml', json: string): Promise<string> {
  if (output === 'json') return json;
  const { parse, stringify } = await import('yaml');
  return stringify(parse(json, { intAsBigInt: true })).trimEnd();
}
