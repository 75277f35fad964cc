export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Shared by all aborts without a reason of their own, since creating a DOMException takes as long as a small request. */
export const abortError = new DOMException('This operation was aborted', 'AbortError');
