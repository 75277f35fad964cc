import type { Status } from './status.ts';

/** Ends a request from a place that has no other way to say so: the client reads `status`. No bug. */
export class ThrownStatus extends Error {
  readonly status: Status;

  constructor(text: string, status: Status) {
    super(text);
    this.status = status;
  }
}
