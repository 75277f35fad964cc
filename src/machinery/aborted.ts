/** Why something was given up, for all who give up without a reason of their own: to make one takes as long as a small request. */
export const aborted = new DOMException('This operation was aborted', 'AbortError');
