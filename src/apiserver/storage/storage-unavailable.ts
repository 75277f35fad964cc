import { plainError, type Status } from '../../machinery/meta/status.ts';
import { ThrownStatus } from '../../machinery/meta/thrown-status.ts';

/**
 * The storage backend failed or its result is unknown: a 500 without a reason. Follows apiserver
 * pkg/endpoints/handlers/responsewriters/status.go.
 */
export class StorageUnavailable extends ThrownStatus {
  constructor(text: string, status: Status = plainError(text)) {
    super(text, status);
  }
}
