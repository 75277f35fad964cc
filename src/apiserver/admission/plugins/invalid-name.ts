import { goQuote } from '../../../machinery/meta/field-error.ts';
import { pathSegmentName } from '../../../machinery/meta/names.ts';

/** client-go's error for names that fit no URL. Follows client-go rest/request.go Name. */
export function invalidNameError(name: string): string | undefined {
  if (name === '') return 'resource name may not be empty';
  const errors = pathSegmentName(name);
  return errors.length === 0 ? undefined : `invalid resource name ${goQuote(name)}: [${errors.join(' ')}]`;
}
