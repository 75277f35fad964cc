import { asString } from '../../machinery/json/json.ts';
import type { Trace } from './trace.ts';

/** What the client of a refused request got to read; for a path that nobody serves that is no Status. */
export function refusalMessage({ response: { status, code } }: Pick<Trace, 'response'>): string {
  return asString(status?.['message']) || (status === null && code === 404 ? '404 page not found' : 'no message');
}
