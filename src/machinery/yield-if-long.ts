/** Waits for the next turn of the event loop when this one has taken long, so that other requests go on. */
export type YieldIfLong = () => Promise<void>;
