import type { Status } from './status.ts';

/** A value, or the Status the client will read. A throw, by contrast, is a bug of ours. */
export type Result<T> = Accepted<T> | Refused;

interface Accepted<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Refused {
  readonly ok: false;
  readonly status: Status;
}

export const ok = <T>(value: T): Accepted<T> => ({ ok: true, value });

export const refuse = (status: Status): Refused => ({ ok: false, status });
