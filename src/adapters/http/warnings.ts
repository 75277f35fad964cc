import { sentWarnings } from '../../machinery/meta/warning-fates.ts';

/** The `Warning` header values for one response, in order; not every warning gets one. */
export const warningHeaders = (warnings: Iterable<string>): readonly string[] => sentWarnings(warnings).map(headerOf);

/** Agent `-` and the text as a quoted string. Follows apimachinery pkg/util/net/http.go NewWarningHeader. */
const headerOf = (text: string): string => `299 - "${text.replaceAll(/["\\]/g, '\\$&')}"`;
