/** Times the recorded speed; Infinity plays without waiting. */
export type Speed = number;

export const minSpeed = 0.001;
export const fastest = 1_000_000;

/** `at`: milliseconds of the recording; `passed`: milliseconds since playing began. */
export const waitFor = (at: number, passed: number, speed: Speed): number => Math.max(at / speed - passed, 0);
