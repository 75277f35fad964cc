/** How many times as fast as it was recorded; Infinity without any waiting. */
export type Speed = number;

export const slowest = 0.001;
export const fastest = 1_000_000;

/** How long to wait for a change that comes after so many milliseconds of the recording, when so many have passed since the playing began. */
export const waitFor = (at: number, passed: number, speed: Speed): number => Math.max(at / speed - passed, 0);
