import { trimRight } from '../../machinery/go/strings.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import { writeJsonForGo } from '../../machinery/json/json-writer.ts';

/** An event as `--audit-log-format=legacy` prints it. Follows apiserver pkg/audit/format.go EventString. */
export function legacyLine(event: JsonObject): string {
  const user = asObject(event['user']);
  const name = asString(user['username']);
  const other = event['impersonatedUser'];
  const asOther = asObject(other);
  const code = asObject(event['responseStatus'])['code'];
  const parts = [
    ['id', event['auditID']],
    ['stage', event['stage']],
    ['ip', asList(event['sourceIPs'])[0] ?? '<unknown>'],
    ['method', event['verb']],
    ['user', name || '<none>'],
    ['groups', name === '' ? '<none>' : groupsText(user['groups'], '<none>')],
    ['as', other === undefined ? '<self>' : asOther['username']],
    ['asgroups', other === undefined ? '<lookup>' : groupsText(asOther['groups'], '<lookup>')],
    ['user-agent', event['userAgent']],
    ['namespace', asString(asObject(event['objectRef'])['namespace']) || '<none>'],
    ['uri', event['requestURI']],
    ['response', typeof code === 'number' ? String(code) : '<deferred>'],
  ] as const;
  const [time = '', fraction = ''] = asString(event['requestReceivedTimestamp']).replace(/Z$/, '').split('.');
  const digits = trimRight(fraction, '0');
  const received = digits === '' ? `${time}Z` : `${time}.${digits}Z`;
  return `${received} AUDIT: ${parts.map(([key, value]) => `${key}=${goQuote(asString(value))}`).join(' ')}`;
}

/** Groups in quotes, joined without separator. Follows auditStringSlice. */
const groupsText = (groups: JsonValue | undefined, none: string): string =>
  groups === undefined
    ? none
    : asList(groups)
        .map((group) => goQuote(asString(group)))
        .join(',');

/**
 * The event without its bodies when its line is too large; undefined when it is still too large. Follows apiserver
 * plugin/pkg/audit/truncate/truncate.go.
 */
export function truncated(line: string, maxBytes: number): string | undefined {
  // Upstream counts the line's end.
  if (maxBytes === Infinity || Buffer.byteLength(line) + 1 <= maxBytes) return line;
  const event: unknown = JSON.parse(line);
  if (!isJsonObject(event)) return undefined;
  const { requestObject, responseObject, annotations, ...rest } = event;
  if (requestObject === undefined && responseObject === undefined) return undefined;
  const marked = { ...asObject(annotations), 'audit.k8s.io/truncated': 'true' };
  const shorter = writeJsonForGo({ ...rest, annotations: marked });
  return Buffer.byteLength(shorter) + 1 <= maxBytes ? shorter : undefined;
}
