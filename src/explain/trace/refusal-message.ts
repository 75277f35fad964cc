import { asString } from '../../machinery/json/json.ts';
import type { Trace } from './trace.ts';

/** A 404 for an unserved path is not a Status. */
export function refusalMessage({ response: { status, code } }: Pick<Trace, 'response'>): string {
  return asString(status?.['message']) || (status === null && code === 404 ? '404 page not found' : 'no message');
}
