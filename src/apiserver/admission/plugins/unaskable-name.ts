import { goQuote } from '../../../machinery/meta/field-error.ts';
import { pathSegmentName } from '../../../machinery/meta/names.ts';

/**
 * Why no request can be made for an object of this name, as a plugin says that asks for what it has not seen yet.
 * Follows client-go rest/request.go Name.
 */
export function unaskable(name: string): string | undefined {
  if (name === '') return 'resource name may not be empty';
  const errors = pathSegmentName(name);
  return errors.length === 0 ? undefined : `invalid resource name ${goQuote(name)}: [${errors.join(' ')}]`;
}
