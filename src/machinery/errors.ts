export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Shared by all aborts without a reason of their own, since creating a DOMException takes as long as a small request. */
export const abortError = new DOMException('This operation was aborted', 'AbortError');

/** The texts of several errors, each once: `[a, b]`; a single one without brackets. Follows apimachinery pkg/util/errors/errors.go Aggregate. */
export function aggregateText(errors: readonly string[]): string {
  const [first = '', ...others] = new Set(errors);
  return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
}
