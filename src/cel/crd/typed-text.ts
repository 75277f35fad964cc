import { base64Bytes } from '../../machinery/go/base64-bytes.ts';
import { readStrfmtDuration } from '../value/strfmt-duration.ts';
import { durationOf, readTimestamp, timestampOf } from '../value/time.ts';
import { CelError } from '../value/value.ts';
import type { Result } from '../value/value.ts';

/** A string as its format makes it: a duration, a timestamp, bytes. Follows apiserver pkg/cel/common/values.go. */
export function typedText(text: string, format: string): Result {
  switch (format) {
    case 'duration':
      return orError(
        readStrfmtDuration(text),
        durationOf,
        `Invalid duration ${text}: unable to parse ${text} as duration`,
      );
    case 'date':
      return orError(readDate(text), timestampOf, `Invalid date formatted string ${text}`);
    case 'date-time':
      return orError(readDateTime(text), timestampOf, `Invalid date-time formatted string ${text}`);
    case 'byte':
      return bytesOf(text) ?? new CelError(`Invalid byte formatted string ${text}`);
    default:
      return text;
  }
}

const orError = (found: bigint | undefined, make: (nanoseconds: bigint) => Result, error: string): Result =>
  found === undefined ? new CelError(error) : make(found);

const readDate = (text: string): bigint | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) ? readTimestamp(`${text}T00:00:00Z`) : undefined;

/** Also without a zone, which then is UTC, and with one that has no colon. */
function readDateTime(text: string): bigint | undefined {
  if (text === '') return 0n;
  const withColon = text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
  return readTimestamp(withColon) ?? readTimestamp(`${text}Z`);
}

function bytesOf(text: string): Uint8Array | undefined {
  try {
    return base64Bytes(text);
  } catch {
    return undefined;
  }
}
