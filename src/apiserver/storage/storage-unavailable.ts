import { plainError } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';
import { ThrownStatus } from '../../machinery/meta/thrown-status.ts';

/**
 * What keeps the objects could not be asked, or did not say what came of it: no bug, and no decision. The request is answered
 * with `status`: a 500 without a reason, in the words of whoever failed. Follows apiserver pkg/endpoints/handlers/responsewriters/status.go.
 */
export class StorageUnavailable extends ThrownStatus {
  constructor(text: string, status: Status = plainError(text)) {
    super(text, status);
  }
}
