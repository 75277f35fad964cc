import { internalError } from '../apimachinery/status.ts';
import type { Status } from '../apimachinery/status.ts';

/**
 * What keeps the objects could not be asked, or did not say what came of it: no bug, and no decision. The request is answered
 * with `status`, a 500 in the words of whoever failed unless it is told otherwise.
 */
export class StorageUnavailable extends Error {
  readonly status: Status;

  constructor(text: string, status: Status = internalError(text)) {
    super(text);
    this.status = status;
  }
}
