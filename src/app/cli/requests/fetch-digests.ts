import { asList, asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { findingRules } from '../../../explain/findings/finding.ts';
import type { Severity } from '../../../explain/findings/finding.ts';
import type { Digest } from '../../../explain/findings/digest.ts';
import { callServer, messageIn } from '../../../adapters/config/kubeconfig/call-server.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/server-access.ts';

/** Who refused these requests, and what was found in them, by their ids. Throws ConfigError when the server does not say. */
export async function fetchDigests(access: ServerAccess, ids: readonly string[]): Promise<ReadonlyMap<string, Digest>> {
  const query = ids.map((id) => `id=${encodeURIComponent(id)}`).join('&');
  const { code, text } = await callServer(access, { method: 'GET', path: `/kadmit/v1/findings?${query}` });
  if (code !== 200) throw new ConfigError(`${access.url} does not say what it found: ${messageIn(text).trim()}`);
  const answer: unknown = JSON.parse(text);
  const items = isJsonObject(answer) ? asList(answer['items']).map(digestIn) : [];
  return new Map(items.map((digest) => [digest.id, digest]));
}

function digestIn(value: JsonValue): Digest {
  const { id, refusedBy, findings } = asObject(value);
  return { id: asString(id), refusedBy: asString(refusedBy), findings: asList(findings).flatMap(findingIn) };
}

/** What another release finds and this one does not know is left out. */
function findingIn(value: JsonValue): Digest['findings'] {
  const { rule: ruleName, severity: severityName, title } = asObject(value);
  const rule = findingRules.find((one) => one === ruleName);
  const severity = severities.find((one) => one === severityName);
  return rule && severity ? [{ rule, severity, title: asString(title) }] : [];
}

const severities: readonly Severity[] = ['error', 'warning', 'note'];
