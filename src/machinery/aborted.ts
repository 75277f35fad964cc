/** Shared by all aborts without a reason of their own, since creating a DOMException takes as long as a small request. */
export const aborted = new DOMException('This operation was aborted', 'AbortError');
